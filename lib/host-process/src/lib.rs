//! The obligations of a library to the process that loaded it.
//!
//! The process belongs to the program. It may fork while other threads are working ([`PerProcess`]). It may close
//! descriptors that it did not open ([`OwnFile`]), and handle signals ([`spawn`]). It may have more privileges than the
//! user who started it ([`trusted_variable`]). Its user may name files ([`read_file`]) and folders ([`folders`]) that
//! are not what they seem. Another user may have created a folder first that is meant to contain code
//! ([`open_own_folder`]). And an allocation that fails should be an error of the call ([`room()`]), not the end of the
//! process.

mod callers;
mod exit;
mod exiting_thread;
mod file;
mod fork;
mod fork_gate;
mod named_file;
mod own_folder;
mod room;
mod thread;
mod variable;

pub use exit::at_exit;
pub use file::OwnFile;
pub use fork::{Current, PerProcess};
pub use fork_gate::{
    Inside, Starts, closed_at_end, enter, generation, has_ended, inside, is_refused, outside, register,
};
pub use named_file::read_file;
pub use own_folder::{Untrusted, check_folders_above, open_own_folder};
pub use room::{OutOfMemory, copy_of, filled, list_of, reserve, room};
pub use thread::{spawn, spawn_scoped};
pub use variable::{folders, is_own_or_of_root, is_privileged, library_path, trusted_variable};
