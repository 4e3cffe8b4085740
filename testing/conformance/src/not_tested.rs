//! Lines of `cases.txt` without a case, each with the reason.

const RUNTIME: &str = "about the runtime above plugins, not about a plugin";
const CALLER: &str = "a duty of the caller: nothing that a plugin could do or fail to do";
const NO_ENTRY: &str = "no PI version served here has such an entry point";

/// Id and reason.
pub(crate) const NOT_TESTED: &[(&str, &str)] = &[
    ("LD-04", RUNTIME),
    ("LD-06", RUNTIME),
    ("PLT-06", "needs a machine without the driver: nothing else could be assessed there"),
    ("CTX-15", "needs calls of CUDA itself, and the harness knows no vendor"),
    ("CTX-16", "needs calls of CUDA itself, and the harness knows no vendor"),
    ("QUE-22", "an overlap that a backend may, but need not have"),
    ("PRG-43", "memory that runs out within a compiler cannot be brought about through the interface"),
    ("KRN-28", CALLER),
    ("KRN-29", NO_ENTRY),
    ("DGV-13", CALLER),
    ("LCH-09", "needs a kernel with so many registers that no compiler makes one by itself"),
    ("NAT-06", RUNTIME),
    ("CMB-11", NO_ENTRY),
    ("CMB-12", NO_ENTRY),
    ("THR-05", "nothing is promised after a fork"),
    ("TDN-05", RUNTIME),
];
