//! The DPC++ releases that use PI, as data: which wheels of which client belong together.
//!
//! The metadata of the vendor's packages does not pin the others, so that every package is pinned here.

use super::release::{DPCTL, Interface, Pin, Release, pin};

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

/// The seven releases that the plugin must support, oldest first.
pub(crate) const RELEASES: &[Release] = &[
    Release {
        version: "2022.2.1",
        interface: Interface::Pi("9.11"),
        soname: "libsycl.so.5",
        python_minor: 9,
        runtime: runtime!("2022.2.1", opencl "2022.2.1", numpy "1.23.5"),
        clients: &[pin("dpctl", "0.11.3")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2023.0.0",
        interface: Interface::Pi("11.15"),
        soname: "libsycl.so.6",
        python_minor: 9,
        runtime: runtime!("2023.0.0", opencl "2023.0.0", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.14.5")],
        suite_of: DPCTL,
        shim: true,
    },
    Release {
        version: "2023.1.0",
        interface: Interface::Pi("12.21"),
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
        interface: Interface::Pi("12.27"),
        soname: "libsycl.so.6",
        python_minor: 9,
        runtime: runtime!("2023.2.4", opencl "2023.2.4", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.14.5")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.0.3",
        interface: Interface::Pi("14.37"),
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.0.3", opencl "2024.0.3", numpy "1.26.4"),
        clients: &[pin("dpctl", "0.15.0")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.1.2",
        interface: Interface::Pi("14.39"),
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.1.2", opencl "2024.1.2", numpy "1.26.4", "intel-sycl-rt"),
        clients: &[pin("dpctl", "0.16.0")],
        suite_of: DPCTL,
        shim: false,
    },
    Release {
        version: "2024.2.2",
        interface: Interface::Pi("15.47"),
        soname: "libsycl.so.7",
        python_minor: 10,
        runtime: runtime!("2024.2.2", opencl "2024.2.2", numpy "1.26.4", "intel-sycl-rt", "intel-cmplr-lib-ur"),
        clients: &[pin("dpctl", "0.17.0")],
        suite_of: DPCTL,
        shim: false,
    },
];

/// Additional clients, each on the release that it was built with.
pub(crate) const MORE: &[Release] = &[Release {
    version: "2024.0.3",
    interface: Interface::Pi("14.37"),
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

/// Releases with dpnp. They are separate because dpnp needs oneMKL, which takes 1.4 GB. The last one is for Debian
/// 12's Python.
pub(super) const WITH_DPNP: &[Release] = &[
    Release {
        version: "2023.2.4",
        interface: Interface::Pi("12.27"),
        soname: "libsycl.so.6",
        python_minor: 9,
        runtime: runtime!("2023.2.4", opencl "2023.2.4", numpy "1.26.4"),
        clients: &[
            pin("dpctl", "0.14.5"),
            pin("dpnp", "0.12.1"),
            pin("mkl", "2023.2.0"),
            pin("mkl-dpcpp", "2023.2.0"),
        ],
        suite_of: "dpnp",
        shim: false,
    },
    Release {
        version: "2024.2.2",
        interface: Interface::Pi("15.47"),
        soname: "libsycl.so.7",
        python_minor: 11,
        runtime: runtime!("2024.2.2", opencl "2024.2.2", numpy "1.26.4", "intel-sycl-rt", "intel-cmplr-lib-ur"),
        clients: &[
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
        suite_of: "dpnp",
        shim: false,
    },
];
