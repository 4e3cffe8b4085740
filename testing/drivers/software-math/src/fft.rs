//! cuFFT.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex};

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

use crate::faults::calls;
use crate::stream::{at, later};

const INVALID_PLAN: c_int = 1;
const INVALID_VALUE: c_int = 4;
const INVALID_SIZE: c_int = 8;

/// The layout of one side's numbers.
#[derive(Clone, Default)]
struct Side {
    extents: Vec<i64>,
    stride: i64,
    distance: i64,
}

#[derive(Clone, Default)]
struct Plan {
    lengths: Vec<i64>,
    input: Side,
    output: Side,
    kind: c_int,
    count: i64,
    stream: usize,
    has_area: bool,
}

static PLANS: Mutex<BTreeMap<c_int, Plan>> = Mutex::new(BTreeMap::new());

fn with(plan: c_int, work: impl FnOnce(&mut Plan) -> c_int) -> c_int {
    PLANS.lock().unwrap().get_mut(&plan).map_or(INVALID_PLAN, work)
}

calls! {
    fn cufftCreate(plan: *mut c_int) {
        let mut plans = PLANS.lock().unwrap();
        let number = plans.last_key_value().map_or(1, |(number, _)| number + 1);
        plans.insert(number, Plan::default());
        // SAFETY: the caller's pointer.
        unsafe { *plan = number };
        0
    }

    fn cufftDestroy(plan: c_int) {
        if PLANS.lock().unwrap().remove(&plan).is_some() { 0 } else { INVALID_PLAN }
    }

    fn cufftSetAutoAllocation(plan: c_int, _: c_int) {
        with(plan, |_| 0)
    }

    fn cufftSetStream(plan: c_int, stream: *mut c_void) {
        with(plan, |plan| {
            plan.stream = stream.expose_provenance();
            0
        })
    }

    fn cufftSetWorkArea(plan: c_int, memory: u64) {
        with(plan, |plan| {
            plan.has_area = memory != 0;
            0
        })
    }

    fn cufftMakePlanMany64(
        plan: c_int, rank: c_int, n: *const i64, inembed: *const i64, istride: i64, idist: i64,
        onembed: *const i64, ostride: i64, odist: i64, kind: c_int, batch: i64, size: *mut usize
    ) {
        // SAFETY: the caller guarantees this number of elements.
        let list = |list: *const i64| unsafe { std::slice::from_raw_parts(list, rank as usize) }.to_vec();
        let lengths = list(n);
        let side = |extents, stride, distance| Side { extents: list(extents), stride, distance };
        let (input, output) = (side(inembed, istride, idist), side(onembed, ostride, odist));
        if lengths.iter().any(|&length| length < 1) || batch < 1 || !(1..=3).contains(&rank) {
            return INVALID_SIZE;
        }
        let fits =
            |side: &Side| side.stride > 0 && side.distance > 0 && side.extents.iter().all(|&extent| extent > 0);
        let halved = lengths.last().map(|last| last / 2 + 1);
        // An extent must hold its dimension. The outermost is ignored.
        let holds = |side: &Side, is_halved: bool| {
            let needed = lengths.iter().enumerate().skip(1).map(|(axis, &length)| {
                if is_halved && axis + 1 == lengths.len() { halved.unwrap_or(length) } else { length }
            });
            side.extents.iter().skip(1).zip(needed).all(|(&extent, length)| extent >= length)
        };
        let real = kind & !0x40;
        if !holds(&input, real == 0x2c) || !holds(&output, real == 0x2a) {
            return INVALID_SIZE;
        }
        if !fits(&input) || !fits(&output) {
            return INVALID_VALUE;
        }
        // SAFETY: the caller's pointer.
        unsafe { *size = 1000 };
        with(plan, |plan| {
            *plan = Plan { lengths, input, output, kind, count: batch, ..Plan::default() };
            0
        })
    }
}

impl Side {
    /// Returns the index of a number with these indices, in transform `number`.
    fn place(&self, indices: &[i64], number: i64) -> usize {
        let mut place = 0;
        for (axis, index) in indices.iter().enumerate() {
            place = if axis == 0 { *index } else { place * self.extents[axis] + index };
        }
        (number * self.distance + place * self.stride) as usize
    }
}

