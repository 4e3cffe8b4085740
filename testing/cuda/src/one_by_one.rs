//! Tests of SPIR-V programs whose kernels are compiled one by one when they are created. `pi-cuda-spirv` runs these
//! on a GPU.
//!
//! The plugin logs each compilation. The counted compilations run in a separate process with its own folder for
//! compiled kernels.

use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::sync::Barrier;
use std::thread;

use sycl_pi_core::*;
use testing_nvvm::kernel;
use testing_support::Program;

use crate::cases::child;
use crate::fixture::{is_software, program_binary};
use crate::{Fixture, fails, ok, software, variants};

/// The tests with their names.
pub const CASES: [(&str, fn()); 15] = [
    ("spirv_only_kernels_that_are_created_are_compiled", || {
        assert_eq!(compilations(CREATED, true), [2, 0], "a second start compiles nothing")
    }),
    ("spirv_a_kernel_is_kept_for_each_version_of_the_driver", each_version),
    ("spirv_a_kernel_is_kept_until_libdevice_changes", each_libdevice),
    ("spirv_a_kernel_is_kept_for_each_set_of_options", || assert_eq!(compilations(OPTIONS, true), [3, 0])),
    ("spirv_threads_that_create_one_kernel_compile_it_once", || {
        assert_eq!(compilations(THREADS, false), [1, 1])
    }),
    ("spirv_a_program_with_variables_is_compiled_whole", || {
        assert_eq!(compilations(VARIABLES, false), [2, 2])
    }),
    ("spirv_a_program_with_function_pointers_is_compiled_whole", || {
        assert_eq!(compilations(POINTERS, false), [1, 1])
    }),
    ("spirv_constant_tables_leave_kernels_apart", || assert_eq!(compilations(TABLE, false), [2, 2])),
    ("spirv_a_program_of_one_kernel_is_compiled_when_it_is_built", || {
        assert_eq!(compilations(ONE, false), [1, 1])
    }),
    ("spirv_a_binary_before_the_first_kernel_compiles_nothing", || {
        assert_eq!(compilations(BINARY, true), [1, 0])
    }),
    ("spirv_a_native_module_has_all_kernels", || assert_eq!(compilations(NATIVE, false), [2, 2])),
    ("spirv_a_kernel_that_the_driver_refuses_is_named_and_tried_again", || {
        assert_eq!(compilations(REFUSED_BY_DRIVER, false), [1, 1])
    }),
    ("spirv_modules_of_kernels_go_with_their_program", || assert_eq!(compilations(UNLOADED, false), [3, 3])),
    ("spirv_a_kernel_that_cannot_be_translated_is_refused_when_it_is_created", untranslatable),
    ("spirv_kernels_of_one_name_share_what_was_translated_again", || {
        child::run(SHARED, &[NO_VARIABLE]);
    }),
];

/// The name of a variable, and its value.
type Variable = (&'static str, &'static str);

/// A variable that nothing reads.
const NO_VARIABLE: Variable = ("PI_TEST_NOTHING", "");

/// An older driver may refuse code that was made for a newer one. Only the software driver changes its version.
fn each_version() {
    let versions = ["12040", "12080", "12040", "12080"];
    let starts = versions.map(|version| ("PI_SOFTWARE_CUDA_VERSION", version));
    let expected = if is_software() { [2, 2, 0, 0] } else { [2, 0, 0, 0] };
    assert_eq!(compilations_of(CREATED, true, starts), expected);
}

/// The code of a kernel may contain functions of libdevice. Only libnvvm of the software driver can be copied.
fn each_libdevice() {
    if !is_software() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("pi-cuda-{}-libdevice", std::process::id()));
    let [library, functions] = ["nvvm/lib64/libnvvm.so", "nvvm/libdevice/libdevice.10.bc"].map(|file| {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        file
    });
    let toolkit = std::env::var_os("PI_NVVM").unwrap();
    fs::copy(Path::new(&toolkit).join("nvvm/lib64/libnvvm.so"), library).unwrap();
    let (cache, folder_text) = (folder.join("cache"), folder.to_str().unwrap());
    let start = || compilations_at(CREATED, true, cache.to_str().unwrap(), ("PI_NVVM", folder_text));
    fs::write(&functions, "functions").unwrap();
    assert_eq!([start(), start()], [2, 0]);
    fs::write(&functions, "other functions").unwrap();
    assert_eq!([start(), start()], [2, 0]);
    fs::remove_dir_all(&folder).unwrap();
}

