//! Locations of NVIDIA's libraries that have no fixed place: Python packages of the process's environment, and CUDA
//! toolkits.
//!
//! Nothing is opened here. Code of other users, empty parts of search paths and, in a set-user-ID process, variables
//! are ignored.

mod library;
mod places;

pub use library::{CUBLAS, CUFFT, CUSOLVER, CUSPARSE, Library, VARIABLE};
pub use places::{packages_of, site_packages, toolkits};