/// Returns all lists of indices below `lengths`, the last varying fastest.
fn indices(lengths: &[i64]) -> Vec<Vec<i64>> {
    lengths.iter().fold(vec![Vec::new()], |all, &length| {
        let longer = |list: Vec<i64>| (0..length).map(move |index| [list.clone(), vec![index]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// Loads one real number of a real or complex array.
fn load(address: u64, place: usize, double: bool) -> f64 {
    // SAFETY: inside the caller's array.
    unsafe {
        if double {
            at::<f64>(address).add(place).read()
        } else {
            f64::from(at::<f32>(address).add(place).read())
        }
    }
}

fn store(address: u64, place: usize, double: bool, number: f64) {
    // SAFETY: inside the caller's array.
    unsafe {
        if double {
            at::<f64>(address).add(place).write(number);
        } else {
            at::<f32>(address).add(place).write(number as f32);
        }
    }
}

/// Transforms one dimension after the other.
fn transform(numbers: &mut [Complex<f64>], lengths: &[i64], forward: bool) {
    let mut planner = FftPlanner::new();
    let mut step = 1;
    for &length in lengths.iter().rev() {
        let length = length as usize;
        let fft: Arc<dyn rustfft::Fft<f64>> =
            if forward { planner.plan_fft_forward(length) } else { planner.plan_fft_inverse(length) };
        let mut line = vec![Complex::default(); length];
        for start in (0..numbers.len()).filter(|start| start / step % length == 0) {
            line.iter_mut().enumerate().for_each(|(index, number)| *number = numbers[start + index * step]);
            fft.process(&mut line);
            line.iter().enumerate().for_each(|(index, number)| numbers[start + index * step] = *number);
        }
        step *= length;
    }
}

calls! {
    fn cufftXtExec(plan: c_int, input: u64, output: u64, direction: c_int) {
        let Some(plan) = PLANS.lock().unwrap().get(&plan).filter(|plan| plan.has_area).cloned() else {
            return INVALID_PLAN;
        };
        let double = plan.kind & 0x40 != 0;
        let (from_real, to_real) = (plan.kind & !0x40 == 0x2a, plan.kind & !0x40 == 0x2c);
        // As in cuFFT, real numbers must be aligned like complex ones.
        let complex_size = if double { 16 } else { 8 };
        if from_real && !input.is_multiple_of(complex_size) || to_real && !output.is_multiple_of(complex_size) {
            return INVALID_VALUE;
        }
        later(plan.stream, move || {
            let forward = from_real || !to_real && direction == -1;
            let all = indices(&plan.lengths);
            let halved = |list: &[i64]| {
                let mut lengths = list.to_vec();
                if let Some(last) = lengths.last_mut() {
                    *last = *last / 2 + 1;
                }
                lengths
            };
            let is_kept = |list: &[i64]| list.last() < halved(&plan.lengths).last();
            let read: Vec<Vec<Complex<f64>>> = (0..plan.count)
                .map(|number| {
                    let one = |list: &Vec<i64>| {
                        if from_real {
                            return Complex::new(load(input, plan.input.place(list, number), double), 0.0);
                        }
                        let complex = |list: &[i64]| {
                            let place = 2 * plan.input.place(list, number);
                            Complex::new(load(input, place, double), load(input, place + 1, double))
                        };
                        if to_real && !is_kept(list) {
                            let opposite = |(index, length): (&i64, &i64)| (length - index) % length;
                            let mirrored: Vec<i64> = list.iter().zip(&plan.lengths).map(opposite).collect();
                            return complex(&mirrored).conj();
                        }
                        complex(list)
                    };
                    all.iter().map(one).collect()
                })
                .collect();
            if to_real && input != output {
                // cuFFT overwrites the input.
                for list in indices(&halved(&plan.lengths)) {
                    for number in 0..plan.count {
                        store(input, 2 * plan.input.place(&list, number), double, f64::NAN);
                    }
                }
            }
            for (number, mut numbers) in read.into_iter().enumerate() {
                transform(&mut numbers, &plan.lengths, forward);
                for (list, value) in all.iter().zip(numbers) {
                    let place = plan.output.place(list, number as i64);
                    if to_real {
                        store(output, place, double, value.re);
                    } else if !from_real || is_kept(list) {
                        store(output, 2 * place, double, value.re);
                        store(output, 2 * place + 1, double, value.im);
                    }
                }
            }
        })
    }
}
