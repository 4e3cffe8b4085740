//! Maps each function of OpenCL.std to the function of this folder that translates it: its table of contents.

use sycl_pi_image::spirv::CLOp;

use super::integer::{Narrowing, Signedness};
use super::memory::VectorStride;
use crate::code::body::Body;
use crate::error::Result;

impl Body<'_, '_> {
    /// Translates a function of OpenCL.std. Names in quotation marks are libdevice's without `__nv_`, or LLVM's: to
    /// find the caller of `__nv_sinpi`, search for `"sinpi"`.
    pub(super) fn opencl(&mut self, function: CLOp, operands: &[u32]) -> Result<()> {
        match function {
            // library.rs: one function of libdevice
            CLOp::acos => self.libdevice("acos", operands),
            CLOp::acosh => self.libdevice("acosh", operands),
            CLOp::asin => self.libdevice("asin", operands),
            CLOp::asinh => self.libdevice("asinh", operands),
            CLOp::atan => self.libdevice("atan", operands),
            CLOp::atan2 => self.libdevice("atan2", operands),
            CLOp::atanh => self.libdevice("atanh", operands),
            CLOp::cbrt => self.libdevice("cbrt", operands),
            CLOp::cosh => self.libdevice("cosh", operands),
            CLOp::cospi => self.libdevice("cospi", operands),
            CLOp::erf => self.libdevice("erf", operands),
            CLOp::erfc => self.libdevice("erfc", operands),
            CLOp::exp2 | CLOp::half_exp2 => self.libdevice("exp2", operands),
            CLOp::expm1 => self.libdevice("expm1", operands),
            CLOp::fabs => self.libdevice("fabs", operands),
            CLOp::fdim => self.libdevice("fdim", operands),
            CLOp::fmod => self.libdevice("fmod", operands),
            CLOp::half_cos => self.libdevice("cos", operands),
            CLOp::half_exp => self.libdevice("exp", operands),
            CLOp::half_exp10 => self.libdevice("exp10", operands),
            CLOp::half_log => self.libdevice("log", operands),
            CLOp::half_log10 => self.libdevice("log10", operands),
            CLOp::half_log2 => self.libdevice("log2", operands),
            CLOp::half_sin => self.libdevice("sin", operands),
            CLOp::half_tan => self.libdevice("tan", operands),
            CLOp::hypot => self.libdevice("hypot", operands),
            CLOp::lgamma => self.libdevice("lgamma", operands),
            CLOp::log1p => self.libdevice("log1p", operands),
            CLOp::logb => self.libdevice("logb", operands),
            CLOp::remainder => self.libdevice("remainder", operands),
            CLOp::rint => self.libdevice("rint", operands),
            CLOp::round => self.libdevice("round", operands),
            CLOp::rsqrt | CLOp::half_rsqrt | CLOp::native_rsqrt => self.libdevice("rsqrt", operands),
            CLOp::sinh => self.libdevice("sinh", operands),
            CLOp::sinpi => self.libdevice("sinpi", operands),
            CLOp::tanh => self.libdevice("tanh", operands),
            CLOp::tgamma => self.libdevice("tgamma", operands),
            CLOp::trunc => self.libdevice("trunc", operands),

            // library.rs: an exact function of libdevice, or the fast one with `-cl-fast-relaxed-math`
            CLOp::cos => self.relaxed("cos", "fast_cos", operands),
            CLOp::exp => self.relaxed("exp", "fast_exp", operands),
            CLOp::exp10 => self.relaxed("exp10", "fast_exp10", operands),
            CLOp::log => self.relaxed("log", "fast_log", operands),
            CLOp::log2 => self.relaxed("log2", "fast_log2", operands),
            CLOp::log10 => self.relaxed("log10", "fast_log10", operands),
            CLOp::pow => self.relaxed("pow", "fast_pow", operands),
            CLOp::sin => self.relaxed("sin", "fast_sin", operands),
            CLOp::tan => self.relaxed("tan", "fast_tan", operands),

            // library.rs: GPU instructions for `float`, and the exact function for other types
            CLOp::native_cos => self.native("cos", "fast_cos", operands),
            CLOp::native_exp => self.native("exp", "fast_exp", operands),
            CLOp::native_exp2 => self.native("exp2", "exp2", operands),
            CLOp::native_exp10 => self.native("exp10", "fast_exp10", operands),
            CLOp::native_log => self.native("log", "fast_log", operands),
            CLOp::native_log2 => self.native("log2", "fast_log2", operands),
            CLOp::native_log10 => self.native("log10", "fast_log10", operands),
            CLOp::native_sin => self.native("sin", "fast_sin", operands),
            CLOp::native_tan => self.native("tan", "fast_tan", operands),

            // library.rs: intrinsics of LLVM
            CLOp::ceil => self.llvm("ceil", operands),
            CLOp::floor => self.llvm("floor", operands),
            CLOp::fma | CLOp::mad => self.llvm("fma", operands),
            CLOp::fmax | CLOp::fmax_common => self.llvm("maxnum", operands),
            CLOp::fmin | CLOp::fmin_common => self.llvm("minnum", operands),
            CLOp::sqrt | CLOp::half_sqrt | CLOp::native_sqrt => self.llvm("sqrt", operands),

            // float.rs
            CLOp::acospi => self.in_half_turns("acos", operands),
            CLOp::asinpi => self.in_half_turns("asin", operands),
            CLOp::atanpi => self.in_half_turns("atan", operands),
            CLOp::atan2pi => self.in_half_turns("atan2", operands),
            CLOp::tanpi => self.tangent_of_half_turns(operands),
            CLOp::copysign => self.copy_sign(operands),
            CLOp::ilogb => self.exponent(operands),
            CLOp::ldexp => self.scale_by_power_of_two(operands),
            CLOp::maxmag => self.by_magnitude("maxnum", "ogt", operands),
            CLOp::minmag => self.by_magnitude("minnum", "olt", operands),
            CLOp::nan => self.not_a_number(operands),
            CLOp::nextafter => self.next_after(operands),
            CLOp::pown => self.integer_power(operands),
            CLOp::powr | CLOp::half_powr | CLOp::native_powr => self.positive_power(operands),
            CLOp::rootn => self.root(operands),
            CLOp::half_divide | CLOp::native_divide => self.divide(operands),
            CLOp::half_recip | CLOp::native_recip => self.reciprocal(operands),

            // two_results.rs
            CLOp::fract => self.two_results(operands, Self::fraction),
            CLOp::frexp => self.two_results(operands, Self::fraction_and_exponent),
            CLOp::lgamma_r => self.two_results(operands, Self::log_gamma_and_sign),
            CLOp::modf => self.two_results(operands, Self::fraction_and_whole),
            CLOp::remquo => self.two_results(operands, Self::remainder_and_quotient),
            CLOp::sincos => self.two_results(operands, Self::sine_and_cosine),

            // common.rs
            CLOp::fclamp => self.each_float(operands, Self::clamp),
            CLOp::degrees => self.scaled(180.0 / std::f64::consts::PI, operands),
            CLOp::radians => self.scaled(std::f64::consts::PI / 180.0, operands),
            CLOp::mix => self.each_float(operands, Self::mix),
            CLOp::step => self.each_float(operands, Self::step),
            CLOp::smoothstep => self.each_float(operands, Self::smoothstep),
            CLOp::sign => self.each_float(operands, Self::sign),
            CLOp::bitselect => self.bitselect(operands),
            CLOp::select => self.opencl_select(operands),

            // geometry.rs
            CLOp::cross => self.cross(operands),
            CLOp::distance => self.distance(Self::exact_length, operands),
            CLOp::fast_distance => self.distance(Self::fast_length, operands),
            CLOp::length => self.length(Self::exact_length, operands),
            CLOp::fast_length => self.length(Self::fast_length, operands),
            CLOp::normalize => self.normalize(operands),
            CLOp::fast_normalize => self.fast_normalize(operands),

            // integer.rs
            CLOp::s_abs => self.each_integer(operands, Self::absolute),
            CLOp::u_abs => self.each_integer(operands, Self::unchanged),
            CLOp::s_abs_diff => self.absolute_difference("sgt", operands),
            CLOp::u_abs_diff => self.absolute_difference("ugt", operands),
            CLOp::s_add_sat => self.widened("add", Signedness::Signed, Narrowing::Saturate, operands),
            CLOp::u_add_sat => self.widened("add", Signedness::Unsigned, Narrowing::Saturate, operands),
            CLOp::s_sub_sat => self.widened("sub", Signedness::Signed, Narrowing::Saturate, operands),
            CLOp::u_sub_sat => self.widened("sub", Signedness::Unsigned, Narrowing::AtLeastZero, operands),
            CLOp::s_hadd => self.widened("add", Signedness::Signed, Narrowing::Half, operands),
            CLOp::u_hadd => self.widened("add", Signedness::Unsigned, Narrowing::Half, operands),
            CLOp::s_rhadd => self.widened("add", Signedness::Signed, Narrowing::RoundedHalf, operands),
            CLOp::u_rhadd => self.widened("add", Signedness::Unsigned, Narrowing::RoundedHalf, operands),
            CLOp::s_mul_hi => self.widened("mul", Signedness::Signed, Narrowing::High, operands),
            CLOp::u_mul_hi => self.widened("mul", Signedness::Unsigned, Narrowing::High, operands),
            CLOp::s_mad_hi => self.multiply_high_and_add(Signedness::Signed, operands),
            CLOp::u_mad_hi => self.multiply_high_and_add(Signedness::Unsigned, operands),
            CLOp::s_mad_sat => self.multiply_and_add_saturated(Signedness::Signed, operands),
            CLOp::u_mad_sat => self.multiply_and_add_saturated(Signedness::Unsigned, operands),
            CLOp::s_max => self.choice("sgt", operands),
            CLOp::u_max => self.choice("ugt", operands),
            CLOp::s_min => self.choice("slt", operands),
            CLOp::u_min => self.choice("ult", operands),
            CLOp::s_clamp => self.integer_clamp("sgt", "slt", operands),
            CLOp::u_clamp => self.integer_clamp("ugt", "ult", operands),
            CLOp::clz => self.count_zeros("ctlz", operands),
            CLOp::ctz => self.count_zeros("cttz", operands),
            CLOp::popcount => self.each_integer(operands, Self::population_count),
            CLOp::rotate => self.each_integer(operands, Self::rotate),
            CLOp::u_upsample | CLOp::s_upsample => self.each_integer(operands, Self::upsample),
            CLOp::s_mad24 | CLOp::u_mad24 => self.each_integer(operands, Self::multiply_and_add),
            CLOp::s_mul24 | CLOp::u_mul24 => self.each_integer(operands, Self::multiply),

            // memory.rs
            CLOp::vloadn | CLOp::vload_half | CLOp::vload_halfn => {
                self.load_scalars(VectorStride::Packed, operands)
            }
            CLOp::vloada_halfn => self.load_scalars(VectorStride::Aligned, operands),
            CLOp::vstoren | CLOp::vstore_half | CLOp::vstore_halfn => {
                self.store_scalars(VectorStride::Packed, operands)
            }
            CLOp::vstore_half_r | CLOp::vstore_halfn_r => {
                self.store_scalars_rounded(VectorStride::Packed, operands)
            }
            CLOp::vstorea_halfn => self.store_scalars(VectorStride::Aligned, operands),
            CLOp::vstorea_halfn_r => self.store_scalars_rounded(VectorStride::Aligned, operands),
            CLOp::shuffle | CLOp::shuffle2 => self.shuffle_by_mask(operands),
            CLOp::prefetch => Ok(()),

            // printf.rs
            CLOp::printf => self.printf(operands),
        }
    }
}
