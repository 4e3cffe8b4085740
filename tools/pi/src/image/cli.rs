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
    /// FILE is SPIR-V, a property file (.prop, .props.json), a file table (.table), or an item of the program cache (.src). It can
    /// also be an ELF object, program or shared library with images in it. Beside a SPIR-V file NAME.spv, the properties in NAME.props.json or
    /// NAME.prop are shown too; without either, what can be told from the code.
    #[command(
        after_help = "Examples:\n  pi image show kernels.spv\n  pi image show images.table --json | jq '.[].kernels[].name'\n  \
                      pi image show libkernels.so\n  pi image show a.spv b.spv --svg calls.svg"
    )]
    Show(ShowArguments),
    /// Compile OpenCL C or C++ for OpenCL to SPIR-V, with its property file.
    ///
    /// The compiler is clang of LLVM 15 or newer with llvm-spirv, or a clang that writes SPIR-V itself: of the active environment, of PATH,
    /// or of the system. PI_CLANG and PI_LLVM_SPIRV name others. What follows -- goes to clang.
    #[command(after_help = "Examples:\n  pi image compile kernel.cl -o kernel.spv\n  \
                            pi image compile kernel.clcpp -o kernel.spv -- -DSIZE=16 -cl-fast-relaxed-math")]
    Compile(CompileArguments),
    /// Write each image of a library to files: its code, its properties, and a file table over all.
    ///
    /// The code of an image becomes NAME_NUMBER.spv, or .bc or .bin if it is no SPIR-V. Its properties become .prop and
    /// .props.json, and the list of its entries .sym. DIR is made if it is not there.
    #[command(after_help = "Examples:\n  pi image extract libkernels.so -o kernels\n  \
                            pi image filter -target=intel_gpu_pvc kernels/libkernels.table -o pvc.table")]
    Extract(ExtractArguments),
    /// Split SPIR-V into device images, each with its property file, and a file table over all.
    ///
    /// Entries are kernels and exported functions. Whatever the mode, entries with different aspects, required work-group
    /// sizes or sub-group sizes never share an image.
    #[command(after_help = "Examples:\n  pi image split kernels.spv -o images.table\n  \
                            pi image split kernels.spv --mode per_kernel --dependencies -o out/images.table")]
    Split(SplitArguments),
    /// Drop the rows of a file table whose images a target cannot run; also called as sycl-aspect-filter.
    ///
    /// Usage: pi image filter -target=T [-device-config-file=FILE] TABLE [-o OUT]. Without a configuration file the built-in
    /// one is used; without OUT the table is printed.
    #[command(after_help = "Example:\n  pi image filter -target=intel_gpu_pvc images.table -o pvc.table")]
    Filter(FilterArguments),
    /// Print the device configuration that pi image filter uses, or entries of devices that are here.
    ///
    /// The configuration can be copied and extended; pi image filter takes it with -device-config-file.
    #[command(after_help = "Examples:\n  pi image config > devices.yaml\n  \
                            pi image config --from-device --name my_gpu >> devices.yaml")]
    Config(ConfigArguments),
    /// Link SPIR-V modules into one: imports are bound to exports.
    ///
    /// A function that needs an aspect that its calling kernel does not expect is warned of, with the calls that lead to it.
    #[command(after_help = "Example:\n  pi image link main.spv library.spv -o whole.spv")]
    Link(LinkArguments),
    /// Give specialization constants their values for good.
    ///
    /// CONSTANT is a SpecId or a name in the code; VALUE is written as the constant's type wants it: 42, -1, 2.5, true.
    #[command(after_help = "Examples:\n  pi image specialize kernels.spv 0=42 1=2.5 -o fixed.spv\n  \
                            pi image specialize kernels.spv --all -o defaults.spv")]
    Specialize(SpecializeArguments),
    /// Turn specialization constants into loads from a buffer, for targets that have none of their own.
    ///
    /// Kernels that use constants take a pointer to the buffer as their last argument. All constants are in it one after
    /// another, by ascending ids, as the property sets say that are written beside OUT.
    #[command(after_help = "Example:\n  pi image emulate kernels.spv -o emulated.spv")]
    Emulate(EmulateArguments),
    /// Put images into an object file that registers them when a program with it starts.
    ///
    /// FILE is as for pi image show. The object calls __sycl_register_lib and __sycl_unregister_lib, which a SYCL runtime has.
    #[command(
        after_help = "Example:\n  pi image wrap images.table -o images.o && c++ main.o images.o -lpi_runtime"
    )]
    Wrap(WrapArguments),
    /// Derive the property sets of each image in DIR, or in a file, from its code, and compare them with the compiler's own.
    #[command(after_help = "Examples:\n  pi image compare lib/image/tests/images --markdown\n  \
                            pi image compare libkernels.so")]
    Compare(CompareArguments),
}

