//! `libpi_dnn.so` implements the functions of oneDNN that can meet an engine on an NVIDIA GPU.
//!
//! `libdnnl.so.3`, the drop-in (`rim/`), needs this library before the vendor's file, so that programs, and the vendor's
//! own code, find oneDNN's names here first. Each function decides by the first word of an object whose it is, and
//! passes all others on to the vendor's function unchanged. An engine of ours has matrix products. Everything else that
//! oneDNN offers is answered with "unimplemented" there.
//!
//! Whatever needs a SYCL object is in the drop-in, of which there is one for each major version of libsycl.
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
