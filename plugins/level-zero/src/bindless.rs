//! Bindless images, which Level Zero does not support here: every method keeps its default.

use sycl_pi_backend::api::BindlessApi;

use crate::LevelZero;

impl BindlessApi for LevelZero {}
