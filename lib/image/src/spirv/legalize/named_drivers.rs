//! The drivers that have names.

use super::driver_facts::{DriverFacts, POCL, RUSTICL};

/// A driver that `pi image legalize` knows by name, with its answers.
struct Named {
    name: &'static str,
    platform: &'static str,
    version: (u32, u32),
    has_halves: bool,
    most_sub_groups: u32,
    most_items: u32,
}

const NAMED: [Named; 4] = [
    Named {
        name: "pocl-6.0",
        platform: POCL,
        version: (6, 0),
        has_halves: false,
        most_sub_groups: 128,
        most_items: 4096,
    },
    Named {
        name: "pocl-7.1",
        platform: POCL,
        version: (7, 1),
        has_halves: false,
        most_sub_groups: 0,
        most_items: 4096,
    },
    Named {
        name: "rusticl-25.0",
        platform: RUSTICL,
        version: (25, 0),
        has_halves: false,
        most_sub_groups: 128,
        most_items: 1024,
    },
    Named {
        name: "rusticl-26.1",
        platform: RUSTICL,
        version: (26, 1),
        has_halves: true,
        most_sub_groups: 128,
        most_items: 1024,
    },
];

impl DriverFacts {
    /// Returns the answers of the driver with this name, such as `pocl-7.1`.
    pub fn named(name: &str) -> Option<Self> {
        let driver = NAMED.iter().find(|driver| driver.name == name)?;
        Some(Self {
            platform: driver.platform.to_owned(),
            version: driver.version,
            // llvmpipe is a CPU, too.
            is_cpu: true,
            has_halves: driver.has_halves,
            converts_halves: true,
            most_sub_groups: Some(driver.most_sub_groups),
            most_items: driver.most_items,
        })
    }

    /// Returns the names of all drivers that [`DriverFacts::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|driver| driver.name)
    }
}
