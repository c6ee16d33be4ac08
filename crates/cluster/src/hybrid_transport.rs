//! A fabric, and beside it rings to the processes of the same host, where there are any.
//!
//! Messages of one process to another go one way or the other and must come in order. So each in a ring
//! tells how many were sent by the fabric before it, and waits for them; and what comes by the fabric waits
//! for what lies in the ring of its sender and was written before.

use crate::Fabric;
use crate::rings::{LONGEST, Next, Rings};
use std::time::{Duration, Instant};

/// How long the fabric is not looked at where messages go by rings.
const PATIENCE: Duration = Duration::from_micros(200);

/// A fabric with rings beside it.
pub struct HybridTransport {
    fabric: Box<dyn Fabric>,
    rings: Option<Rings>,
    /// Whether we write into rings. They are read in any case.
    in_use: bool,
    /// Messages by the fabric, to each and from each.
    sent: Vec<u32>,
    received: Vec<u32>,
    /// Whether all others were seen to read rings.
    all_there: bool,
    /// When the fabric was last looked at.
    looked: Instant,
    bytes: Vec<u8>,
}

impl HybridTransport {
    /// A fabric alone.
    pub fn new(fabric: Box<dyn Fabric>) -> HybridTransport {
        let none = vec![0; fabric.processes() as usize];
        HybridTransport {
            fabric,
            rings: None,
            in_use: true,
            sent: none.clone(),
            received: none,
            all_there: false,
            looked: Instant::now(),
            bytes: Vec::new(),
        }
    }

    /// Puts rings beside it, to all other processes, if there are any.
    pub fn join(&mut self, rings: Option<Rings>) {
        self.rings = rings;
    }

    /// Whether there are any.
    pub fn has_rings(&self) -> bool {
        self.rings.is_some()
    }

    /// Whether messages go by rings, where there are some.
    pub fn use_rings(&mut self, in_use: bool) {
        self.in_use = in_use;
    }

    /// Puts bytes on their way; false if there is no room now.
    pub fn send(&mut self, to: u32, bytes: &[u8]) -> bool {
        let Some(sent) = self.sent.get_mut(to as usize) else { return true };
        let rings = self.rings.as_mut().filter(|rings| self.in_use && rings.is_there(to));
        let Some(rings) = rings else {
            let went = self.fabric.send(to, bytes);
            *sent = sent.wrapping_add(u32::from(went));
            return went;
        };
        if bytes.len() <= LONGEST {
            return rings.write(to, *sent, bytes);
        }
        let went = self.fabric.send(to, bytes);
        if went {
            *sent = sent.wrapping_add(1);
            // Nothing, but it must wait for the other: so the receiver will look for that.
            rings.write(to, *sent, &[]);
        }
        went
    }

    /// Hands over what has come, with the process that sent it.
    pub fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8])) {
        let complete = self.read_rings(take);
        if !complete || !self.are_all_near() || self.looked.elapsed() >= PATIENCE {
            self.look(take);
            self.read_rings(take);
        }
    }

    /// Whether hardly anything comes by the fabric: all the others read and write rings, as we do.
    fn are_all_near(&mut self) -> bool {
        if !self.all_there {
            let all = 0..self.sent.len() as u32;
            let rings = self.rings.as_ref();
            self.all_there =
                rings.is_some_and(|rings| all.into_iter().all(|one| rings.is_there(one)));
        }
        self.all_there && self.in_use
    }

    /// Looks at the fabric.
    fn look(&mut self, take: &mut dyn FnMut(u32, &[u8])) {
        let HybridTransport { fabric, rings, received, bytes, .. } = self;
        fabric.receive(&mut |from, message| {
            let Some(received) = received.get_mut(from as usize) else { return };
            if let Some(rings) = rings {
                read_ring(rings, from, *received, bytes, take);
            }
            *received = received.wrapping_add(1);
            take(from, message);
        });
        if self.has_rings() {
            self.looked = Instant::now();
        }
    }

    /// Reads what lies in the rings; whether nothing there waits for what comes by the fabric.
    fn read_rings(&mut self, take: &mut dyn FnMut(u32, &[u8])) -> bool {
        let HybridTransport { rings: Some(rings), received, bytes, .. } = self else { return true };
        let all = (0..).zip(received.iter());
        all.fold(true, |complete, (from, &received)| {
            read_ring(rings, from, received, bytes, take) && complete
        })
    }

    /// Whether all that was sent has left this process.
    pub fn is_clear(&mut self) -> bool {
        self.fabric.is_clear()
    }
}

