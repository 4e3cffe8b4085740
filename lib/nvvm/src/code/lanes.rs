//! Vector operations, one scalar at a time.

use crate::code::body::Body;
use crate::error::Result;

impl Body<'_, '_> {
    /// Computes each scalar of the result from those of the operands. Scalar operands are the same for all.
    pub(crate) fn lanes(
        &mut self,
        operands: &[u32],
        mut each: impl FnMut(&mut Self, &[String]) -> Result<String>,
    ) -> Result<()> {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let whole = self.type_text(ty)?.to_owned();
        let element = self.type_text(element)?.to_owned();
        let Some(count) = count else {
            let values: Result<Vec<String>> = operands.iter().map(|&id| self.value(id)).collect();
            let value = each(self, &values?)?;
            return self.copy(ty, &value);
        };
        let mut all = String::from("undef");
        for lane in 0..count {
            let mut values = Vec::with_capacity(operands.len());
            for &id in operands {
                values.push(self.lane_of(id, lane)?);
            }
            let value = each(self, &values)?;
            if lane + 1 == count {
                self.set_result(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
            } else {
                all = self
                    .new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
            }
        }
        Ok(())
    }

    /// Returns one scalar of a value.
    pub(crate) fn lane_of(&mut self, id: u32, lane: u32) -> Result<String> {
        let ty = self.type_of(id)?;
        match self.program.types.scalar(ty)?.1 {
            None => self.value(id),
            Some(count) if lane < count => {
                let typed = self.typed(id)?;
                Ok(self.new_value(format_args!("extractelement {typed}, i32 {lane}")))
            }
            Some(_) => Err("the operands have different numbers of scalars".into()),
        }
    }

    /// Calls a function whose operands and result have one type, `text`. If `half` is set, the operands are halves that
    /// are widened, and the result is narrowed to a half again.
    pub(crate) fn call_scalars(
        &mut self,
        text: &str,
        function: &str,
        half: bool,
        operands: &[String],
    ) -> String {
        let mut values = Vec::with_capacity(operands.len());
        for value in operands {
            let value = if half {
                self.new_value(format_args!("fpext half {value} to float"))
            } else {
                value.clone()
            };
            values.push(format!("{text} {value}"));
        }
        let value = self.new_value(format_args!("call {text} @{function}({})", values.join(", ")));
        if half { self.new_value(format_args!("fptrunc float {value} to half")) } else { value }
    }
}
