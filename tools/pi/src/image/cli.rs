//! The command line of `pi image`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Args)]
pub struct ImageArguments {
    #[command(subcommand)]
    pub command: ImageCommand,
}

#[derive(Subcommand)]
pub enum ImageCommand {
    /// Show a device image: kernels with their arguments, requirements, constants, globals, symbols.
    ///
    /// FILE is SPIR-V, a property file (.prop, .props.json), a file table (.table), or an item of the program cache
    /// (.src). It can also be an ELF object, program or shared library that contains images. For a SPIR-V file
    /// NAME.spv, the properties in NAME.props.json or NAME.prop are shown too. If neither exists, they are derived from
    /// the code.
    #[command(
        after_help = "Examples:\n  pi image show kernels.spv\n  pi image show images.table --json | jq '.[].kernels[].name'\n  \
                      pi image show libkernels.so\n  pi image show a.spv b.spv --svg calls.svg"
    )]
    Show(ShowArguments),
    /// Compile OpenCL C or C++ for OpenCL to SPIR-V, with its property file.
    ///
    /// The compiler is clang of LLVM 15 or newer with llvm-spirv, or a clang that writes SPIR-V itself. It is searched
    /// for in the active environment, in PATH and in the system's folders. PI_CLANG and PI_LLVM_SPIRV name others.
    /// Arguments after -- are passed to clang.
    #[command(after_help = "Examples:\n  pi image compile kernel.cl -o kernel.spv\n  \
                            pi image compile kernel.clcpp -o kernel.spv -- -DSIZE=16 -cl-fast-relaxed-math")]
    Compile(CompileArguments),
    /// Write each image of a library to files: its code, its properties, and a file table of all images.
    ///
    /// The code of an image becomes NAME_NUMBER.spv, or .bc or .bin if it is not SPIR-V. Its properties become .prop
    /// and .props.json, and the list of its entries becomes .sym. DIR is created if it does not exist.
    #[command(after_help = "Examples:\n  pi image extract libkernels.so -o kernels\n  \
                            pi image filter -target=intel_gpu_pvc kernels/libkernels.table -o pvc.table")]
    Extract(ExtractArguments),
    /// Split SPIR-V into device images, each with its property file, and a file table of all images.
    ///
    /// Entries are kernels and exported functions. Whatever the mode, entries with different aspects, required
    /// work-group sizes or sub-group sizes never share an image.
    #[command(after_help = "Examples:\n  pi image split kernels.spv -o images.table\n  \
                            pi image split kernels.spv --mode per_kernel --dependencies -o out/images.table")]
    Split(SplitArguments),
    /// Drop the rows of a file table whose images a target cannot run. Also available as sycl-aspect-filter.
    ///
    /// Usage: pi image filter -target=T [-device-config-file=FILE] TABLE [-o OUT]. Without a configuration file the
    /// built-in one is used. Without OUT the table is printed.
    #[command(after_help = "Example:\n  pi image filter -target=intel_gpu_pvc images.table -o pvc.table")]
    Filter(FilterArguments),
    /// Print the device configuration that pi image filter uses, or entries for the devices of this machine.
    ///
    /// The configuration can be copied and extended, and passed to pi image filter with -device-config-file.
    #[command(after_help = "Examples:\n  pi image config > devices.yaml\n  \
                            pi image config --from-device --name my_gpu >> devices.yaml")]
    Config(ConfigArguments),
    /// Link SPIR-V modules into one: imports are bound to exports.
    ///
    /// Warns if a function needs an aspect that its calling kernel does not have, and lists the calls that lead to it.
    #[command(after_help = "Example:\n  pi image link main.spv library.spv -o whole.spv")]
    Link(LinkArguments),
    /// Fix the values of specialization constants.
    ///
    /// CONSTANT is a SpecId or a name in the code. VALUE is written according to the constant's type: 42, -1, 2.5,
    /// true.
    #[command(after_help = "Examples:\n  pi image specialize kernels.spv 0=42 1=2.5 -o fixed.spv\n  \
                            pi image specialize kernels.spv --all -o defaults.spv")]
    Specialize(SpecializeArguments),
    /// Turn specialization constants into loads from a buffer, for targets that do not support them.
    ///
    /// Kernels that use constants take a pointer to the buffer as their last argument. It contains all constants in
    /// ascending order of their ids, as described by the property sets that are written next to OUT.
    #[command(after_help = "Example:\n  pi image emulate kernels.spv -o emulated.spv")]
    Emulate(EmulateArguments),
    /// Put images into an object file that registers them when a program that contains it starts.
    ///
    /// FILE is as for pi image show. The object calls __sycl_register_lib and __sycl_unregister_lib of a SYCL runtime.
    #[command(
        after_help = "Example:\n  pi image wrap images.table -o images.o && c++ main.o images.o -lpi_runtime"
    )]
    Wrap(WrapArguments),
    /// Derive the property sets of the images in DIR, or in a file, from their code, and compare them with the
    /// compiler's own.
    #[command(after_help = "Examples:\n  pi image compare lib/image/tests/images --markdown\n  \
                            pi image compare libkernels.so")]
    Compare(CompareArguments),
}