/// Reads a ring up to what waits for more messages by the fabric than have come; whether that is its end.
fn read_ring(
    rings: &mut Rings,
    from: u32,
    received: u32,
    bytes: &mut Vec<u8>,
    take: &mut dyn FnMut(u32, &[u8]),
) -> bool {
    loop {
        match rings.next(from) {
            Next::Empty => return true,
            // The numbers go round.
            Next::After(sent) if sent.wrapping_sub(received).cast_signed() > 0 => return false,
            Next::After(_) => {
                if rings.read(from, bytes) && !bytes.is_empty() {
                    take(from, bytes);
                }
            }
        }
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;
    use crate::loopback::{Weather, connect};
    use table::Common;

    /// Two processes over a fabric with this delay.
    fn pair(name: &str, delay: Duration) -> Vec<HybridTransport> {
        let (fabrics, _) = connect(2, Weather { delay, ..Weather::default() });
        let rings = [Common::Lend(name), Common::Borrow(std::process::id(), name)];
        let boxed = fabrics.into_iter().map(|fabric| HybridTransport::new(Box::new(fabric)));
        let both = boxed.zip(rings).zip(0..).map(|((mut fabric, common), me)| {
            // One message went before there were rings.
            assert!(fabric.send(1 - me, &0_u32.to_le_bytes()));
            let rings = Rings::new(common, me, 2).expect("memory");
            fabric.join(rings);
            fabric
        });
        both.collect()
    }

    fn numbers(fabric: &mut HybridTransport) -> Vec<u32> {
        let mut found = Vec::new();
        fabric.receive(&mut |_, bytes| {
            let number = bytes.first_chunk().map(|number| u32::from_le_bytes(*number));
            found.push(number.expect("a number"));
        });
        found
    }

    #[test]
    fn messages_come_in_order_whichever_way_they_go() {
        for (name, delay) in [("test-mixed-1", 0), ("test-mixed-2", 300)] {
            let mut both = pair(name, Duration::from_micros(delay));
            let mut come = Vec::new();
            for number in 1..3000_u32 {
                let mut message = number.to_le_bytes().to_vec();
                if number % 7 == 0 {
                    message.resize(LONGEST + 1, 0);
                }
                both[0].use_rings(number % 5 != 0);
                while !both[0].send(1, &message) {
                    come.extend(numbers(&mut both[1]));
                }
                if number % 3 == 0 {
                    come.extend(numbers(&mut both[1]));
                }
            }
            let begun = Instant::now();
            while come.len() < 3000 && begun.elapsed() < Duration::from_secs(60) {
                come.extend(numbers(&mut both[1]));
            }
            assert!(come.iter().copied().eq(0..3000), "{name}: {come:?}");
        }
    }

    #[test]
    fn by_rings_nothing_waits_for_the_fabric() {
        let mut both = pair("test-mixed-3", Duration::ZERO);
        assert!(both.iter().all(HybridTransport::has_rings));
        std::thread::sleep(PATIENCE);
        assert_eq!(numbers(&mut both[0]), [0]);
        assert!(both[1].send(0, &5_u32.to_le_bytes()));
        assert_eq!(numbers(&mut both[0]), [5]);
        assert!(both[0].is_clear());
    }
}
