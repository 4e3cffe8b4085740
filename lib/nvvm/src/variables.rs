//! Variables outside functions.

use sycl_pi_image::spirv::{Decoration, LinkageType, StorageClass};

use crate::error::Result;
use crate::program::{Program, Variable};
use crate::signature::power_of_two;
use crate::translation::Global;

impl Program<'_> {
    /// Returns the definition of a variable, and its description for hosts if a host can name it.
    pub(crate) fn variable_definition(&self, variable: &Variable) -> Result<(String, Option<Global>)> {
        let (_, pointee) = self.types.pointer(variable.ty)?;
        let layout = self.types.layout(pointee)?;
        let inner = self.types.text(pointee)?;
        let ty = &variable.written;
        let align = self.index.decorations(variable.id, Decoration::Alignment).next();
        let align = layout.align.max(align.map_or(1, |note| power_of_two(note.operand(2).into())));
        let symbol = &variable.symbol;
        if variable.class == Some(StorageClass::Workgroup) {
            return Ok((
                format!("@{symbol} = internal addrspace(3) global {ty} undef, align {align}\n"),
                None,
            ));
        }
        if let Some((name, Some(LinkageType::Import))) = &variable.linkage {
            return Err(format!("variable {name} is imported, and no module defines it").into());
        }
        let value = match variable.initializer {
            Some(id) => {
                let constant = self.constants.required(id)?;
                if self.types.text(constant.ty)? != inner {
                    return Err("the initial value has another type than the variable".into());
                }
                let value = constant.written(&self.types)?;
                if variable.boxed { format!("{{ {inner} {value} }}") } else { value }
            }
            None => "zeroinitializer".to_owned(),
        };
        let is_constant = variable.class == Some(StorageClass::UniformConstant);
        let unique = self.index.decorations(variable.id, Decoration::HostAccessINTEL).next();
        let unique =
            unique.and_then(|note| note.text(3)).map(|(name, _)| name).filter(|name| !name.is_empty());
        let exported = variable.linkage.as_ref().map(|(name, _)| name.clone());
        let host = unique.or(exported).filter(|_| !is_constant);
        let is_constant =
            is_constant || self.index.decorations(variable.id, Decoration::Constant).next().is_some();
        let head = match (is_constant, &host) {
            (true, None) => "internal addrspace(1) constant",
            (_, Some(_)) => "addrspace(1) externally_initialized global",
            (false, None) => "internal addrspace(1) global",
        };
        let definition = format!("@{symbol} = {head} {ty} {value}, align {align}\n");
        Ok((definition, host.map(|name| Global { name, symbol: symbol.clone(), size: layout.size })))
    }
}
