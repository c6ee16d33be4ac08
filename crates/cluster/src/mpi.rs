//! Bytes over an MPI library: Open MPI or MPICH, the one that the program was built with.
//!
//! Messages leave from a slab of buffers that is never waited for: where all are in use, there is no room
//! now. What has come is asked for with matched probes, until nothing is there. All calls come through the
//! one door of a [`crate::Link`], one at a time, from whichever thread has it: the library is asked for
//! that (`MPI_THREAD_SERIALIZED`) and no more.

#![allow(unsafe_code)]

use crate::Fabric;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw, Communicator, Equivalence, Source};

/// Messages that may be on their way out at once.
const SLOTS: usize = 256;
/// The tag of all messages: the communicator is our own.
const TAG: std::ffi::c_int = 0;

/// Up to how many bytes a message between processes of one host leaves without waiting for its receiver:
/// enough for work with the history of moves, 16 KB. Open MPI's own limit is 4 KB; its part for one host is
/// called `vader` up to version 4, `sm` from 5 on. A limit that the user has set stays.
const EAGER_BYTES: &str = "24576";
/// See [`EAGER_BYTES`].
const EAGER_LIMITS: [&str; 2] = ["OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit"];

/// The library while it is in use. Dropped, it is shut down, which waits for all other processes; a
/// process that cannot wait ends the program instead.
pub struct Library {
    universe: Universe,
    threading: Threading,
}

impl Library {
    /// Starts it; or says why not.
    pub fn start() -> Result<Library, String> {
        for name in EAGER_LIMITS {
            if std::env::var_os(name).is_none() {
                // SAFETY: this is the start of the program: no other thread reads or writes variables.
                unsafe { std::env::set_var(name, EAGER_BYTES) };
            }
        }
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, threading) = started.ok_or("MPI was started twice")?;
        if threading < Threading::Serialized {
            return Err(format!("the MPI library offers only the thread level {threading:?}"));
        }
        Ok(Library { universe, threading })
    }

    /// The way to all processes.
    pub fn fabric(&self) -> MpiFabric {
        let communicator = self.universe.world().duplicate();
        // SAFETY: the communicator is alive. What goes wrong with a process that is lost must not end the
        // others; silence is noticed by the link.
        unsafe { ffi::MPI_Comm_set_errhandler(communicator.as_raw(), ffi::RSMPI_ERRORS_RETURN) };
        let slots = (0..SLOTS).map(|_| Slot { bytes: Vec::new(), request: None }).collect();
        let level = self.threading;
        MpiFabric { communicator, slots, next: 0, buffer: Vec::new(), level }
    }

    /// The number of this process.
    pub fn process(&self) -> u32 {
        self.universe.world().rank().unsigned_abs()
    }

    /// How many there are.
    pub fn processes(&self) -> u32 {
        self.universe.world().size().unsigned_abs()
    }
}

/// Probes in vain before it is believed that nothing has come: Open MPI moves bytes when a probe has found
/// nothing, so that what has just come is found by the next one.
const PROBES: u32 = 2;

/// A buffer, and the message that leaves from it.
struct Slot {
    bytes: Vec<u8>,
    request: Option<ffi::MPI_Request>,
}

impl Slot {
    /// Whether nothing leaves from here any more.
    fn is_free(&mut self) -> bool {
        let Some(request) = &mut self.request else { return true };
        let mut flag = 0;
        // SAFETY: the request is one of `MPI_Isend` that has not been completed, and the calls of the
        // library come one at a time.
        unsafe { ffi::MPI_Test(request, &mut flag, ffi::RSMPI_STATUS_IGNORE) };
        if flag != 0 {
            self.request = None;
        }
        flag != 0
    }
}

/// A connection with all processes of an MPI job.
pub struct MpiFabric {
    communicator: SimpleCommunicator,
    slots: Vec<Slot>,
    /// Where a free slot is looked for first.
    next: usize,
    buffer: Vec<u8>,
    level: Threading,
}

// SAFETY: the handles are names for things inside the library, which may be used by any thread as long as
// the calls come one at a time; the fabric has one owner, who uses it.
unsafe impl Send for MpiFabric {}

impl MpiFabric {
    fn free_slot(&mut self) -> Option<&mut Slot> {
        let count = self.slots.len();
        let order = (0..count).map(|offset| (self.next + offset) % count);
        // The oldest is the first to be free: where it is not, the others are hardly.
        let chosen = order.take(8).find(|&index| self.slots[index].is_free())?;
        self.next = (chosen + 1) % count;
        self.slots.get_mut(chosen)
    }
}

impl Fabric for MpiFabric {
    fn process(&self) -> u32 {
        self.communicator.rank().unsigned_abs()
    }

    fn processes(&self) -> u32 {
        self.communicator.size().unsigned_abs()
    }

    fn send(&mut self, to: u32, bytes: &[u8]) -> bool {
        let (Ok(to), Ok(count)) = (i32::try_from(to), i32::try_from(bytes.len())) else {
            return true;
        };
        let communicator = self.communicator.as_raw();
        let Some(slot) = self.free_slot() else { return false };
        slot.bytes.clear();
        slot.bytes.extend_from_slice(bytes);
        // SAFETY: a request is plain data, which the call writes.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: the buffer lies on the heap and is not touched until `MPI_Test` has said that it is free:
        // the slot keeps both. A fabric that is dropped earlier leaves the buffers behind.
        unsafe {
            ffi::MPI_Isend(
                slot.bytes.as_ptr().cast(),
                count,
                ffi::RSMPI_UINT8_T,
                to,
                TAG,
                communicator,
                &mut request,
            );
        }
        slot.request = Some(request);
        true
    }

    fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8])) {
        let mut vain = 0;
        while vain < PROBES {
            let probed = self.communicator.any_process().immediate_matched_probe();
            let Some((message, status)) = probed else {
                vain += 1;
                continue;
            };
            let count = status.count(u8::equivalent_datatype());
            self.buffer.resize(usize::try_from(count).unwrap_or(0), 0);
            message.matched_receive_into(&mut self.buffer[..]);
            take(status.source_rank().unsigned_abs(), &self.buffer);
        }
    }

    fn is_clear(&mut self) -> bool {
        self.slots.iter_mut().all(Slot::is_free)
    }

    fn name(&self) -> String {
        let library = mpi::environment::library_version().unwrap_or_default();
        let library = library.lines().next().unwrap_or_default();
        let library = library.split(',').next().unwrap_or_default().trim_end_matches('\0');
        format!("{}, thread level {:?}", library.trim(), self.level)
    }
}

impl Drop for MpiFabric {
    fn drop(&mut self) {
        for slot in &mut self.slots {
            if !slot.is_free() {
                // The library may still read it.
                std::mem::forget(std::mem::take(&mut slot.bytes));
            }
        }
    }
}
