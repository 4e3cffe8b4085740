//! Driver libraries that are opened at run time.
//!
//! [`driver_functions!`] declares a table of C functions, one per row. Every function is looked up separately, so if a
//! driver lacks one, only that call fails. [`DriverLibrary`] opens the library that contains the functions.
//!
//! ```
//! use std::ffi::c_int;
//! use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions};
//!
//! driver_functions! {
//!     /// Some functions of the C library.
//!     struct LibC {
//!         fn abs(number: c_int) -> c_int;
//!         fn no_such_function(number: c_int) -> c_int;
//!     }
//! }
//!
//! // The table determines what a call returns: here the number, or the name of the missing function.
//! impl FromDriver<LibC> for c_int {
//!     type Answer = Result<c_int, &'static str>;
//!
//!     fn answer(_function: &'static str, returned: c_int) -> Self::Answer {
//!         Ok(returned)
//!     }
//!
//!     fn missing(function: &'static str) -> Self::Answer {
//!         Err(function)
//!     }
//! }
//!
//! # fn main() -> Result<(), sycl_pi_dynload::OpenError> {
//! // SAFETY: the C library may be opened at any time.
//! let library = unsafe { DriverLibrary::open_first(["libc.so.6"])? };
//! // SAFETY: the library's functions have the types of the rows.
//! let libc = unsafe { LibC::resolve(|name| library.function(name)) };
//! assert_eq!(libc.abs(-2), Ok(2));
//! assert_eq!(libc.no_such_function(-2), Err("no_such_function"));
//! assert!(libc.has("abs") && !libc.has("no_such_function"));
//! # Ok(())
//! # }
//! ```

mod library;
mod loaded;
mod own_file;
mod table;

pub use library::{DriverLibrary, OpenError};
pub use loaded::{find_loaded, loaded_files};
pub use own_file::own_file;
pub use table::FromDriver;
#[doc(hidden)]
pub use table::find;
