//! Bindless images are not supported by Level Zero: every method keeps its default.

use sycl_pi_backend::api::BindlessApi;

use crate::LevelZero;

impl BindlessApi for LevelZero {}
