//! The DPC++ releases that speak PI, as data: which wheels of which client fit together.
//!
//! The metadata of the vendor's packages does not pin the others, so that every package is pinned here.

use std::fmt;

/// A package at one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pin {
    /// The name on the package index.
    pub(crate) name: &'static str,
    /// The exact version.
    pub(crate) version: &'static str,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=={}", self.name, self.version)
    }
}

/// A pin, written short.
pub(crate) const fn pin(name: &'static str, version: &'static str) -> Pin {
    Pin { name, version }
}

/// One release of the DPC++ runtime with the client that was built on it.
#[derive(Debug)]
pub(crate) struct Release {
    /// The release's number, also its packages' version.
    pub(crate) version: &'static str,
    /// The PI version that its libsycl speaks.
    pub(crate) pi: &'static str,
    /// The soname of its libsycl.
    pub(crate) soname: &'static str,
    /// The Python that its clients' wheels were built for: 3.`python_minor`.
    pub(crate) python_minor: u8,
    /// The runtime's packages.
    pub(crate) runtime: &'static [Pin],
    /// The clients' packages.
    pub(crate) clients: &'static [Pin],
    /// The one of them whose own test suite is run.
    pub(crate) suite_of: &'static str,
    /// Whether the client was built on a later libsycl and needs the symbols of `shim/`.
    pub(crate) shim: bool,
}

impl Release {
    /// Everything that the release's environment holds.
    pub(crate) fn pins(&self) -> impl Iterator<Item = Pin> {
        self.runtime.iter().chain(self.clients).chain(PYTEST).copied()
    }

    /// What tells its environment and its results from others: the release's number, and the client if that is not dpctl.
    pub(crate) fn name(&self) -> String {
        if self.suite_of == DPCTL {
            self.version.to_owned()
        } else {
            format!("{}-{}", self.version, self.suite_of)
        }
    }

    /// The client whose suite is run, with its version.
    pub(crate) fn client(&self) -> String {
        let version = self.clients.iter().find(|pin| pin.name == self.suite_of).map_or("", |pin| pin.version);
        format!("{} {version}", self.suite_of)
    }

    /// The Python package that holds those tests.
    pub(crate) fn package(&self) -> String {
        self.suite_of.replace('-', "_")
    }
}

/// The test runner and all that it needs on the Pythons in question.
const PYTEST: &[Pin] = &[
    pin("pytest", "8.3.5"),
    pin("pluggy", "1.5.0"),
    pin("iniconfig", "2.0.0"),
    pin("packaging", "24.2"),
    pin("exceptiongroup", "1.2.2"),
    pin("tomli", "2.2.1"),
];

const DPCTL: &str = "dpctl";
const TBB: Pin = pin("tbb", "2021.13.1");

macro_rules! runtime {
    ($version:literal, opencl $opencl:literal, numpy $numpy:literal $(, $more:literal)*) => {
        &[
            pin("dpcpp-cpp-rt", $version),
            pin("intel-cmplr-lib-rt", $version),
            pin("intel-cmplr-lic-rt", $version),
            pin("intel-openmp", $version),
            pin("intel-opencl-rt", $opencl),
            TBB,
            pin("numpy", $numpy),
            $(pin($more, $version),)*
        ]
    };
}

