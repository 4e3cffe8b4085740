//! Calls every entry point of the list with nothing, and with live objects but no pointers.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use sycl_pi_core::table::entry_point;
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    for version in Version::ALL {
        let name = version.text().replace('.', "_");
        registry.add(format!("bad_input::zero_arguments_are_refused_by_all_of_pi_{name}"), true, move || {
            zero_arguments(version);
        });
        registry.add(
            format!("bad_input::live_objects_without_pointers_harm_nothing_of_pi_{name}"),
            true,
            move || {
                live_objects(version);
            },
        );
    }
    cases!(
        registry,
        "bad_input",
        [last_error_needs_a_place, a_missing_origin_of_a_box_has_its_parameter_s_name],
        isolated[a_fault_ends_only_its_own_process]
    );
}

/// Returns a live object of the fixture for a parameter of that type. Method resolution tries this trait first.
trait Live<T> {
    fn live(&self, f: &Objects) -> T;
}
/// Returns zero for every other type.
trait Zero<T> {
    fn live(&self, f: &Objects) -> T;
}

impl<T> Zero<T> for &PhantomData<T> {
    fn live(&self, _: &Objects) -> T {
        // SAFETY: numbers, pointers and optional functions, for which all bits zero is valid.
        unsafe { std::mem::zeroed() }
    }
}

struct Objects {
    fixture: Fixture,
    mem: pi_mem,
    program: pi_program,
    kernel: pi_kernel,
    event: pi_event,
    sampler: pi_sampler,
}

macro_rules! live {
    ($($handle:ty => |$objects:ident| $value:expr;)*) => { $(
        impl Live<$handle> for PhantomData<$handle> {
            fn live(&self, $objects: &Objects) -> $handle { $value }
        }
    )* };
}

live! {
    pi_platform => |objects| objects.fixture.platform;
    pi_device => |objects| objects.fixture.device;
    pi_context => |objects| objects.fixture.context;
    pi_queue => |objects| objects.fixture.queue;
    pi_mem => |objects| objects.mem;
    pi_program => |objects| objects.program;
    pi_kernel => |objects| objects.kernel;
    pi_event => |objects| objects.event;
    pi_sampler => |objects| objects.sampler;
}