#[derive(Args)]
pub struct ShowArguments {
    /// SPIR-V, a property file, a file table, an ELF file, or a cache item.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Draw the call graph and the links between images to this file. Needs graphviz.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "dot"])]
    pub svg: Option<PathBuf>,
    /// Print the call graph and the links between images for graphviz's dot.
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
}

#[derive(Args)]
pub struct CompileArguments {
    /// The source file: .cl is OpenCL C, .clcpp is C++ for OpenCL.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write. The property file gets the same name with .prop.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The language, if the file's extension does not tell it.
    #[arg(long, value_enum)]
    pub language: Option<SourceLanguage>,
    /// Options for clang.
    #[arg(last = true, value_name = "CLANG_OPTION")]
    pub options: Vec<OsString>,
}

/// A language that `pi image compile` accepts.
#[derive(Clone, Copy, ValueEnum)]
pub enum SourceLanguage {
    /// OpenCL C, version 2.0 unless an option selects another.
    OpenclC,
    /// C++ for OpenCL 2021.
    CppForOpencl,
}

#[derive(Args)]
pub struct ExtractArguments {
    /// An ELF object, program or shared library, or any other input of pi image show.
    #[arg(value_name = "LIB")]
    pub file: PathBuf,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Args)]
pub struct CompareArguments {
    /// A folder with NAME.spv and NAME.props.json files, or any input of pi image show.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the page for the documentation.
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

#[derive(Args)]
pub struct SplitArguments {
    /// The SPIR-V file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How to split.
    #[arg(long, value_enum, default_value_t = Granularity::Auto)]
    pub mode: Granularity,
    /// The file table to write. The images' files get its name and a number.
    #[arg(short, long, value_name = "NAME.table")]
    pub output: PathBuf,
    /// Also export this function, by its name in the code. May be given more than once.
    #[arg(long, value_name = "SYMBOL")]
    pub export: Vec<String>,
    /// Import exported functions from the image that contains them, instead of copying them.
    #[arg(long)]
    pub dependencies: bool,
    /// With --dependencies: images with kernels get copies, only images of exported functions import.
    #[arg(long, requires = "dependencies")]
    pub self_contained_kernels: bool,
    /// The images are only for devices of this architecture, e.g. intel_gpu_pvc, or with this aspect. May be given
    /// more than once. Entries that need different aspects then share images.
    #[arg(long, value_name = "TARGET")]
    pub fixed_target: Vec<String>,
}

/// `-fsycl-device-code-split`
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Granularity {
    /// Same as per_source.
    Auto,
    /// One image for each kernel and each exported function.
    PerKernel,
    /// By source file, from the line information in the code.
    PerSource,
    /// Only where requirements differ.
    Off,
}

#[derive(Args)]
pub struct FilterArguments {
    /// -target=T, -device-config-file=FILE, -o OUT, and the file table.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub words: Vec<String>,
}

#[derive(Args)]
pub struct ConfigArguments {
    /// Write entries for the devices of this machine, as reported by their plugins.
    #[arg(long)]
    pub from_device: bool,
    /// Only devices with this text in their name, or in their tag in pi ls.
    #[arg(long, value_name = "TEXT", requires = "from_device")]
    pub device: Option<String>,
    /// The entry's name. Default: derived from the device's name.
    #[arg(long, value_name = "TARGET", requires = "from_device")]
    pub name: Option<String>,
    /// Use this plugin only. May be given more than once.
    #[arg(long, value_name = "FILE", requires = "from_device")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct LinkArguments {
    /// The SPIR-V files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Keep imports without a definition.
    #[arg(long)]
    pub allow_missing: bool,
}

#[derive(Args)]
pub struct SpecializeArguments {
    /// The SPIR-V file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The constants' values.
    #[arg(value_name = "CONSTANT=VALUE")]
    pub values: Vec<String>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Fix all other constants at their defaults.
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct EmulateArguments {
    /// The SPIR-V image, with its properties next to it or derived from it.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write. The property file gets the same name with .prop.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

#[derive(Args)]
pub struct WrapArguments {
    /// Images with their properties, or file tables.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The object file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The target of all images, e.g. spir64, overriding what they say.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Options for the device compiler, overriding those of the images.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub compile_options: Option<String>,
    /// Write for the runtime of DPC++ 2026 (libsycl.so.9), which reads images without a manifest.
    #[arg(long)]
    pub without_manifest: bool,
}
