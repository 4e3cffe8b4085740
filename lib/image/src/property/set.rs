//! The known property sets, in the order in which the compiler writes them.

/// A property set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SetKind {
    /// `SYCL/devicelib req mask`
    DeviceLib,
    /// `SYCL/device requirements`
    Requirements,
    /// `SYCL/specialization constants`
    SpecConstants,
    /// `SYCL/specialization constants default values`
    SpecDefaults,
    /// `SYCL/kernel param opt`
    ParamOpt,
    /// `SYCL/kernel names`
    KernelNames,
    /// `SYCL/exported symbols`
    Exports,
    /// `SYCL/imported symbols`
    Imports,
    /// `SYCL/program metadata`
    Metadata,
    /// `SYCL/misc properties`
    Misc,
    /// `SYCL/assert used`
    AssertUsed,
    /// `SYCL/device globals`
    DeviceGlobals,
    /// `SYCL/implicit local arg`
    ImplicitLocalArgs,
    /// `SYCL/registered kernels`
    RegisteredKernels,
    /// `SYCL/virtual functions`
    VirtualFunctions,
    /// An unknown set, by its index among the unknown sets.
    Unknown(usize),
}

impl SetKind {
    /// Every known set.
    pub const ALL: [SetKind; 15] = [
        SetKind::DeviceLib,
        SetKind::Requirements,
        SetKind::SpecConstants,
        SetKind::SpecDefaults,
        SetKind::ParamOpt,
        SetKind::KernelNames,
        SetKind::Exports,
        SetKind::Imports,
        SetKind::Metadata,
        SetKind::Misc,
        SetKind::AssertUsed,
        SetKind::DeviceGlobals,
        SetKind::ImplicitLocalArgs,
        SetKind::RegisteredKernels,
        SetKind::VirtualFunctions,
    ];

    /// Returns the set's name in an image.
    pub fn name(self) -> &'static str {
        match self {
            SetKind::DeviceLib => "SYCL/devicelib req mask",
            SetKind::Requirements => "SYCL/device requirements",
            SetKind::SpecConstants => "SYCL/specialization constants",
            SetKind::SpecDefaults => "SYCL/specialization constants default values",
            SetKind::ParamOpt => "SYCL/kernel param opt",
            SetKind::KernelNames => "SYCL/kernel names",
            SetKind::Exports => "SYCL/exported symbols",
            SetKind::Imports => "SYCL/imported symbols",
            SetKind::Metadata => "SYCL/program metadata",
            SetKind::Misc => "SYCL/misc properties",
            SetKind::AssertUsed => "SYCL/assert used",
            SetKind::DeviceGlobals => "SYCL/device globals",
            SetKind::ImplicitLocalArgs => "SYCL/implicit local arg",
            SetKind::RegisteredKernels => "SYCL/registered kernels",
            SetKind::VirtualFunctions => "SYCL/virtual functions",
            SetKind::Unknown(_) => "another set",
        }
    }

    pub(crate) fn of_name(name: &str, unknown: usize) -> Self {
        SetKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(SetKind::Unknown(unknown))
    }
}
