//! A cable between two ports on which every frame is on its way for a set time.
//!
//! For each direction one thread reads frames and notes when each is due, and another one writes them when
//! their time has come: frames overtake nobody, and any number is on the way at the same time. What does not
//! fit is dropped, as a switch does.

use super::system;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Frames on the way in one direction, at most.
const MOST_FRAMES: usize = 10_000;

/// Longer frames there are not, unless somebody gives a device a larger unit.
const FRAME_BYTES: usize = 1 << 16;

/// An end of the cable.
pub trait Port: Send + Sync {
    /// The next frame; nothing if none comes for a moment. An error is the end.
    fn receive(&self, room: &mut [u8]) -> io::Result<Option<usize>>;

    /// Lets a frame out. One that is not accepted is lost.
    fn send(&self, frame: &[u8]) -> io::Result<()>;
}

/// What all threads of a cable know.
#[derive(Default)]
struct Shared {
    delay_ns: AtomicU64,
    over: AtomicBool,
    carried: AtomicU64,
    lost: AtomicU64,
    late_ns: AtomicU64,
}

/// What a cable has done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Carried {
    /// Frames that have arrived.
    pub frames: u64,
    /// Frames that did not fit or were not accepted.
    pub lost: u64,
    /// How much later than due frames arrived, on average.
    pub late: Duration,
}

/// The cable; it is cut when this is dropped.
pub struct Relay {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// A frame and when it is due.
type Due = (Instant, Vec<u8>);

impl Relay {
    /// Joins two ports, without delay at first.
    pub fn new(ports: [Arc<dyn Port>; 2]) -> Relay {
        let shared = Arc::new(Shared::default());
        let mut threads = Vec::new();
        let [first, second] = ports;
        for (from, to) in [(Arc::clone(&first), Arc::clone(&second)), (second, first)] {
            let (queue, dues) = sync_channel(MOST_FRAMES);
            let reading = Arc::clone(&shared);
            threads.push(thread::spawn(move || read(&*from, &queue, &reading)));
            let writing = Arc::clone(&shared);
            threads.push(thread::spawn(move || write(&*to, &dues, &writing)));
        }
        Relay { shared, threads }
    }

    /// How long each frame is on its way that is sent from now on.
    pub fn set_delay(&self, delay: Duration) {
        self.shared.delay_ns.store(delay.as_nanos() as u64, Relaxed);
    }

