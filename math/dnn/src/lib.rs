//! `libpi_dnn.so` implements the functions of oneDNN that may receive an engine on an NVIDIA GPU.
//!
//! `libdnnl.so.3`, the drop-in (`rim/`), lists this library before the vendor's file. So programs, and the vendor's own
//! code, find oneDNN's names here first. Each function determines from the first word of an object whether it is ours,
//! and forwards all others to the vendor's function unchanged. An engine of ours computes matrix products, and returns
//! "unimplemented" for everything else that oneDNN offers.
//!
//! All code that needs a SYCL object is in the drop-in, of which there is one for each major version of libsycl.
#![allow(clippy::too_many_arguments, non_snake_case, reason = "the functions are as oneDNN's are")]

mod attributes;
mod description;
mod engine;
mod forward;
mod graph;
mod layout;
mod matmul;
mod matmul_query;
mod memory;
mod object;
mod primitive;
mod query;
mod refused;
mod status;
mod stream;
mod vendor;
