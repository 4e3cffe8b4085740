//! Memory accesses that are skipped for null pointers.

use super::{Helpers, INLINE};

/// Addresses below this are reached only from a null pointer, because programs and drivers put nothing there.
const LOWEST_ADDRESS: u64 = 1 << 20;

impl Helpers {
    /// Defines a helper that performs `access`, unless its first operand is an address derived from a null pointer:
    /// then it performs `otherwise` and returns zero. Its operands have these types. Both instructions are built from
    /// the operands' spellings; the second may be empty.
    pub(crate) fn guard<const N: usize>(
        &mut self,
        result: &str,
        types: [&str; N],
        access: impl Fn([&str; N]) -> String,
        otherwise: impl Fn([&str; N]) -> String,
    ) -> String {
        let names: [String; N] = std::array::from_fn(|at| format!("%a{at}"));
        let names = names.each_ref().map(String::as_str);
        let parameters: [String; N] = std::array::from_fn(|at| format!("{} {}", types[at], names[at]));
        let (address, parameters) = (parameters.first().cloned().unwrap_or_default(), parameters.join(", "));
        let (access, otherwise) = (access(names), otherwise(names));
        let (access, end) = match result {
            "void" => (access, "ret void".to_owned()),
            _ => (
                format!("%found = {access}"),
                format!(
                    "%r = phi {result} [ zeroinitializer, %none ], [ %found, %there ]\n  ret {result} %r"
                ),
            ),
        };
        let body = format!(
            "({parameters}) {INLINE} {{\n  %address = ptrtoint {address} to i64\n  \
             %null = icmp ult i64 %address, {LOWEST_ADDRESS}\n  br i1 %null, label %none, label %there\n\
             none:\n  {otherwise}\n  br label %end\nthere:\n  {access}\n  br label %end\nend:\n  {end}\n}}\n"
        );
        let number = self.guards.len();
        let number = *self.guards.entry(format!("{result} {body}")).or_insert(number);
        let name = format!("__spirv_unless_null_{number}");
        self.define(&name, |_| format!("define internal {result} @{name}{body}"));
        name
    }
}
