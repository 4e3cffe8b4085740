//! Numbers of contexts.

enumeration! {
    /// Queries of a context.
    pub struct ContextInfo: u32 {
        DEVICES = 0x1081,
        PLATFORM = 0x1084,
        NUM_DEVICES = 0x1083,
        PROPERTIES = 0x1082,
        REFERENCE_COUNT = 0x1080,
        ATOMIC_MEMORY_ORDER_CAPABILITIES = 0x10010,
        ATOMIC_MEMORY_SCOPE_CAPABILITIES = 0x10011,
        ATOMIC_FENCE_ORDER_CAPABILITIES = 0x10012,
        ATOMIC_FENCE_SCOPE_CAPABILITIES = 0x10013,
        USM_FILL2D_SUPPORT = 0x30000,
        USM_MEMSET2D_SUPPORT = 0x30001,
        USM_MEMCPY2D_SUPPORT = 0x30002,
    }
}
