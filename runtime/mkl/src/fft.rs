//! Transforms, on cuFFT. Plans are kept, as callers of oneMKL make a descriptor for each transform.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::call::{answer, stream};
use crate::driver::{Stream, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::fft_layout::{PlanArguments, RANK, Side, Step, Transform};
use crate::libraries::Opened;
use crate::pool::Pool;
use crate::workspace;

driver_functions! {
    /// cuFFT.
    struct Fft {
        fn cufftCreate(plan: *mut c_int) -> c_int;
        fn cufftDestroy(plan: c_int) -> c_int;
        fn cufftSetAutoAllocation(plan: c_int, on: c_int) -> c_int;
        fn cufftMakePlanMany64(plan: c_int, rank: c_int, n: *const i64, inembed: *const i64, istride: i64, idist: i64,
            onembed: *const i64, ostride: i64, odist: i64, kind: c_int, batch: i64, size: *mut usize) -> c_int;
        fn cufftSetStream(plan: c_int, stream: *mut c_void) -> c_int;
        fn cufftSetWorkArea(plan: c_int, memory: u64) -> c_int;
        fn cufftXtExec(plan: c_int, input: u64, output: u64, direction: c_int) -> c_int;
    }
}

impl FromDriver<Fft> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: c_int) -> Result<()> {
        let why = match code {
            0 => return Ok(()),
            2 => "no memory on the device",
            4 => "an invalid value",
            5 => "internal error",
            6 => "the execution failed",
            7 => "it could not be set up",
            8 => "an invalid size",
            14 | 16 => "not supported",
            _ => "see cufftResult",
        };
        Err(format!("{function} answered {code}: {why}"))
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(format!("this cuFFT has no {function}: cuFFT of CUDA 12 or later is needed"))
    }
}

fn fft() -> Result<&'static Fft> {
    static FFT: Opened<Fft> = Opened::new();
    // SAFETY: cuFFT's functions have the types of the rows.
    FFT.functions(&sycl_pi_nvidia_files::CUFFT, |library| unsafe {
        Fft::resolve(|name| library.function(name))
    })
}

/// A plan of cuFFT in one context.
struct Plan {
    number: c_int,
    workspace: usize,
}

/// Kinds of plans that are kept.
const PLANS: usize = 64;

static IDLE: Pool<(usize, PlanArguments), Plan> = Pool::new();

impl Plan {
    fn create(fft: &Fft, arguments: &PlanArguments) -> Result<Self> {
        let mut plan = Self { number: 0, workspace: 0 };
        fft.cufftCreate(&mut plan.number)?;
        let made = fft.cufftSetAutoAllocation(plan.number, 0).and_then(|()| {
            fft.cufftMakePlanMany64(
                plan.number,
                arguments.lengths.len() as c_int,
                arguments.lengths.as_ptr(),
                arguments.input_extents.as_ptr(),
                arguments.input_stride,
                arguments.input_distance,
                arguments.output_extents.as_ptr(),
                arguments.output_stride,
                arguments.output_distance,
                arguments.kind,
                arguments.count,
                &mut plan.workspace,
            )
        });
        if let Err(why) = made {
            let _ = fft.cufftDestroy(plan.number);
            return Err(format!("{why} for a plan of {arguments:?}"));
        }
        Ok(plan)
    }
}

/// A transform as `rim/` tells it: `pi_math_transform` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct ToldTransform {
    element: c_int,
    forward: c_int,
    rank: i64,
    lengths: [i64; RANK],
    count: i64,
    /// The offset, then a step for each dimension.
    input_strides: [i64; RANK + 1],
    output_strides: [i64; RANK + 1],
    input_distance: i64,
    output_distance: i64,
    scale: f64,
}

impl ToldTransform {
    fn read(&self) -> Result<Transform> {
        if !(1..=RANK as i64).contains(&self.rank) {
            return Err(format!("cuFFT has no transforms of {} dimensions", self.rank));
        }
        let [first, input @ ..] = self.input_strides;
        let [start, output @ ..] = self.output_strides;
        if self.scale != 1.0 {
            return Err(format!("a transform with scale {} is not served: scale the result", self.scale));
        }
        Ok(Transform {
            element: Element::from_number(self.element)?,
            rank: self.rank as usize,
            lengths: self.lengths,
            count: self.count,
            input: Side { offset: first, strides: input, distance: self.input_distance },
            output: Side { offset: start, strides: output, distance: self.output_distance },
            forward: self.forward != 0,
        })
    }
}

/// Whether a transform will be served: its layout, and the library.
///
/// # Safety
/// `told` is a transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_fft_check(told: *const ToldTransform) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        unsafe { &*told }.read()?.steps()?;
        fft().map(|_| ())
    })
}

/// A transform from `input` to `output`, which may be the same.
///
/// # Safety
/// `told` is a transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_fft(told: *const ToldTransform, input: u64, output: u64) -> *const c_char {
    answer(|| {
        // SAFETY: as above.
        let transform = unsafe { &*told }.read()?;
        let (fft, stream) = (fft()?, stream()?);
        for plan in IDLE.drain_above(PLANS) {
            fft.cufftDestroy(plan.number)?;
        }
        for step in transform.steps()? {
            let key = (stream.context, step.plan.clone());
            IDLE.with(
                key,
                || Plan::create(fft, &step.plan),
                |plan| run(fft, stream, &transform, &step, plan, input, output),
            )?;
        }
        Ok(())
    })
}

/// Executes a plan on the stream.
fn run(
    fft: &Fft,
    stream: Stream,
    transform: &Transform,
    step: &Step,
    plan: &mut Plan,
    input: u64,
    output: u64,
) -> Result<()> {
    let (input_size, output_size) = transform.sizes();
    // cuFFT overwrites what a transform from complex to real numbers reads.
    let copied = if transform.is_real() && !transform.forward && input != output {
        transform.input_span().unsigned_abs() as usize * input_size
    } else {
        0
    };
    let area = plan.workspace.next_multiple_of(256);
    workspace::with(stream, |memory| {
        let memory = memory.at_least((area + copied).max(1))?;
        let mut from = if step.on_output { output } else { input };
        if copied > 0 {
            driver()?.cuMemcpyDtoDAsync_v2(memory + area as u64, from, copied, stream.raw)?;
            from = memory + area as u64;
        }
        let from_size = if step.on_output { output_size } else { input_size };
        let from = from.wrapping_add_signed(step.input_at * from_size as i64);
        let to = output.wrapping_add_signed(step.output_at * output_size as i64);
        fft.cufftSetStream(plan.number, stream.raw)?;
        fft.cufftSetWorkArea(plan.number, memory)?;
        fft.cufftXtExec(plan.number, from, to, if transform.forward { -1 } else { 1 })
    })
}
