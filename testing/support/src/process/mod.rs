//! Child processes with a time limit.
//!
//! [`run`] starts a command, captures its output and waits for its end. [`Process`] is for callers that communicate
//! with the child while it runs. In both cases the child leads a new process group, and the whole group is killed after
//! the time limit. [`built`] builds what tests load and start.
//!
//! ```
//! use std::{process::Command, time::Duration};
//! use testing_support::process::{End, run};
//!
//! let finished = run(Command::new("sh").args(["-c", "echo hello; exit 3"]), Duration::from_secs(10))?;
//! assert_eq!((finished.end, finished.stdout_text()), (End::Code(3), "hello\n".into()));
//! assert_eq!(finished.end.to_string(), "ended with code 3");
//! # std::io::Result::Ok(())
//! ```

mod built;
mod end;
mod group;
mod run;

pub use built::{built, profile_folder};
pub use end::End;
pub use group::Process;
pub use run::{Finished, run, run_while};
