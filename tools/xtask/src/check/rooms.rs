//! The rooms of the house, and on which others each may lean. The picture is in ARCHITECTURE.md.

/// A crate's folder and what it may depend on.
#[derive(Debug)]
pub(super) struct Room {
    /// The crate's folder, from the root.
    pub(super) folder: &'static str,
    /// Folders of crates of ours that it may use.
    pub(super) uses: &'static [&'static str],
    /// Folders of crates of ours that its tests may use besides.
    pub(super) tests_use: &'static [&'static str],
    /// Crates of others that it must not use; `*` for all.
    pub(super) never: &'static [&'static str],
    /// Why, for the message.
    pub(super) rule: &'static str,
}

const OPENCL: [&str; 3] = ["opencl-sys", "cl3", "opencl3"];
const VENDORS: &[&str] = &["opencl-sys", "cl3", "opencl3", "cudarc"];
const VENDORS_AND_FILES: &[&str] = &["opencl-sys", "cl3", "opencl3", "cudarc", "libloading"];

/// Every room. A crate whose folder is not here is refused: it has to be given a place first.
pub(super) const ROOMS: &[Room] = &[
    Room {
        folder: "pi-core",
        uses: &[],
        tests_use: &[],
        never: &["*"],
        rule: "pi-core is types and data: it depends on nothing",
    },
    Room {
        folder: "plugins/backend",
        uses: &["pi-core"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "plugins/backend is for any backend: it knows pi-core and no vendor",
    },
    Room {
        folder: "plugins/logger",
        uses: &[],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "the logger serves libraries and tools alike: it stands alone",
    },
    Room {
        folder: "plugins/opencl",
        uses: &["pi-core", "plugins/backend"],
        tests_use: &["runtime/loader"],
        never: &["cudarc"],
        rule: "a backend uses pi-core, plugins/backend and its own driver's layer",
    },
    Room {
        folder: "plugins/level-zero-sys",
        uses: &[],
        tests_use: &["testing/drivers/software-level-zero"],
        never: VENDORS,
        rule: "a driver's layer knows no PI type and no other driver",
    },
    Room {
        folder: "plugins/level-zero",
        uses: &["pi-core", "plugins/backend", "plugins/level-zero-sys"],
        tests_use: &["runtime/loader", "testing/drivers/software-level-zero"],
        never: VENDORS,
        rule: "a backend uses pi-core, plugins/backend and its own driver's layer",
    },
    Room {
        folder: "plugins/cuda",
        uses: &["pi-core", "plugins/backend"],
        tests_use: &["runtime/loader", "testing/drivers/software-cuda"],
        never: &OPENCL,
        rule: "a backend uses pi-core, plugins/backend and its own driver's layer",
    },
    Room {
        folder: "runtime/loader",
        uses: &["pi-core"],
        tests_use: &[],
        never: VENDORS,
        rule: "the loader loads any plugin: it knows pi-core and no backend",
    },
    Room {
        folder: "runtime/image",
        uses: &[],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "runtime/image is bytes in, data out: it stands alone",
    },
    Room {
        folder: "runtime/cache",
        uses: &[],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "runtime/cache is keys, bytes and files: it stands alone",
    },
    Room {
        folder: "runtime/runtime",
        uses: &["pi-core", "runtime/loader", "runtime/image", "runtime/cache"],
        tests_use: &["testing/programs"],
        never: VENDORS_AND_FILES,
        rule: "the runtime calls plugins through a loaded table only",
    },
    Room {
        folder: "runtime/pi_runtime",
        uses: &["pi-core", "plugins/logger", "runtime/runtime"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "the C API is a thin layer on the runtime",
    },
    Room {
        folder: "testing/programs",
        uses: &["runtime/image", "runtime/cache", "runtime/runtime"],
        tests_use: &[],
        never: VENDORS,
        rule: "test programs use the runtime as any program does",
    },
    Room {
        folder: "testing/drivers/software-level-zero",
        uses: &["plugins/level-zero-sys"],
        tests_use: &[],
        never: &["cudarc"],
        rule: "a software driver knows the vendor's types and no PI type",
    },
    Room {
        folder: "testing/drivers/software-cuda",
        uses: &[],
        tests_use: &[],
        never: &OPENCL,
        rule: "a software driver knows the vendor's types and no PI type",
    },
    Room {
        folder: "testing/cuda",
        uses: &[
            "pi-core",
            "runtime/loader",
            "runtime/image",
            "runtime/runtime",
            "testing/support",
            "testing/process",
        ],
        tests_use: &[],
        never: &OPENCL,
        rule: "tests of the built plugin call it through a loaded table or the runtime, and the driver beside it",
    },
    Room {
        folder: "testing/level-zero",
        uses: &["pi-core", "runtime/loader", "testing/support", "testing/process"],
        tests_use: &[],
        never: &OPENCL,
        rule: "tests of the built plugin call it through a loaded table, and the software driver beside it",
    },
    Room {
        folder: "testing/conformance",
        uses: &["pi-core", "runtime/loader", "testing/process"],
        tests_use: &[],
        never: VENDORS,
        rule: "the harness knows a plugin by its path only",
    },
    Room {
        folder: "testing/fuzz",
        uses: &[
            "pi-core",
            "plugins/backend",
            "runtime/loader",
            "runtime/image",
            "runtime/cache",
            "runtime/runtime",
        ],
        tests_use: &[],
        never: VENDORS,
        rule: "fuzz targets call what parses, without a driver",
    },
    Room {
        folder: "testing/images",
        uses: &["runtime/image"],
        tests_use: &["runtime/runtime", "testing/process"],
        never: VENDORS,
        rule: "tests of the image tools run the built tool, and what it makes on the runtime",
    },
    Room {
        folder: "testing/robustness",
        uses: &["pi-core", "runtime/loader", "testing/process"],
        tests_use: &[],
        never: VENDORS,
        rule: "what may end a process is tried on any plugin, known by its path only",
    },
    Room {
        folder: "testing/random-calls",
        uses: &["pi-core", "runtime/loader", "testing/process"],
        tests_use: &[],
        never: VENDORS,
        rule: "random calls know a plugin by its path only",
    },
    Room {
        folder: "testing/models",
        uses: &["plugins/backend"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "models take the sources in that they are about, and stand in for the rest",
    },
    Room {
        folder: "testing/opencl",
        uses: &["pi-core", "runtime/loader", "testing/support", "testing/process"],
        tests_use: &[],
        never: VENDORS,
        rule: "tests of a plugin load it as a runtime does: they know its path only",
    },
    Room {
        folder: "testing/process",
        uses: &[],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "child processes are any program's: the crate stands alone",
    },
    Room {
        folder: "testing/support",
        uses: &["pi-core", "runtime/loader", "testing/process"],
        tests_use: &[],
        never: VENDORS,
        rule: "what tests of any plugin share knows a plugin by its path only",
    },
    Room {
        folder: "benches",
        uses: &["pi-core", "runtime/loader", "runtime/image", "runtime/cache", "runtime/runtime"],
        tests_use: &[],
        never: &["cudarc"],
        rule: "benchmarks call plugins through a loaded table, and drivers beside them",
    },
    Room {
        folder: "benches/cuda",
        uses: &["pi-core", "testing/cuda"],
        tests_use: &[],
        never: &OPENCL,
        rule: "benchmarks call plugins through a loaded table, and drivers beside them",
    },
    Room {
        folder: "benches/images",
        uses: &["runtime/image"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "benchmarks of the image tools run the built tool and its library",
    },
    Room {
        folder: "benches/level-zero",
        uses: &["pi-core", "testing/level-zero", "testing/support"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "benchmarks call plugins through a loaded table, and drivers beside them",
    },
    Room {
        folder: "tools/pi",
        uses: &[
            "pi-core",
            "plugins/logger",
            "runtime/loader",
            "runtime/image",
            "runtime/cache",
            "runtime/runtime",
        ],
        tests_use: &[],
        never: VENDORS,
        rule: "the tool sees plugins through the loader",
    },
    Room {
        folder: "tools/xtask",
        uses: &["pi-core"],
        tests_use: &[],
        never: VENDORS_AND_FILES,
        rule: "developer commands build and run the rest: they read pi-core's list and link nothing else",
    },
];
