//! What a library owes the process that loaded it.
//!
//! The process is the program's. It may fork while other threads are at work ([`PerProcess`]), close descriptors that it did not open
//! ([`OwnFile`]), handle signals ([`spawn`]), and have more rights than the user who started it ([`trusted_variable`]).

mod file;
mod fork;
mod thread;
mod variable;

pub use file::OwnFile;
pub use fork::{Current, PerProcess};
pub use thread::spawn;
pub use variable::{is_privileged, trusted_variable};