/// The name of a call, whether it is an older form, and its answer.
type Outcome = (&'static str, bool, pi_result);

macro_rules! call_all {
    (($table:ident, $before:ident, $argument:ident) $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {{
        let mut outcomes: Vec<Outcome> = Vec::new();
        $(
            if let Some(function) = $table.$name.filter(|_| $before(stringify!($name))) {
                // SAFETY: zeros and live objects, which must be accepted or refused. Zero is valid for each type.
                outcomes.push((stringify!($name), false, unsafe { function($($argument!($ty)),*) }));
                after($table, &outcomes);
            }
            $(
                if let Some(function) = $table.$old.filter(|_| $before(stringify!($name))) {
                    // SAFETY: zeros and live objects, which must be accepted or refused. Zero is valid for each type.
                    outcomes.push((stringify!($name), true, unsafe { function($($argument!($old_ty)),*) }));
                    after($table, &outcomes);
                }
            )?
        )*
        outcomes
    }};
}

/// Checks that an error's text names the call. `piPluginGetLastError` itself has no text.
fn after(table: &Table, outcomes: &[Outcome]) {
    let Some((name, _, code)) = outcomes.last() else { return };
    if *code == PI_SUCCESS || *name == "piPluginGetLastError" {
        return;
    }
    let mut message: *mut c_char = null_mut();
    // SAFETY: room for the text's address.
    let reported = unsafe { table.piPluginGetLastError.unwrap()(&mut message) };
    // SAFETY: the plugin's NUL-terminated text, which is valid until this thread's next call.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    assert_eq!(reported, *code, "{name}: the last error is another one: {text}");
    let rest = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
    assert!(rest.is_some_and(|rest| rest.len() > 4), "{name}: the text does not name the call: {text}");
}

/// Returns the codes that fit a call in which any argument may be the first missing one.
fn fitting(name: &str, version: Version) -> Vec<pi_result> {
    let mut codes = vec![PI_ERROR_INVALID_VALUE];
    for (_, ty) in entry_point(name).unwrap().params_in(version) {
        codes.push(match *ty {
            "pi_platform" => PI_ERROR_INVALID_PLATFORM,
            "pi_device" => PI_ERROR_INVALID_DEVICE,
            "pi_context" => PI_ERROR_INVALID_CONTEXT,
            "pi_queue" => PI_ERROR_INVALID_QUEUE,
            "pi_mem" => PI_ERROR_INVALID_MEM_OBJECT,
            "pi_program" => PI_ERROR_INVALID_PROGRAM,
            "pi_kernel" => PI_ERROR_INVALID_KERNEL,
            "pi_event" => PI_ERROR_INVALID_EVENT,
            "pi_sampler" => PI_ERROR_INVALID_SAMPLER,
            "pi_ext_command_buffer" => PI_ERROR_INVALID_COMMAND_BUFFER_KHR,
            "pi_native_handle" => native_code(name),
            _ => continue,
        });
    }
    codes
}

/// Returns the code for a native handle of 0, which means a missing object of that kind.
fn native_code(name: &str) -> pi_result {
    for (kind, code) in [
        ("Platform", PI_ERROR_INVALID_PLATFORM),
        ("Device", PI_ERROR_INVALID_DEVICE),
        ("Context", PI_ERROR_INVALID_CONTEXT),
        ("Queue", PI_ERROR_INVALID_QUEUE),
        ("Program", PI_ERROR_INVALID_PROGRAM),
        ("Kernel", PI_ERROR_INVALID_KERNEL),
        ("Event", PI_ERROR_INVALID_EVENT),
    ] {
        if name.contains(kind) {
            return code;
        }
    }
    PI_ERROR_INVALID_MEM_OBJECT
}

/// Prints the name of the next call, so that a crash can be attributed.
fn announce(name: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "calling {name}");
}

fn zero_arguments(version: Version) {
    let table = under_test(version);
    let before = |name: &str| {
        announce(name);
        // Tear-down takes no argument that matters, so it is the only call here that must succeed.
        name != "piTearDown"
    };
    macro_rules! zero {
        ($ty:ty) => {
            std::mem::zeroed::<$ty>()
        };
    }
    let outcomes = sycl_pi_core::for_each_entry_point!(call_all, table, before, zero);
    // The tear-down is in the table, but not among these.
    assert_eq!(outcomes.len(), table.function_count() - 1, "a function of the table was not called");
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|(name, _, code)| !fitting(name, version).contains(code))
        .map(|(name, old, code)| format!("{name}{} answered {code}", if *old { " (older form)" } else { "" }))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn live_objects(version: Version) {
    let f = Fixture::at(version);
    let flags = PI_MEM_FLAGS_ACCESS_RW;
    let mem = made!(f.pi, |out| piMemBufferCreate(f.context, flags, 64, null_mut(), out, null()));
    // One more reference each, so that the objects outlive their owners here.
    let program = *f.built_source().retained(|pi, program| call!(pi, piProgramRetain(program)));
    let kernel = *f.kernel(program, c"add_value").retained(|pi, kernel| call!(pi, piKernelRetain(kernel)));
    let event = f.signalled_event();
    let sampler = made!(f.pi, |out| piSamplerCreate(f.context, [0].as_ptr(), out));
    let table = f.pi;
    let objects = Objects { fixture: f, mem, program, kernel, event, sampler };
    // Releases would succeed with just a live object. They have their own tests.
    let before = |name: &str| {
        announce(name);
        !name.ends_with("Release") && name != "piTearDown" && name != "piextUSMRelease"
    };
    macro_rules! argument {
        ($ty:ty) => {
            (&PhantomData::<$ty>).live(&objects)
        };
    }
    let outcomes = sycl_pi_core::for_each_entry_point!(call_all, table, before, argument);
    let succeeded: Vec<&str> =
        outcomes.iter().filter(|(_, _, code)| *code == PI_SUCCESS).map(|(name, ..)| *name).collect();
    let unknown: Vec<&str> =
        outcomes.iter().filter(|(_, _, code)| *code == PI_ERROR_UNKNOWN).map(|(name, ..)| *name).collect();
    assert!(unknown.is_empty(), "a panic behind the fence: {unknown:?}");
    for name in &succeeded {
        assert!(HARMLESS.contains(name), "{name} succeeds without its pointers");
    }
    for name in ["piQueueFinish", "piContextRetain", "piEnqueueEventsWait"] {
        assert!(succeeded.contains(&name), "{name} needs nothing more and was refused");
    }
}

/// The calls for which a live object alone is enough.
const HARMLESS: &[&str] = &[
    "piDeviceRetain",
    "piContextRetain",
    "piQueueRetain",
    "piQueueFinish",
    "piQueueFlush",
    "piMemRetain",
    "piProgramRetain",
    "piProgramBuild",
    "piKernelRetain",
    "piEventRetain",
    "piSamplerRetain",
    "piGetDeviceAndHostTimer",
    "piEnqueueEventsWait",
    "piEnqueueEventsWaitWithBarrier",
    // Copies 0 bytes from a buffer to itself, which does nothing.
    "piEnqueueMemBufferCopy",
    // A null argument, which is allowed.
    "piextKernelSetArgMemObj",
];

fn last_error_needs_a_place() {
    let f = Fixture::new();
    let result = call!(f.pi, piPluginGetLastError(null_mut()));
    assert_eq!(result.unwrap_err().code(), Some(PI_ERROR_INVALID_VALUE));
}

fn a_missing_origin_of_a_box_has_its_parameter_s_name() {
    let f = Fixture::new();
    let (q, mem) = (f.queue, f.buffer(&[0_u8; 64]));
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let (none, here) = (null_mut(), &raw mut corner);
    for (first, second, in_host_memory, in_buffers) in
        [(none, here, "buffer_offset", "src_origin"), (here, none, "host_offset", "dst_origin")]
    {
        let region = null_mut();
        macro_rules! refused {
            ($function:ident($($leading:expr),*; $($ptr:expr)?), $name:expr) => {
                let result = call!(
                    f.pi,
                    $function($($leading,)* first, second, region, 0, 0, 0, 0, $($ptr,)? 0, null(), null_mut())
                );
                let error = result.unwrap_err().to_string();
                assert!(error.contains(&format!(" {} is null", $name)), "{error}");
            };
        }
        refused!(piEnqueueMemBufferReadRect(q, *mem, 1; null_mut()), in_host_memory);
        refused!(piEnqueueMemBufferWriteRect(q, *mem, 1; null()), in_host_memory);
        refused!(piEnqueueMemBufferCopyRect(q, *mem, *mem;), in_buffers);
    }
}

/// Tests the harness itself: only the case that faults fails.
fn a_fault_ends_only_its_own_process() {
    const INNER: &str = "PI_OPENCL_TESTS_FAULT";
    if std::env::var_os(INNER).is_some() {
        std::process::abort();
    }
    let own = std::env::var(child::CASE).unwrap();
    let failure = child::run(&own, &[(INNER, "1".into())]).unwrap_err();
    assert!(failure.contains("signal 6"), "{failure}");
}
