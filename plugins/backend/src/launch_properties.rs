//! Properties of a kernel launch in addition to its index space.

/// Properties of a kernel launch in addition to its index space. The default requests nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchProperties {
    /// All work-groups run concurrently.
    pub cooperative: bool,
    /// Number of work-groups in a cluster per dimension, in the order of the index space. They run concurrently and can
    /// access each other's local memory.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of local memory for each work-group, placed before that of the arguments.
    pub local_memory: usize,
}
