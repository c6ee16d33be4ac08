//! What only the system's own calls give: network devices that a program serves, threads that are punctual,
//! and the wish of the user to end.

#![allow(unsafe_code)]

use super::relay::Port;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{ptr, thread};

/// Where such devices are made.
pub const TUN: &str = "/dev/net/tun";

/// The longest name of a network device, with the byte that ends it.
const NAME_BYTES: usize = 16;

/// How long a frame is waited for before the caller may look around, in milliseconds.
const MOMENT_MS: libc::c_int = 50;

/// A network device whose other end is this program: what is read was sent by its host, and what is written
/// arrives there. It is gone when this is dropped, or the program ends in whatever way.
pub struct Tap {
    file: File,
}

/// What the system wants to know of a device (`struct ifreq`): forty bytes, of which flags use the first two
/// after the name.
#[repr(C)]
struct Wish {
    name: [u8; NAME_BYTES],
    flags: libc::c_short,
    rest: [u8; 22],
}

const _: () = assert!(size_of::<Wish>() == size_of::<libc::ifreq>());

impl Tap {
    /// Makes a device of this name.
    pub fn new(name: &str) -> io::Result<Tap> {
        let mut wish = Wish { name: [0; NAME_BYTES], flags: 0, rest: [0; 22] };
        if name.len() >= NAME_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "its name is too long"));
        }
        wish.name[..name.len()].copy_from_slice(name.as_bytes());
        wish.flags = (libc::IFF_TAP | libc::IFF_NO_PI) as libc::c_short;
        let file = File::options()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(TUN)?;
        // SAFETY: the descriptor is open, and the request reads and writes one `ifreq`, which `Wish` is.
        let answer = unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF as _, &mut wish) };
        if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(Tap { file }) }
    }

    /// Waits for a moment until there is something to read.
    fn wait(&self) {
        let mut asked =
            libc::pollfd { fd: self.file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry is passed, and one is there. Whatever the answer is, reading tells more.
        unsafe { libc::poll(&mut asked, 1, MOMENT_MS) };
    }
}

impl Port for Tap {
    fn receive(&self, room: &mut [u8]) -> io::Result<Option<usize>> {
        for attempt in 0..2 {
            match (&self.file).read(room) {
                Ok(bytes) => return Ok(Some(bytes)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && attempt == 0 => {
                    self.wait();
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => (),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn send(&self, frame: &[u8]) -> io::Result<()> {
        (&self.file).write(frame).map(|_| ())
    }
}

/// Makes this thread punctual: it goes before all usual ones, as the hardware of a network would, and its
/// sleep is not prolonged to save energy. What the system refuses it does without.
pub fn be_punctual() {
    let priority = libc::sched_param { sched_priority: 1 };
    // SAFETY: both calls concern the calling thread alone; the first reads the priority, which lives.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &priority);
        libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong);
    }
}

/// From now on processes whose parents have ended before them, as those of mpirun do on other hosts, are
/// ours: what they have done is counted, and they are waited for.
pub fn adopt_orphans() {
    // SAFETY: the call takes a number and changes nothing but who becomes a parent.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1 as libc::c_ulong) };
}

/// Waits until no child of this process is left, adopted ones included, for so long at most. Nobody else may
/// wait for one meanwhile.
pub fn await_orphans(longest: Duration) {
    let begun = Instant::now();
    loop {
        // SAFETY: nothing is written where no place for the status is given.
        match unsafe { libc::waitpid(-1, ptr::null_mut(), libc::WNOHANG) } {
            0 if begun.elapsed() < longest => thread::sleep(Duration::from_millis(5)),
            // One has ended: there may be more.
            1.. => (),
            _ => return,
        }
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on a wish to end (Ctrl-C and its like) is noted, so that what was set up can be removed first.
pub fn note_interrupts() {
    extern "C" fn note(_signal: libc::c_int) {
        INTERRUPTED.store(true, Relaxed);
    }
    let note = note as extern "C" fn(libc::c_int);
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the function only stores into an atomic, which is allowed at any moment.
        unsafe { libc::signal(signal, note as libc::sighandler_t) };
    }
}

/// Whether somebody wants the program to end.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_a_name_that_the_system_can_hold() {
        let error = Tap::new("a-name-of-sixteen").err().map(|error| error.kind());
        assert_eq!(error, Some(io::ErrorKind::InvalidInput));
    }
}
