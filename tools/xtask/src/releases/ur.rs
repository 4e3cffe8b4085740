//! The DPC++ releases that use Unified Runtime, as data: which wheels of which client belong together.
//!
//! The oldest clients do not pin the runtime, and the runtime's packages do not pin all of theirs. Every package is
//! therefore pinned here.

use super::release::{DPCTL, Interface, Release, pin};

/// The Python of all these environments: every client from 2025.0 on has a wheel for it.
const PYTHON: u8 = 12;

macro_rules! release {
    ($version:literal, ur $ur:literal, $soname:literal, opencl $opencl:literal, umf $umf:literal, tcm $tcm:literal, tbb $tbb:literal,
     numpy $numpy:literal, dpctl $dpctl:literal) => {
        Release {
            version: $version,
            interface: Interface::Ur($ur),
            soname: $soname,
            python_minor: PYTHON,
            runtime: &[
                pin("dpcpp-cpp-rt", $version),
                pin("intel-sycl-rt", $version),
                pin("intel-cmplr-lib-rt", $version),
                pin("intel-cmplr-lic-rt", $version),
                pin("intel-cmplr-lib-ur", $version),
                pin("intel-opencl-rt", $opencl),
                pin("umf", $umf),
                pin("tcmlib", $tcm),
                pin("tbb", $tbb),
                pin("numpy", $numpy),
            ],
            clients: &[pin("dpctl", $dpctl)],
            suite_of: DPCTL,
            shim: false,
        }
    };
}

macro_rules! release_2025_0 {
    ($version:literal, $ur:literal, $umf:literal) => {
        release!($version, ur $ur, "libsycl.so.8", opencl "2025.0.5", umf $umf, tcm "1.2.0", tbb "2022.3.1",
            numpy "2.2.6", dpctl "0.18.3")
    };
}

macro_rules! release_2025_1 {
    ($version:literal) => {
        release!($version, ur "0.11.10", "libsycl.so.8", opencl "2025.1.1", umf "0.10.0", tcm "1.3.0", tbb "2022.3.1",
            numpy "2.2.6", dpctl "0.19.0")
    };
}

macro_rules! release_2025_2 {
    ($version:literal) => {
        release!($version, ur "0.12.0", "libsycl.so.8", opencl "2025.2.2", umf "0.11.0", tcm "1.6.0", tbb "2022.3.1",
            numpy "2.3.5", dpctl "0.20.2")
    };
}

macro_rules! release_2025_3 {
    ($version:literal, $umf:literal) => {
        release!($version, ur "0.12.0", "libsycl.so.8", opencl "2025.3.3", umf $umf, tcm "1.6.0", tbb "2022.3.1",
            numpy "2.3.5", dpctl "0.21.1")
    };
}

macro_rules! release_2026 {
    ($version:literal, opencl $opencl:literal, umf $umf:literal, dpctl $dpctl:literal) => {
        release!($version, ur "0.12.0", "libsycl.so.9", opencl $opencl, umf $umf, tcm "1.6.0", tbb "2023.2.0",
            numpy "2.5.5", dpctl $dpctl)
    };
}

/// All releases with adapters, oldest first. Those without a suite share the OpenCL driver of a release that has
/// one.
pub(crate) const RELEASES: &[Release] = &[
    release_2025_0!("2025.0.0", "0.10.8", "0.9.0"),
    release_2025_0!("2025.0.1", "0.10.13", "0.9.1"),
    release_2025_0!("2025.0.2", "0.10.13", "0.9.1"),
    release_2025_0!("2025.0.3", "0.10.13", "0.9.1"),
    release_2025_0!("2025.0.4", "0.10.15", "0.9.1"),
    release_2025_0!("2025.0.5", "0.10.15", "0.9.1"),
    release_2025_1!("2025.1.0"),
    release_2025_1!("2025.1.1"),
    release_2025_2!("2025.2.0"),
    release_2025_2!("2025.2.1"),
    release_2025_2!("2025.2.2"),
    release_2025_3!("2025.3.0", "1.0.2"),
    release_2025_3!("2025.3.1", "1.0.2"),
    release_2025_3!("2025.3.2", "1.0.3"),
    release_2025_3!("2025.3.3", "1.0.3"),
    release_2026!("2026.0.0", opencl "2026.0.0", umf "1.1.0", dpctl "0.22.0"),
    release_2026!("2026.1.0", opencl "2026.1.2", umf "1.1.0", dpctl "0.22.1"),
    release_2026!("2026.1.1", opencl "2026.1.2", umf "1.1.0", dpctl "0.22.1"),
    release_2026!("2026.1.2", opencl "2026.1.2", umf "1.1.0", dpctl "0.22.1"),
    release_2026!("2026.2.0", opencl "2026.2.0", umf "1.2.0", dpctl "0.22.1"),
];

/// The releases whose client's test suite is run: the last of each series that the client has a version for.
pub(crate) const SUITES: [&str; 7] =
    ["2025.0.5", "2025.1.1", "2025.2.2", "2025.3.3", "2026.0.0", "2026.1.2", "2026.2.0"];

/// The last release of each major version of libsycl with dpnp, which needs oneMKL.
pub(super) const WITH_DPNP: &[Release] = &[
    Release {
        clients: &[
            pin("dpctl", "0.21.1"),
            pin("dpnp", "0.19.1"),
            pin("intel-openmp", "2025.3.3"),
            pin("mkl", "2025.3.1"),
            pin("onemkl-sycl-blas", "2025.3.1"),
            pin("onemkl-sycl-dft", "2025.3.1"),
            pin("onemkl-sycl-lapack", "2025.3.1"),
            pin("onemkl-sycl-rng", "2025.3.1"),
            pin("onemkl-sycl-sparse", "2025.3.1"),
            pin("onemkl-sycl-stats", "2025.3.1"),
            pin("onemkl-sycl-vm", "2025.3.1"),
        ],
        suite_of: "dpnp",
        ..release_2025_3!("2025.3.3", "1.0.3")
    },
    Release {
        clients: &[
            pin("dpctl", "0.22.1"),
            pin("dpnp", "0.20.0"),
            pin("intel-openmp", "2026.2.0"),
            pin("mkl", "2026.2.0"),
            pin("onemkl-sycl-blas", "2026.2.0"),
            pin("onemkl-sycl-dft", "2026.2.0"),
            pin("onemkl-sycl-lapack", "2026.2.0"),
            pin("onemkl-sycl-rng", "2026.2.0"),
            pin("onemkl-sycl-sparse", "2026.2.0"),
            pin("onemkl-sycl-vm", "2026.2.0"),
        ],
        suite_of: "dpnp",
        ..release_2026!("2026.2.0", opencl "2026.2.0", umf "1.2.0", dpctl "0.22.1")
    },
];
