//! Fourier transforms, on cuFFT. Plans are cached, because callers of oneMKL create a descriptor for each transform.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::call::{answer, stream};
use crate::driver::{Stream, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::fft_layout::{RANK, Side, Transform};
use crate::fft_plan::{Place, PlanArguments, Step};
use crate::fft_schedule::{Memory, Schedule};
use crate::libraries::{Opened, did_not_start};
use crate::pool::IdlePool;
use crate::strided::Dimension;
use crate::vectors;
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
    /// The stream and the memory that were last set.
    stream: usize,
    memory: u64,
}

/// The number of different plans that are cached.
const PLANS: usize = 64;

static IDLE: IdlePool<(usize, PlanArguments), Plan> = IdlePool::new();

impl Plan {
    fn create(fft: &Fft, arguments: &PlanArguments) -> Result<Self> {
        let mut plan = Self { number: 0, workspace: 0, stream: 0, memory: 0 };
        fft.cufftCreate(&mut plan.number).map_err(did_not_start)?;
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

/// A transform as `rim/` describes it: `pi_math_transform` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct ToldTransform {
    element: c_int,
    forward: c_int,
    rank: i64,
    lengths: [i64; RANK],
    count: i64,
    /// The offset, then a stride for each dimension.
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
        let element = Element::from_number(self.element)?;
        let side = |[offset, strides @ ..]: [i64; RANK + 1], distance| {
            // The distance after the only transform has no meaning.
            Side { offset, strides, distance: if self.count == 1 { 0 } else { distance } }
        };
        let mut transform = Transform {
            element,
            rank: self.rank as usize,
            lengths: self.lengths,
            count: self.count,
            input: side(self.input_strides, self.input_distance),
            output: side(self.output_strides, self.output_distance),
            forward: self.forward != 0,
            scale: self.scale,
        };
        transform.drop_single_numbers();
        Ok(transform)
    }
}

/// Checks whether a transform is supported, by its layout and by the library.
///
/// # Safety
/// `told` points to a transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_fft_check(told: *const ToldTransform) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        unsafe { &*told }.read()?.check()?;
        fft().map(|_| ())
    })
}

/// Computes a transform from `input` to `output`, which may be the same.
///
/// # Safety
/// `told` points to a transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_fft(told: *const ToldTransform, input: u64, output: u64) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let told = unsafe { &*told }.read()?;
        let (fft, stream) = (fft()?, stream()?);
        for plan in IDLE.drain_above(PLANS) {
            fft.cufftDestroy(plan.number)?;
        }
        let schedule = Schedule::new(&told, input, output)?;
        let own = schedule.own_input + schedule.own_output;
        if own == 0 {
            return execute(fft, stream, &schedule, input, output);
        }
        workspace::with(stream, |memory| {
            let memory = memory.at_least(own)?;
            let own_output = memory + schedule.own_input as u64;
            let from = if schedule.input == Memory::Callers { input } else { memory };
            let to = if schedule.output == Memory::Callers { output } else { own_output };
            gather(stream, &told, &schedule, input, from)?;
            execute(fft, stream, &schedule, from, to)?;
            scatter(stream, &told, &schedule, to, output)
        })
    })
}

/// Copies the input to where cuFFT reads it.
fn gather(stream: Stream, told: &Transform, schedule: &Schedule, input: u64, to: u64) -> Result<()> {
    match schedule.input {
        Memory::Callers => Ok(()),
        Memory::Copy => {
            let lengths = told.input_lengths();
            let bytes = told.input.span(told.rank, lengths, told.count) as usize * told.sizes().0;
            driver()?.cuMemcpyDtoDAsync_v2(to, input, bytes, stream.raw)
        }
        Memory::Packed => {
            let (from_side, to_side) = (&told.input, &schedule.transform.input);
            let dimensions = from_side.beside(to_side, told.rank, told.input_lengths(), told.count);
            vectors::copy(stream, told.elements().0, dimensions, (input, from_side.offset), (to, 0))
        }
    }
}

/// Copies the output from where cuFFT wrote it.
fn scatter(stream: Stream, told: &Transform, schedule: &Schedule, from: u64, output: u64) -> Result<()> {
    if schedule.output == Memory::Callers {
        return Ok(());
    }
    let (from_side, to_side) = (&schedule.transform.output, &told.output);
    let dimensions = from_side.beside(to_side, told.rank, told.output_lengths(), told.count);
    vectors::copy(stream, told.elements().1, dimensions, (from, 0), (output, to_side.offset))
}

/// Runs the steps and scales the result.
fn execute(fft: &Fft, stream: Stream, schedule: &Schedule, input: u64, output: u64) -> Result<()> {
    let transform = &schedule.transform;
    for step in &schedule.steps {
        let key = (stream.context, step.plan.clone());
        IDLE.with(
            key,
            || Plan::create(fft, &step.plan),
            |plan| run(fft, stream, transform, step, plan, input, output),
        )?;
    }
    if transform.scale == 1.0 {
        return Ok(());
    }
    let Transform { output: side, rank, count, .. } = *transform;
    let dimensions = side.dimensions(rank, transform.output_lengths(), count);
    let dimensions = dimensions.map(|(length, step)| Dimension { length, steps: [step] }).collect();
    vectors::scale(stream, transform.elements().1, transform.scale, dimensions, (output, side.offset))
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
    let address = |place: Place, start: i64| match place {
        Place::Input => input.wrapping_add_signed(start * input_size as i64),
        Place::Output => output.wrapping_add_signed(start * output_size as i64),
    };
    workspace::with(stream, |memory| {
        let memory = memory.at_least(plan.workspace.max(1))?;
        if plan.stream != stream.address() {
            fft.cufftSetStream(plan.number, stream.raw)?;
            plan.stream = stream.address();
        }
        if plan.memory != memory {
            fft.cufftSetWorkArea(plan.number, memory)?;
            plan.memory = memory;
        }
        let direction = if transform.forward { -1 } else { 1 };
        step.starts.iter().try_for_each(|&[from, to]| {
            fft.cufftXtExec(plan.number, address(step.from, from), address(step.to, to), direction)
        })
    })
}
