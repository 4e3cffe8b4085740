//! The loader's functions, looked up one by one and called as functions that return `Result`. If one is missing, only
//! its call fails.

use std::ffi::{c_char, c_uint, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::error::{AnsweredBy, ZeError};
use crate::types::*;

impl FromDriver<Ze> for ze_result_t {
    type Answer = Result<(), ZeError>;

    #[inline]
    fn answer(call: &'static str, result: ze_result_t) -> Self::Answer {
        if result == ZE_RESULT_SUCCESS {
            Ok(())
        } else {
            Err(ZeError { call, result, by: AnsweredBy::Driver })
        }
    }

    fn missing(call: &'static str) -> Self::Answer {
        Err(ZeError { call, result: ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, by: AnsweredBy::MissingFunction })
    }
}

macro_rules! table {
    ($($rows:tt)*) => {
        driver_functions! {
            /// The functions of the Level Zero loader. Handles must be live, and memory must have the sizes that the
            /// specification states.
            pub struct Ze { $($rows)* }
        }
    };
}

crate::for_each_function!(table);