/// The seven releases that the plugin must serve, oldest first.
pub(crate) const RELEASES: &[Release] = &[
    Release {
        version: "2022.2.1",
        pi: "9.11",
        soname: "libsycl.so.5",
        python_minor: 9,
        runtime: runtime!("2022.2.1", opencl "2022.2.1", numpy "1.23.5"),
        clients: &[pin("dpctl", "0.11.3")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2023.0.0",
        pi: "11.15",
        soname: "libsycl.so.6",
        python_minor: 9,
        runtime: runtime!("2023.0.0", opencl "2023.0.0", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.14.5")],
        suite_of: DPCTL,
        shim: true,
    },
    Release {
        version: "2023.1.0",
        pi: "12.21",
        soname: "libsycl.so.6",
        python_minor: 9,
        // The index has no OpenCL runtime of 2023.1.0.
        runtime: runtime!("2023.1.0", opencl "2023.0.0", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.14.5")],
        suite_of: DPCTL,
        shim: true,
    },
    Release {
        version: "2023.2.4",
        pi: "12.27",
        soname: "libsycl.so.6",
        python_minor: 9,
        runtime: runtime!("2023.2.4", opencl "2023.2.4", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.14.5")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.0.3",
        pi: "14.37",
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.0.3", opencl "2024.0.3", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.15.0")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.1.2",
        pi: "14.39",
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.1.2", opencl "2024.1.2", numpy "1.26.4", "intel-sycl-rt"),
        clients: &[pin("dpctl", "0.16.0")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.2.2",
        pi: "15.47",
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.2.2", opencl "2024.2.2", numpy "1.26.4", "intel-sycl-rt", "intel-cmplr-lib-ur"),
        clients: &[pin("dpctl", "0.17.0")],
        suite_of: DPCTL,
        shim: false,
    },
];

/// Further clients, each on the release that it was built on.
pub(crate) const MORE: &[Release] = &[Release {
    version: "2024.0.3",
    pi: "14.37",
    soname: "libsycl.so.7",
    python_minor: 10,
    runtime: runtime!("2024.0.3", opencl "2024.0.3", numpy "1.26.4"),
    clients: &[
        pin("numba-dpex", "0.21.4"),
        pin("numba", "0.58.1"),
        pin("llvmlite", "0.41.1"),
        pin("dpcpp-llvm-spirv", "2024.0.0"),
        pin("dpctl", "0.15.0"),
        pin("dpnp", "0.13.0"),
        pin("mkl", "2024.0.0"),
        pin("mkl-dpcpp", "2024.0.0"),
        pin("onemkl-sycl-blas", "2024.0.0"),
        pin("onemkl-sycl-datafitting", "2024.0.0"),
        pin("onemkl-sycl-dft", "2024.0.0"),
        pin("onemkl-sycl-lapack", "2024.0.0"),
        pin("onemkl-sycl-rng", "2024.0.0"),
        pin("onemkl-sycl-sparse", "2024.0.0"),
        pin("onemkl-sycl-stats", "2024.0.0"),
        pin("onemkl-sycl-vm", "2024.0.0"),
    ],
    suite_of: "numba-dpex",
    shim: false,
}];

/// A release with dpnp, for the persistent cache. It is apart, as dpnp needs oneMKL, which takes 1.4 GB.
pub(crate) static WITH_DPNP: Release = Release {
    version: "2023.2.4",
    pi: "12.27",
    soname: "libsycl.so.6",
    python_minor: 9,
    runtime: runtime!("2023.2.4", opencl "2023.2.4", numpy "1.26.4"),
    clients: DPNP_0_12,
    suite_of: "dpnp",
    shim: false,
};

const DPNP_0_12: &[Pin] =
    &[pin("dpctl", "0.14.5"), pin("dpnp", "0.12.1"), pin("mkl", "2023.2.0"), pin("mkl-dpcpp", "2023.2.0")];

/// A runtime with dpnp for certain Pythons: what the demo runs on.
#[derive(Debug)]
pub(crate) struct Stack {
    /// The release of DPC++.
    pub(crate) release: &'static str,
    /// The Pythons, by their minor version, that have wheels of all that is needed; the best known first.
    pub(crate) pythons: &'static [u8],
    /// dpnp and what it needs in addition to the runtime.
    pub(crate) dpnp: &'static [Pin],
}

/// The stacks that the demo chooses from by the Pythons at hand, the best known first.
pub(crate) const STACKS: &[Stack] = &[
    Stack { release: "2023.2.4", pythons: &[9], dpnp: DPNP_0_12 },
    Stack {
        release: "2024.2.2",
        pythons: &[11, 10, 9],
        dpnp: &[
            pin("dpctl", "0.17.0"),
            pin("dpnp", "0.15.0"),
            pin("mkl", "2024.2.2"),
            pin("onemkl-sycl-blas", "2024.2.2"),
            pin("onemkl-sycl-dft", "2024.2.2"),
            pin("onemkl-sycl-lapack", "2024.2.2"),
            pin("onemkl-sycl-rng", "2024.2.2"),
            pin("onemkl-sycl-stats", "2024.2.2"),
            pin("onemkl-sycl-vm", "2024.2.2"),
        ],
    },
];

/// The release of a number such as `2023.2.4`, or of `2024.0.3-numba-dpex`; used to read the command line.
pub(crate) fn find(name: &str) -> Result<&'static Release, String> {
    let all = || RELEASES.iter().chain(MORE);
    all().find(|release| release.name() == name).ok_or_else(|| {
        let known: Vec<String> = all().map(Release::name).collect();
        format!("there is no release {name:?}; known are {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_pins_its_own_runtime() {
        for release in RELEASES.iter().chain(MORE) {
            let runtime = release.runtime.iter().find(|pin| pin.name == "dpcpp-cpp-rt").unwrap();
            assert_eq!(runtime.version, release.version);
            assert!(release.clients.iter().any(|pin| pin.name == release.suite_of));
        }
    }

    #[test]
    fn every_stack_stands_on_a_release() {
        for stack in STACKS {
            assert!(find(stack.release).is_ok());
        }
    }

    #[test]
    fn a_release_is_found_by_its_number_only() {
        assert_eq!(find("2024.2.2").unwrap().pi, "15.47");
        assert!(find("2024.2").unwrap_err().contains("2024.2.2"));
    }
}