/// The tasks of children.
const CREATED: &str = "kernels that are created";
const OPTIONS: &str = "one kernel with several options";
const THREADS: &str = "threads";
const VARIABLES: &str = "variables";
const POINTERS: &str = "pointers";
const TABLE: &str = "a table";
const ONE: &str = "one kernel";
const BINARY: &str = "a binary";
const NATIVE: &str = "a native handle";
const UNLOADED: &str = "modules that go";
const REFUSED_BY_DRIVER: &str = "refused by the driver";
const SHARED: &str = "two kernels of one name";

/// Performs a child's task. Returns `None` if this process is not a child.
pub fn child() -> Option<ExitCode> {
    match child::task()?.as_str() {
        CREATED => created(),
        OPTIONS => options(),
        THREADS => threads(),
        VARIABLES => variables(),
        POINTERS => pointers(),
        TABLE => table(),
        ONE => one(),
        BINARY => binary(),
        NATIVE => native(),
        UNLOADED => unloaded(),
        REFUSED_BY_DRIVER => refused_by_driver(),
        SHARED => variants::shared(),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Returns how many kernels a child compiles at its first and second start, without the query of libnvvm's targets.
fn compilations(task: &str, keeps: bool) -> [usize; 2] {
    compilations_of(task, keeps, [NO_VARIABLE; 2])
}

/// Like [`compilations`], with a variable of each start.
fn compilations_of<const N: usize>(task: &str, keeps: bool, starts: [Variable; N]) -> [usize; N] {
    let folder = std::env::temp_dir().join(format!("pi-cuda-{}-{}-{N}", std::process::id(), task.len()));
    let found = starts.map(|variable| compilations_at(task, keeps, folder.to_str().unwrap(), variable));
    let _ = fs::remove_dir_all(&folder);
    found
}

/// Returns how many kernels a child compiles that keeps them in this folder.
fn compilations_at(task: &str, keeps: bool, folder: &str, variable: (&str, &str)) -> usize {
    let (log, keeps) = (("PI_LOG", "debug"), if keeps { "1" } else { "0" });
    let variables = [log, ("SYCL_CACHE_DIR", folder), ("SYCL_CACHE_PERSISTENT", keeps), variable];
    let text = child::run(task, &variables);
    text.matches("bytes of IR in").count() - usize::from(text.contains("compiles for compute_"))
}

/// The kernels' names.
const NAMES: [&str; 4] = ["k", "one", "two", "three"];

/// Creates a module of the kernels and further functions. The code computes what each kernel writes as `%valueAT`.
/// In it, AT is replaced by the kernel's number, and NUMBER by the constant of that number.
fn module(declarations: &str, value: &str, functions: &str) -> Vec<u8> {
    let mut declarations = declarations.to_owned();
    let write = |at: usize| {
        let value = value.replace("NUMBER", &format!("%u_{at}")).replace("AT", &at.to_string());
        format!(
            "{value}\n%to{at} = OpInBoundsPtrAccessChain %p_uint %out{at} %l_0\nOpStore %to{at} %value{at} Aligned 4\n"
        )
    };
    let mut code = write(0);
    for (at, name) in NAMES.iter().enumerate().skip(1) {
        declarations += &format!("OpEntryPoint Kernel %{name} \"{name}\"\n");
        code += &format!(
            "OpReturn\nOpFunctionEnd\n%{name} = OpFunction %void None %k.type\n%out{at} = OpFunctionParameter %p_uint\n%entry{at} = OpLabel\n{}",
            write(at)
        );
    }
    code += "OpReturn\nOpFunctionEnd\n";
    code += functions;
    kernel(&declarations, "%p_uint %out0", &code).unwrap()
}

/// Returns a module whose kernels write their numbers.
fn numbers() -> Vec<u8> {
    module("", "%valueAT = OpIAdd %uint NUMBER %u_0", "")
}

/// Returns what a kernel writes.
fn written(fixture: &Fixture, program: &Program, name: &str) -> u32 {
    let (kernel, out) = (program.kernel(name), fixture.device_memory(4));
    fixture.write(&out, &[99_u32]);
    kernel.pointer(0, out.start);
    fixture.launch(kernel.raw, &[1], Some(&[1]));
    fixture.finish();
    fixture.read::<u32>(&out, 1)[0]
}

fn created() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&numbers()));
    let (mut count, mut names) = (0_usize, [0_u8; 64]);
    ok!(piProgramGetInfo(program.raw, PI_PROGRAM_INFO_NUM_KERNELS, 8, (&raw mut count).cast(), null_mut()));
    let room = names.as_mut_ptr().cast();
    ok!(piProgramGetInfo(program.raw, PI_PROGRAM_INFO_KERNEL_NAMES, names.len(), room, null_mut()));
    assert_eq!(count, 4);
    assert!(names.starts_with(b"k;one;two;three\0"), "{}", String::from_utf8_lossy(&names));
    for (name, number) in [("three", 3), ("one", 1), ("three", 3)] {
        assert_eq!(written(&fixture, &program, name), number);
    }
    fails!(piKernelCreate(program.raw, c"four".as_ptr(), &mut null_mut()), PI_ERROR_INVALID_KERNEL_NAME);
}

