//! Functions that map to a single function of libdevice or LLVM.

use crate::code::bfloat16::Conversion;
use crate::code::body::Body;
use crate::error::Result;
use crate::types::TypeKind;

impl Body<'_, '_> {
    /// Calls a function of libdevice.
    pub(super) fn libdevice(&mut self, name: &str, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.call_libdevice(name, ty, values))
    }

    /// Calls a function of libdevice on scalars of a floating-point type, which is also the result's; `half` and
    /// `bfloat16` are computed as `float`.
    pub(crate) fn call_libdevice(&mut self, name: &str, ty: u32, operands: &[String]) -> Result<String> {
        if *self.kind(ty)? == TypeKind::Bfloat16 {
            let parameters = vec!["float"; operands.len()].join(", ");
            let function = self.helpers.declare_libdevice("float", &format!("{name}f"), &parameters);
            let result = self.with_widened(operands, |body, wide| {
                Ok(body.call_scalars("float", &function, false, wide))
            })?;
            return Ok(self.converted(Conversion::ToBfloat16, &result));
        }
        let (text, suffix, half) = match *self.kind(ty)? {
            TypeKind::Float(16) => ("float", "f", true),
            TypeKind::Float(32) => ("float", "f", false),
            TypeKind::Float(64) => ("double", "", false),
            _ => return Err("a floating-point number is expected".into()),
        };
        let parameters = vec![text; operands.len()].join(", ");
        let function = self.helpers.declare_libdevice(text, &format!("{name}{suffix}"), &parameters);
        Ok(self.call_scalars(text, &function, half, operands))
    }

    /// Calls a function of libdevice, or its fast variant for `float` if fast math is enabled.
    pub(super) fn relaxed(&mut self, exact: &str, fast: &str, operands: &[u32]) -> Result<()> {
        let is_fast = self.program.options.fast_relaxed_math && self.computes_float()?;
        self.libdevice(if is_fast { fast } else { exact }, operands)
    }

    /// Calls a function of libdevice, or its fast variant for `float`.
    pub(super) fn native(&mut self, exact: &str, fast: &str, operands: &[u32]) -> Result<()> {
        let name = if self.computes_float()? { fast } else { exact };
        self.libdevice(name, operands)
    }

    /// Calls an intrinsic of LLVM that becomes instructions. libnvvm's verifier rejects `fabs`, `copysign`, `rint` and
    /// `trunc`.
    pub(super) fn llvm(&mut self, name: &str, operands: &[u32]) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(operands, |body, values| body.intrinsic(name, ty, values))
    }

    fn computes_float(&self) -> Result<bool> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        Ok(*self.kind(ty)? == TypeKind::Float(32))
    }

    /// Calls an intrinsic of LLVM on scalars of a floating-point type. Those that `half` lacks are computed as `float`.
    pub(crate) fn intrinsic(&mut self, name: &str, ty: u32, operands: &[String]) -> Result<String> {
        let half = match *self.kind(ty)? {
            // A fused product and sum may not be rounded twice.
            TypeKind::Bfloat16 if name != "fma" => {
                let function = format!("llvm.{name}.f32");
                self.helpers.declare(
                    "float",
                    &function,
                    &vec!["float"; operands.len()].join(", "),
                    "nounwind readnone",
                );
                let result = self.with_widened(operands, |body, wide| {
                    Ok(body.call_scalars("float", &function, false, wide))
                })?;
                return Ok(self.converted(Conversion::ToBfloat16, &result));
            }
            TypeKind::Float(bits) => bits == 16 && name != "fma",
            _ => return Err("a floating-point number is expected".into()),
        };
        let (text, suffix) = match (half, self.kind(ty)?) {
            (false, TypeKind::Float(16)) => ("half", "f16"),
            (false, TypeKind::Float(64)) => ("double", "f64"),
            _ => ("float", "f32"),
        };
        let function = format!("llvm.{name}.{suffix}");
        self.helpers.declare(text, &function, &vec![text; operands.len()].join(", "), "nounwind readnone");
        Ok(self.call_scalars(text, &function, half, operands))
    }
}
