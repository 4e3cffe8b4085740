//! Bindless images. OpenCL does not have them, so every method keeps its default, "not supported by the OpenCL
//! backend".

use sycl_pi_backend::api::BindlessApi;

use crate::OpenCl;

impl BindlessApi for OpenCl {}