/// The NVVM IR is the same with these options, and the code that libnvvm makes of it is another.
fn options() {
    let fixture = Fixture::new();
    for options in [c"", c"-cl-denorms-are-zero", c"-cl-opt-disable", c"-cl-denorms-are-zero"] {
        let program = fixture.unbuilt(&numbers());
        ok!(piProgramBuild(program.raw, 1, &fixture.device, options.as_ptr(), None, null_mut()));
        assert_eq!(written(&fixture, &program, "one"), 1);
    }
}

fn threads() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&numbers()));
    let (raw, start) = (program.raw.expose_provenance(), Barrier::new(8));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (program, mut kernel) = (std::ptr::with_exposed_provenance_mut(raw), null_mut());
                start.wait();
                ok!(piKernelCreate(program, c"two".as_ptr(), &mut kernel));
                ok!(piKernelRelease(kernel));
            });
        }
    });
    assert_eq!(written(&fixture, &program, "two"), 2);
}

/// Kernels count in the same variable, and the host may name a variable that no kernel uses.
fn variables() {
    let fixture = Fixture::new();
    let counter = "%counter = OpVariable %p_uint CrossWorkgroup %u_7\n";
    let count = "%valueAT = OpAtomicIAdd %uint %counter %device %relaxed %u_1";
    let program = fixture.build(fixture.unbuilt(&module(counter, count, "")));
    for (name, before) in [("one", 7), ("two", 8), ("one", 9)] {
        assert_eq!(written(&fixture, &program, name), before);
    }
    let named = "
        %named = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %named LinkageAttributes \"named\" Export\n";
    fixture.build(fixture.unbuilt(&module(named, "%valueAT = OpIAdd %uint NUMBER %u_0", "")));
}

/// Kernels call a function by its address.
fn pointers() {
    let fixture = Fixture::new();
    let pointer = "
        %twice.type = OpTypeFunction %uint %uint
        %p_twice = OpTypePointer 5605 %twice.type
        %pointer = OpConstantFunctionPointerINTEL %p_twice %twice\n";
    let twice = "
        %twice = OpFunction %uint None %twice.type
        %number = OpFunctionParameter %uint
        %twice.entry = OpLabel
        %both = OpIAdd %uint %number %number
        OpReturnValue %both
        OpFunctionEnd\n";
    let call = "%valueAT = OpFunctionPointerCallINTEL %uint %pointer NUMBER";
    let program = fixture.build(fixture.unbuilt(&module(pointer, call, twice)));
    assert_eq!(written(&fixture, &program, "two"), 4);
    assert_eq!(written(&fixture, &program, "three"), 6);
}

