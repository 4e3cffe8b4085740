//! Bindless images. Level Zero does not support them, so every method keeps its default.

use sycl_pi_backend::api::BindlessApi;

use crate::LevelZero;

impl BindlessApi for LevelZero {}
