//! Instructions that are one function: of libdevice or of LLVM.

use crate::code::body::Body;
use crate::error::Step;
use crate::types::Kind;

/// Functions of libdevice without `__nv_`, as OpenCL defines them.
const LIBRARY: &[(u32, &str)] = &[
    (0, "acos"),
    (1, "acosh"),
    (3, "asin"),
    (4, "asinh"),
    (6, "atan"),
    (7, "atan2"),
    (8, "atanh"),
    (11, "cbrt"),
    (14, "cos"),
    (15, "cosh"),
    (16, "cospi"),
    (17, "erfc"),
    (18, "erf"),
    (19, "exp"),
    (20, "exp2"),
    (21, "exp10"),
    (22, "expm1"),
    (23, "fabs"),
    (24, "fdim"),
    (29, "fmod"),
    (32, "hypot"),
    (35, "lgamma"),
    (37, "log"),
    (38, "log2"),
    (39, "log10"),
    (40, "log1p"),
    (41, "logb"),
    (48, "pow"),
    (51, "remainder"),
    (53, "rint"),
    (55, "round"),
    (56, "rsqrt"),
    (57, "sin"),
    (59, "sinh"),
    (60, "sinpi"),
    (62, "tan"),
    (63, "tanh"),
    (65, "tgamma"),
    (66, "trunc"),
    (67, "cos"),
    (69, "exp"),
    (70, "exp2"),
    (71, "exp10"),
    (72, "log"),
    (73, "log2"),
    (74, "log10"),
    (77, "rsqrt"),
    (78, "sin"),
    (80, "tan"),
];

/// The same with instructions of the GPU, for `float`; of other types the full function.
const NATIVE: &[(u32, (&str, &str))] = &[
    (81, ("fast_cos", "cos")),
    (83, ("fast_exp", "exp")),
    (84, ("exp2", "exp2")),
    (85, ("fast_exp10", "exp10")),
    (86, ("fast_log", "log")),
    (87, ("fast_log2", "log2")),
    (88, ("fast_log10", "log10")),
    (91, ("rsqrt", "rsqrt")),
    (92, ("fast_sin", "sin")),
    (94, ("fast_tan", "tan")),
];

/// The fast functions that stand for exact ones when fast mathematics is asked for.
const RELAXED: &[(u32, &str)] = &[
    (14, "fast_cos"),
    (19, "fast_exp"),
    (21, "fast_exp10"),
    (37, "fast_log"),
    (38, "fast_log2"),
    (39, "fast_log10"),
    (48, "fast_pow"),
    (57, "fast_sin"),
    (62, "fast_tan"),
];

/// LLVM's intrinsics that become instructions. libnvvm's verifier refuses `fabs`, `copysign`, `rint` and `trunc`.
const INTRINSICS: &[(u32, &str)] = &[
    (12, "ceil"),
    (25, "floor"),
    (26, "fma"),
    (27, "maxnum"),
    (28, "minnum"),
    (42, "fma"),
    (61, "sqrt"),
    (79, "sqrt"),
    (93, "sqrt"),
    (97, "maxnum"),
    (98, "minnum"),
];

fn find<T: Copy>(table: &[(u32, T)], number: u32) -> Option<T> {
    table.iter().find(|(row, _)| *row == number).map(|(_, found)| *found)
}

impl Body<'_, '_> {
    /// Instructions of the tables. Answers whether the instruction is one.
    pub(super) fn opencl_table(&mut self, number: u32, operands: &[u32]) -> Step<bool> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let is_float = *self.kind(ty)? == Kind::Float(32);
        let relaxed = self.program.options.fast_relaxed_math && is_float;
        let fast = if relaxed { find(RELAXED, number) } else { None };
        let native = find(NATIVE, number).map(|(fast, full)| if is_float { fast } else { full });
        if let Some(name) = fast.or(native).or(find(LIBRARY, number)) {
            self.lanes(operands, |body, values| body.library(name, ty, values))?;
            return Ok(true);
        }
        if let Some(name) = find(INTRINSICS, number) {
            self.lanes(operands, |body, values| body.intrinsic(name, ty, values))?;
            return Ok(true);
        }
        Ok(false)
    }

    /// An intrinsic of LLVM on scalars of a floating-point type; those that `half` lacks are computed as `float`.
    pub(crate) fn intrinsic(&mut self, name: &str, ty: u32, operands: &[String]) -> Step<String> {
        let half = match *self.kind(ty)? {
            Kind::Float(bits) => bits == 16 && name != "fma",
            _ => return Err("a floating-point number is expected".into()),
        };
        let (text, suffix) = match (half, self.kind(ty)?) {
            (false, Kind::Float(16)) => ("half", "f16"),
            (false, Kind::Float(64)) => ("double", "f64"),
            _ => ("float", "f32"),
        };
        let function = format!("llvm.{name}.{suffix}");
        self.helpers.declare(text, &function, &vec![text; operands.len()].join(", "), "nounwind readnone");
        Ok(self.call_scalars(text, &function, half, operands))
    }
}
