//! What carries bytes between processes.

/// A connection to all other processes. Bytes between two of them arrive in the order in which they were
/// sent, or not at all. No method waits.
pub trait Fabric: Send {
    /// The number of this process.
    fn process(&self) -> u32;

    /// How many there are.
    fn processes(&self) -> u32;

    /// Puts bytes on their way; false if there is no room now.
    fn send(&mut self, to: u32, bytes: &[u8]) -> bool;

    /// Hands over what has come, with the process that sent it.
    fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8]));

    /// Whether all that was sent has left this process.
    fn is_clear(&mut self) -> bool;

    /// What it is, in words.
    fn name(&self) -> String;
}
