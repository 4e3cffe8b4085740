//! Clocks.

use sycl_pi_image::spirv::Scope;

use crate::code::body::Body;
use crate::error::Result;
use crate::helpers::synchronize::scope_from;

impl Body<'_, '_> {
    /// Reads the device's clock in nanoseconds, or the clock of the work-group's or sub-group's multiprocessor in its
    /// cycles.
    pub(crate) fn read_clock(&mut self) -> Result<()> {
        let scope = self.number(self.operand(2)).ok_or("the scope is not a constant")?;
        let helper = match scope_from(scope) {
            Some(Scope::Device) => self.helpers.clock("globaltimer"),
            Some(Scope::Workgroup | Scope::Subgroup) => self.helpers.clock("clock64"),
            _ => return Err(format!("scope {scope} has no clock").into()),
        };
        let ticks = self.new_value(format_args!("call i64 @{helper}()"));
        let ty = self.type_text(self.result_type())?.to_owned();
        if !["i64", "<2 x i32>"].contains(&ty.as_str()) {
            return Err("a clock is 64 bits, or two words of 32".into());
        }
        self.set_result(format_args!("bitcast i64 {ticks} to {ty}"));
        Ok(())
    }
}
