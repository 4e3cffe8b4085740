//! Facts about a compiled program that its code does not contain.

use serde::{Deserialize, Serialize};
use sycl_pi_nvvm::{Argument, Kernel, Translation};

/// The kernels and variables of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProgramFacts {
    pub(crate) kernels: Vec<KernelFacts>,
    /// Name or unique id, and symbol, of each variable.
    pub(crate) variables: Vec<(String, String)>,
    /// Whether there are variables, named or not, that kernels use and that they or the host may write.
    #[serde(default)]
    pub(crate) has_variables: bool,
}

/// The facts of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KernelFacts {
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Whether three 64-bit parameters for the global offset follow.
    pub(crate) takes_offset: bool,
    /// The required work-group size.
    pub(crate) required: Option<[usize; 3]>,
    /// The maximum number of work-items in a work-group.
    pub(crate) largest: Option<usize>,
    /// The maximum number of work-items in its sub-groups.
    pub(crate) sub_group: u32,
    /// The sub-group size that it requests.
    pub(crate) required_sub_group: Option<u32>,
    /// The reason why it cannot run on the device, if it cannot.
    pub(crate) refused: Option<String>,
}

/// The kind of a kernel parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Parameter {
    /// A value with the given size in bytes.
    Value(usize),
    /// An address.
    Pointer,
    /// An offset in the work-group's block of local memory, with the given alignment in bytes.
    Local(usize),
}

impl ProgramFacts {
    /// Extracts the facts from a translation. An error names an argument of an unknown kind.
    pub(crate) fn new(translation: &Translation) -> Result<Self, String> {
        let kernels = translation.kernels.iter().map(KernelFacts::new).collect::<Result<_, _>>()?;
        let variables = translation.globals.iter().map(|global| (global.name.clone(), global.symbol.clone()));
        let has_variables = uses_variables(&translation.ir);
        Ok(Self { kernels, variables: variables.collect(), has_variables })
    }

    /// Returns whether each kernel may have its own module: kernels must share no variables, and the host must not
    /// refer to any.
    pub(super) fn are_apart(&self) -> bool {
        !self.has_variables && self.variables.is_empty()
    }

    /// Returns the reason why none of its kernels can run, if it has kernels.
    pub(crate) fn why_no_kernel(&self) -> Option<&str> {
        let first = self.kernels.first()?.refused.as_deref()?;
        self.kernels.iter().all(|kernel| kernel.refused.is_some()).then_some(first)
    }
}

/// Returns whether NVVM IR uses a non-constant variable in global memory, which means that its name occurs outside of
/// its definition.
fn uses_variables(ir: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || "_$.".contains(next));
    ir.lines()
        .filter_map(variable)
        .any(|name| ir.match_indices(name).filter(|(at, _)| ends(&ir[at + name.len()..])).nth(1).is_some())
}

/// Returns the name of a non-constant variable in global memory, including its `@`, if a line of NVVM IR defines one.
fn variable(line: &str) -> Option<&str> {
    let (name, definition) = line.split_once(" = ").filter(|(name, _)| name.starts_with('@'))?;
    let mut words =
        definition.split(' ').skip_while(|word| ["internal", "externally_initialized"].contains(word));
    let is_global = words.next() == Some("addrspace(1)")
        && words.find(|word| *word != "externally_initialized") == Some("global");
    is_global.then_some(name)
}

impl KernelFacts {
    fn new(kernel: &Kernel) -> Result<Self, String> {
        let parameters = kernel.arguments.iter().enumerate().map(|(index, argument)| match *argument {
            Argument::Value { size, .. } => Ok(Parameter::Value(size as usize)),
            Argument::Pointer => Ok(Parameter::Pointer),
            Argument::Local { align } => Ok(Parameter::Local(align as usize)),
            _ => Err(format!(
                "kernel {}: argument {index} is {argument:?}, which is not supported",
                kernel.name
            )),
        });
        Ok(Self {
            name: kernel.name.clone(),
            symbol: kernel.symbol.clone(),
            parameters: parameters.collect::<Result<_, _>>()?,
            takes_offset: kernel.global_offset,
            required: kernel.required_work_group_size.map(|sizes| sizes.map(|size| size as usize)),
            largest: kernel
                .max_work_group_size
                .map(|sizes| sizes.iter().map(|size| *size as usize).product()),
            sub_group: kernel.sub_group_size,
            required_sub_group: kernel.required_sub_group_size,
            refused: kernel.refused.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{uses_variables, variable};

    #[test]
    fn variables_are_told_from_constants_and_local_memory() {
        let counter = "@counter = addrspace(1) externally_initialized global i32 7, align 4";
        assert_eq!(variable(counter), Some("@counter"));
        let whole = "@g1 = internal addrspace(1) global { i32 } zeroinitializer, align 4";
        assert_eq!(variable(whole), Some("@g1"));
        for other in [
            "@table = internal addrspace(1) constant [2 x i8] c\" global\", align 1",
            "@room = internal addrspace(3) global [4 x i8] undef, align 4",
            "  store i32 0, i32 addrspace(1)* @g1",
        ] {
            assert_eq!(variable(other), None, "{other}");
        }
    }

    #[test]
    fn a_variable_counts_where_something_uses_it() {
        let definition = "@g1 = internal addrspace(1) global i32 7, align 4\n";
        assert!(!uses_variables(definition));
        assert!(!uses_variables(&format!("{definition}  store i32 0, i32 addrspace(1)* @g12\n")));
        assert!(uses_variables(&format!("{definition}  store i32 0, i32 addrspace(1)* @g1\n")));
        assert!(uses_variables(&format!(
            "{definition}@p = addrspace(1) global i32 addrspace(1)* @g1, align 8\n"
        )));
    }
}