    /// What it has done since this was last asked.
    pub fn take_carried(&self) -> Carried {
        let take = |count: &AtomicU64| count.swap(0, Relaxed);
        let (frames, late) = (take(&self.shared.carried), take(&self.shared.late_ns));
        let late = Duration::from_nanos(late / frames.max(1));
        Carried { frames, lost: take(&self.shared.lost), late }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.shared.over.store(true, Relaxed);
        for thread in self.threads.drain(..) {
            // It can only have ended early.
            let _ = thread.join();
        }
    }
}

fn read(port: &dyn Port, queue: &SyncSender<Due>, shared: &Shared) {
    system::be_punctual();
    let mut room = vec![0; FRAME_BYTES];
    while !shared.over.load(Relaxed) {
        match port.receive(&mut room) {
            Ok(Some(bytes)) => {
                let due = Instant::now() + Duration::from_nanos(shared.delay_ns.load(Relaxed));
                if queue.try_send((due, room[..bytes].to_vec())).is_err() {
                    shared.lost.fetch_add(1, Relaxed);
                }
            }
            Ok(None) => (),
            // The device is gone.
            Err(_) => return,
        }
    }
}

/// Ends when the reader has, as there are no dues any more then.
fn write(port: &dyn Port, dues: &Receiver<Due>, shared: &Shared) {
    system::be_punctual();
    for (due, frame) in dues {
        let mut now = Instant::now();
        while now < due {
            thread::sleep(due - now);
            now = Instant::now();
        }
        match port.send(&frame) {
            Ok(()) => {
                shared.late_ns.fetch_add((now - due).as_nanos() as u64, Relaxed);
                shared.carried.fetch_add(1, Relaxed);
            }
            Err(_) => _ = shared.lost.fetch_add(1, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

    /// A port whose host is the test.
    struct Queue {
        sent: Mutex<Receiver<Vec<u8>>>,
        arrived: Mutex<Sender<Vec<u8>>>,
    }

    impl Port for Queue {
        fn receive(&self, room: &mut [u8]) -> io::Result<Option<usize>> {
            match self.sent.lock().unwrap().recv_timeout(Duration::from_millis(5)) {
                Ok(frame) => {
                    room[..frame.len()].copy_from_slice(&frame);
                    Ok(Some(frame.len()))
                }
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }

        fn send(&self, frame: &[u8]) -> io::Result<()> {
            let sent = self.arrived.lock().unwrap().send(frame.to_vec());
            sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    fn port() -> (Arc<Queue>, Sender<Vec<u8>>, Receiver<Vec<u8>>) {
        let ((sender, sent), (arrived, arrivals)) = (channel(), channel());
        let queue = Queue { sent: Mutex::new(sent), arrived: Mutex::new(arrived) };
        (Arc::new(queue), sender, arrivals)
    }

    #[test]
    fn frames_arrive_in_order_and_not_before_they_are_due() {
        let ((one, send, answers), (two, back, arrivals)) = (port(), port());
        let relay = Relay::new([one, two]);
        let delay = Duration::from_millis(20);
        relay.set_delay(delay);
        let begun = Instant::now();
        for number in 0..200_u8 {
            send.send(vec![number; 60]).unwrap();
        }
        let first = arrivals.recv().unwrap();
        assert!(begun.elapsed() >= delay);
        assert_eq!(first, [0; 60]);
        let rest: Vec<u8> = (1..200).map(|_| arrivals.recv().unwrap()[0]).collect();
        assert_eq!(rest, (1..200).collect::<Vec<u8>>());
        back.send(b"answer".to_vec()).unwrap();
        assert_eq!(answers.recv().unwrap(), b"answer");
        assert!(begun.elapsed() >= 2 * delay);
        // A frame is counted a moment after it has arrived.
        let mut carried = relay.take_carried();
        while carried.frames < 201 {
            carried.frames += relay.take_carried().frames;
        }
        assert_eq!((carried.frames, carried.lost), (201, 0));
        assert_eq!(relay.take_carried(), Carried::default());
    }

    #[test]
    fn frames_on_the_way_are_not_overtaken_when_the_way_gets_shorter() {
        let ((one, send, _answers), (two, _back, arrivals)) = (port(), port());
        let relay = Relay::new([one, two]);
        relay.set_delay(Duration::from_millis(30));
        send.send(vec![1]).unwrap();
        thread::sleep(Duration::from_millis(10));
        relay.set_delay(Duration::ZERO);
        send.send(vec![2]).unwrap();
        assert_eq!([arrivals.recv().unwrap(), arrivals.recv().unwrap()], [vec![1], vec![2]]);
    }

    #[test]
    fn a_cable_that_is_cut_ends_its_threads() {
        let ((one, _send, _answers), (two, _back, _arrivals)) = (port(), port());
        drop(Relay::new([one, two]));
        // So does a device that is gone.
        let ((one, send, _answers), (two, back, _arrivals)) = (port(), port());
        let relay = Relay::new([one, two]);
        drop((send, back));
        drop(relay);
    }

    #[test]
    fn what_is_not_accepted_is_counted_as_lost() {
        let ((one, send, _answers), (two, _back, arrivals)) = (port(), port());
        drop(arrivals);
        let relay = Relay::new([one, two]);
        send.send(vec![1]).unwrap();
        let lost = std::iter::repeat_with(|| relay.take_carried()).find(|carried| carried.lost > 0);
        assert_eq!(lost.map(|carried| carried.frames), Some(0));
    }
}