/// clang turns constant arrays into tables: variables with a decoration.
fn table() {
    let fixture = Fixture::new();
    let table = "
        OpDecorate %table Constant
        %table = OpVariable %p_uint CrossWorkgroup %u_7\n";
    let read = "%valueAT = OpLoad %uint %table Aligned 4";
    let program = fixture.build(fixture.unbuilt(&module(table, read, "")));
    assert_eq!(written(&fixture, &program, "one"), 7);
    assert_eq!(written(&fixture, &program, "two"), 7);
}

fn one() {
    let fixture = Fixture::new();
    fixture.build(fixture.unbuilt(&kernel("", "%p_uint %out", "OpStore %out %u_7 Aligned 4").unwrap()));
}

fn binary() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&numbers()));
    let again = fixture.build(fixture.binary(&program_binary(&program), &[]));
    let third = fixture.build(fixture.binary(&program_binary(&again), &[]));
    for program in [third, program, again] {
        assert_eq!(written(&fixture, &program, "two"), 2);
    }
}

fn native() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&numbers()));
    let mut module = 0;
    assert_eq!(written(&fixture, &program, "one"), 1);
    ok!(piextProgramGetNativeHandle(program.raw, &mut module));
    let find: unsafe extern "C" fn(*mut *mut (), pi_native_handle, *const i8) -> i32 =
        software::function("cuModuleGetFunction");
    for name in NAMES {
        let (mut function, name) = (null_mut(), CString::new(name).unwrap());
        // SAFETY: a module of the driver's, and a NUL-terminated name.
        assert_eq!(unsafe { find(&mut function, module, name.as_ptr()) }, 0, "{name:?}");
    }
}

fn unloaded() {
    let fixture = Fixture::new();
    let create = |names: &[&str]| {
        let program = fixture.build(fixture.unbuilt(&numbers()));
        names.iter().for_each(|name| drop(program.kernel(name)));
    };
    create(&["k"]);
    let before = is_software().then(software::live);
    create(&["one", "two"]);
    assert_eq!(is_software().then(software::live), before);
}

fn refused_by_driver() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&numbers()));
    if is_software() {
        const INVALID_PTX: u32 = 218;
        software::inject(&format!("cuModuleLoadDataEx:1:{INVALID_PTX}"));
        let name = c"two".as_ptr();
        let why = fails!(piKernelCreate(program.raw, name, &mut null_mut()), PI_ERROR_PLUGIN_SPECIFIC_ERROR);
        assert!(why.contains("kernel \"two\" cannot be compiled") && why.contains("PTX"), "{why}");
        let mut log = vec![0_u8; 1 << 12];
        let (room, name) = (log.as_mut_ptr().cast(), PI_PROGRAM_BUILD_INFO_LOG);
        ok!(piProgramGetBuildInfo(program.raw, fixture.device, name, log.len(), room, null_mut()));
        assert!(
            String::from_utf8_lossy(&log).contains("kernel \"two\" cannot be compiled"),
            "the build log has it too"
        );
    }
    assert_eq!(written(&fixture, &program, "two"), 2);
}

fn untranslatable() {
    let fixture = Fixture::new();
    let sum = "%valueAT = OpIAdd %uint NUMBER %u_0";
    let wide = |name: &str| format!("OpExecutionMode %{name} SubgroupSizeMode 64\n");
    let program = fixture.build(fixture.unbuilt(&module(&wide("two"), sum, "")));
    let why =
        fails!(piKernelCreate(program.raw, c"two".as_ptr(), &mut null_mut()), PI_ERROR_INVALID_OPERATION);
    assert!(why.contains("kernel two requires sub-groups of 64 work-items"), "{why}");
    assert_eq!(written(&fixture, &program, "three"), 3);
    let program = fixture.unbuilt(&module(&NAMES.map(wide).concat(), sum, ""));
    let why = fails!(
        piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    assert!(why.contains("kernel k requires sub-groups of 64 work-items"), "{why}");
}