#[derive(Args)]
pub struct ShowArguments {
    /// SPIR-V, a property file, a file table, an ELF file, or a cache item.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Draw the call graph and the links between images to this file; needs graphviz.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "dot"])]
    pub svg: Option<PathBuf>,
    /// Print the call graph and the links between images for graphviz's dot.
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
}

#[derive(Args)]
pub struct CompileArguments {
    /// The source: .cl is OpenCL C, .clcpp is C++ for OpenCL.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write; its properties get the same name and .prop.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The language, where the file's ending does not tell it.
    #[arg(long, value_enum)]
    pub language: Option<SourceLanguage>,
    /// Options for clang.
    #[arg(last = true, value_name = "CLANG_OPTION")]
    pub options: Vec<OsString>,
}

/// A language that `pi image compile` takes.
#[derive(Clone, Copy, ValueEnum)]
pub enum SourceLanguage {
    /// OpenCL C, version 2.0 unless an option says another.
    OpenclC,
    /// C++ for OpenCL 2021.
    CppForOpencl,
}

#[derive(Args)]
pub struct ExtractArguments {
    /// An ELF object, program or shared library, or whatever pi image show takes.
    #[arg(value_name = "LIB")]
    pub file: PathBuf,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Args)]
pub struct CompareArguments {
    /// A folder with NAME.spv and NAME.props.json files, or whatever pi image show takes.
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
    /// How far to split.
    #[arg(long, value_enum, default_value_t = Granularity::Auto)]
    pub mode: Granularity,
    /// The file table to write; the images' files get its name and a number.
    #[arg(short, long, value_name = "NAME.table")]
    pub output: PathBuf,
    /// Export this function too, by its name in the code; may be given more than once.
    #[arg(long, value_name = "SYMBOL")]
    pub export: Vec<String>,
    /// Import exported functions from the image that they are in, where they would be copied.
    #[arg(long)]
    pub dependencies: bool,
    /// With --dependencies: images with kernels get copies; only those of exported functions import.
    #[arg(long, requires = "dependencies")]
    pub self_contained_kernels: bool,
    /// The images are only for devices of this architecture, such as intel_gpu_pvc, or with this aspect; may be given more
    /// than once. Entries that need different aspects then share images.
    #[arg(long, value_name = "TARGET")]
    pub fixed_target: Vec<String>,
}

/// `-fsycl-device-code-split`
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Granularity {
    /// As per_source.
    Auto,
    /// Each kernel and each exported function on its own.
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
    /// Write the entries of devices that are here, as their plugins report them.
    #[arg(long)]
    pub from_device: bool,
    /// Only devices whose name, or whose tag in pi ls, has this in it.
    #[arg(long, value_name = "TEXT", requires = "from_device")]
    pub device: Option<String>,
    /// The entry's name; by default it is made from the device's name.
    #[arg(long, value_name = "TARGET", requires = "from_device")]
    pub name: Option<String>,
    /// Ask this plugin only; may be given more than once.
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
    /// The image: SPIR-V, with its properties beside it or derived from it.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write; its properties get the same name and .prop.
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
    /// The target of all images, such as spir64, where they say another or none.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Options for the device compiler, where the images say others or none.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub compile_options: Option<String>,
    /// For the runtime of DPC++ 2026 (libsycl.so.9), which reads images without a manifest.
    #[arg(long)]
    pub without_manifest: bool,
}
