//! What a launch may ask for beside its index space.

/// What a launch may ask for beside its index space. The default asks for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchProperties {
    /// All work-groups run at once.
    pub cooperative: bool,
    /// Work-groups of a cluster, in each dimension in the order of the index space. They run at once, and reach each other's local
    /// memory.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of local memory for each work-group, in front of that of the arguments.
    pub local_memory: usize,
}
