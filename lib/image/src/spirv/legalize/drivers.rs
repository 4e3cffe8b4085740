//! Which driver needs what: from what it says, and from the faults that are known of it.

use super::needs::{Collectives, Needs};

/// What a driver says of itself and of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverFacts {
    /// `CL_PLATFORM_NAME`.
    pub platform: String,
    /// The first two numbers of `CL_DRIVER_VERSION`.
    pub version: (u32, u32),
    /// `CL_DEVICE_MAX_NUM_SUB_GROUPS`, if the driver answers it.
    pub most_sub_groups: Option<u32>,
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`.
    pub most_items: u32,
}

/// A fault of a driver, and the rewrite that avoids it.
#[derive(Debug)]
pub struct KnownFault {
    /// The name of its platform.
    pub platform: &'static str,
    /// The first version that is known to have it. No version without it is known.
    pub since: (u32, u32),
    /// What happens without the rewrite.
    pub fault: &'static str,
    /// The program that shows it: one of `testing/legalize/src/kernels.rs`, or a kernel of a stock library.
    pub program: &'static str,
    set: fn(&mut Needs),
}

const POCL: &str = "Portable Computing Language";
const RUSTICL: &str = "rusticl";

/// A driver that `pi image legalize` knows by name, and what it says.
struct Named {
    name: &'static str,
    platform: &'static str,
    version: (u32, u32),
    most_sub_groups: u32,
    most_items: u32,
}

const NAMED: [Named; 4] = [
    Named { name: "pocl-6.0", platform: POCL, version: (6, 0), most_sub_groups: 128, most_items: 4096 },
    Named { name: "pocl-7.1", platform: POCL, version: (7, 1), most_sub_groups: 0, most_items: 4096 },
    Named {
        name: "rusticl-25.0",
        platform: RUSTICL,
        version: (25, 0),
        most_sub_groups: 128,
        most_items: 1024,
    },
    Named {
        name: "rusticl-26.1",
        platform: RUSTICL,
        version: (26, 1),
        most_sub_groups: 128,
        most_items: 1024,
    },
];

/// The known faults.
pub const KNOWN_FAULTS: [KnownFault; 11] = [
    KnownFault {
        platform: POCL,
        since: (6, 0),
        fault: "collectives that multiply are calls of functions that it does not have",
        program: "products",
        set: |needs| needs.collectives = Collectives::WithoutProducts,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        fault: "it crashes while it compiles a second OpGenericCastToPtrExplicit to global memory",
        program: "casts",
        set: |needs| needs.unchecked_casts = true,
    },
    KnownFault {
        platform: POCL,
        since: (7, 1),
        fault: "it compiles for hours what unrolls a loop with barriers",
        program: "unrolled",
        set: |needs| needs.no_loop_controls = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it refuses aliasing outside functions, and merges that do not stand before a branch",
        program: "hints",
        set: |needs| needs.no_hints = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it refuses entry points of SPIR-V 1.4 that do not list all variables, which no other driver looks at",
        program: "interface",
        set: |needs| needs.whole_interfaces = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it reads members of packed structures that are passed by value from wrong places",
        program: "packed",
        set: |needs| needs.natural_layouts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it reads each number of an argument from the multiple of its size before it",
        program: "unaligned",
        set: |needs| needs.natural_layouts = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it does not resolve LLVM's saturating intrinsics",
        program: "saturate",
        set: |needs| needs.saturating_instructions = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it has no variables in global memory, and crashes or aborts at them",
        program: "variables",
        set: |needs| needs.no_global_variables = true,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "it computes work-group collectives over sub-groups",
        program: "sums",
        set: |needs| needs.collectives = Collectives::ThroughLocalMemory,
    },
    KnownFault {
        platform: RUSTICL,
        since: (25, 0),
        fault: "kernels with its sub-groups compute wrong results",
        program: "dpctl.tensor.sqrt on float32",
        set: |needs| needs.sub_groups_of_one = true,
    },
];

impl DriverFacts {
    /// Returns what a driver of this name says, such as `pocl-7.1`.
    pub fn named(name: &str) -> Option<Self> {
        let driver = NAMED.iter().find(|driver| driver.name == name)?;
        Some(Self {
            platform: driver.platform.to_owned(),
            version: driver.version,
            most_sub_groups: Some(driver.most_sub_groups),
            most_items: driver.most_items,
        })
    }

    /// Returns the names of all drivers that [`DriverFacts::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|driver| driver.name)
    }
}

impl Needs {
    /// Returns what a driver needs.
    pub fn of(facts: &DriverFacts) -> Self {
        let mut needs = Self {
            sub_groups_of_one: facts.most_sub_groups == Some(0),
            most_items: facts.most_items,
            ..Self::default()
        };
        let faults = KNOWN_FAULTS.iter().filter(|fault| fault.platform == facts.platform);
        faults.filter(|fault| facts.version >= fault.since).for_each(|fault| (fault.set)(&mut needs));
        needs
    }
}
