//! Where NVIDIA's libraries lie that have no fixed place: in Python packages of the process's environment, and in CUDA toolkits.
//!
//! Nothing is opened here. Code of other users, empty parts of search paths and, in a set-user-ID process, variables lead nowhere.

mod library;
mod places;

pub use library::{CUBLAS, CUFFT, CUSOLVER, Library, VARIABLE};
pub use places::{packages_of, site_packages, toolkits};
