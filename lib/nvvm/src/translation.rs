//! The result of a translation.

/// A translated program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Translation {
    /// NVVM IR.
    pub ir: String,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// Variables that a host can name.
    pub globals: Vec<Global>,
    /// Whether products and sums must not be contracted (`-fma=0`). Functions in which they may be contracted have
    /// flags for it.
    pub contraction_off: bool,
    /// Whether functions of libdevice are called.
    pub libdevice: bool,
    /// Whether the address of a function is taken. Another translation of the same program has other addresses.
    pub function_pointers: bool,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kernel {
    /// Its name in SPIR-V.
    pub name: String,
    /// Its symbol in the PTX.
    pub symbol: String,
    /// Its arguments, in the order in which a host sets them.
    pub arguments: Vec<Argument>,
    /// Whether three 64-bit parameters follow the arguments: the global offset in x, y and z.
    pub global_offset: bool,
    /// Whether a fourth parameter follows: the number of dimensions of the launch.
    pub work_dim: bool,
    /// Whether three more parameters follow: the numbers of work-groups in x, y and z. Only a folded kernel takes them.
    pub group_counts: bool,
    /// The required work-group size of a launch.
    pub required_work_group_size: Option<[u32; 3]>,
    /// The work-group size that the kernel expects.
    pub work_group_size_hint: Option<[u32; 3]>,
    /// The largest work-group size that the kernel allows.
    pub max_work_group_size: Option<[u32; 3]>,
    /// The most work-items of its sub-groups: 8, 16 or 32.
    pub sub_group_size: u32,
    /// The sub-group size that it requires.
    pub required_sub_group_size: Option<u32>,
    /// The reason why the kernel cannot run on the device, if it cannot. Such a kernel has no code and no arguments;
    /// the program's other kernels are not affected.
    pub refused: Option<String>,
}

/// How a kernel receives an argument. Each is one parameter of the PTX function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// A value or structure.
    Value {
        /// Its size in bytes.
        size: u64,
        /// Its alignment in bytes.
        align: u64,
    },
    /// An address of global memory, 8 bytes.
    Pointer,
    /// Local memory: a 32-bit offset in bytes into the launch's dynamic shared memory.
    Local {
        /// The least alignment of the offset, in bytes.
        align: u64,
    },
}

/// A variable of global memory that a host can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Global {
    /// The name by which hosts refer to it: SYCL's unique id, or the name under which it is exported.
    pub name: String,
    /// Its symbol in the PTX.
    pub symbol: String,
    /// Its size in bytes.
    pub size: u64,
}
