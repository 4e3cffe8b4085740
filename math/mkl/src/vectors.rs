//! Vector operations, on cuBLAS.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int};

use crate::call::{answer, stream};
use crate::cublas::{Aligned, Blas, Number, with_handle, with_handle_alone};
use crate::driver::{Stream, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::strided::{Dimension, lines};

/// Computes the dot product of two vectors, and writes it to memory that the device can access.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_dot(
    element: c_int,
    conjugated: c_int,
    n: i64,
    x: u64,
    ix: i64,
    y: u64,
    iy: i64,
    result: u64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let stream = stream()?;
        if n <= 0 {
            return driver()?.cuMemsetD8Async(result, 0, element.size(), stream.raw);
        }
        let call = match (element, conjugated != 0) {
            (Element::Float, _) => Blas::cublasSdot_v2_64,
            (Element::Double, _) => Blas::cublasDdot_v2_64,
            (Element::ComplexFloat, false) => Blas::cublasCdotu_v2_64,
            (Element::ComplexDouble, false) => Blas::cublasZdotu_v2_64,
            (Element::ComplexFloat, true) => Blas::cublasCdotc_v2_64,
            (Element::ComplexDouble, true) => Blas::cublasZdotc_v2_64,
        };
        with_handle(stream, |blas, handle| {
            blas.cublasSetPointerMode_v2(handle, ON_DEVICE)?;
            let done = call(blas, handle, n, x, ix, y, iy, result);
            blas.cublasSetPointerMode_v2(handle, ON_HOST)?;
            done
        })
    })
}

const ON_HOST: c_int = 0;
const ON_DEVICE: c_int = 1;

/// Multiplies a vector by a number.
///
/// # Safety
/// `alpha` is a number of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_scal(
    element: c_int,
    n: i64,
    alpha: Number,
    x: u64,
    ix: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let number = element.cuda_type();
        // SAFETY: guaranteed by the caller.
        let alpha = unsafe { Aligned::copy(alpha, element) };
        // The numbers are the same in either direction, and cuBLAS supports only one.
        let ix = ix.abs();
        with_handle(stream()?, |blas, handle| {
            blas.cublasScalEx_64(handle, n, alpha.address(), number, x, number, ix, number)
        })
    })
}

/// Multiplies numbers by a real number.
pub(crate) fn scale(
    stream: Stream,
    element: Element,
    factor: f64,
    mut dimensions: Vec<Dimension<1>>,
    (memory, start): (u64, i64),
) -> Result<()> {
    // The parts of complex numbers are scaled separately, because a product with a complex number would compute
    // infinity times 0.
    let real = element.real();
    let parts = (element.size() / real.size()) as i64;
    for dimension in &mut dimensions {
        dimension.steps[0] *= parts;
    }
    dimensions.push(Dimension { length: parts, steps: [1] });
    let (factor, number) = (Aligned::real(real, factor), real.cuda_type());
    let all = lines(dimensions, [start * parts]);
    with_handle_alone(stream, |blas, handle| {
        all.starts.iter().try_for_each(|&[start]| {
            let x = memory.wrapping_add_signed(start * real.size() as i64);
            let (length, step) = (all.line.length, all.line.steps[0]);
            blas.cublasScalEx_64(handle, length, factor.address(), number, x, number, step, number)
        })
    })
}

/// Copies numbers between two memories, each with its own strides and start.
pub(crate) fn copy(
    stream: Stream,
    element: Element,
    dimensions: Vec<Dimension<2>>,
    (from, from_start): (u64, i64),
    (to, to_start): (u64, i64),
) -> Result<()> {
    let call = match element {
        Element::Float => Blas::cublasScopy_v2_64,
        Element::Double => Blas::cublasDcopy_v2_64,
        Element::ComplexFloat => Blas::cublasCcopy_v2_64,
        Element::ComplexDouble => Blas::cublasZcopy_v2_64,
    };
    let all = lines(dimensions, [from_start, to_start]);
    let Dimension { length, steps: [from_step, to_step] } = all.line;
    // For a negative stride, BLAS requires the lowest address.
    let place = |memory: u64, start: i64, step: i64| {
        memory.wrapping_add_signed((start + step.min(0) * (length - 1)) * element.size() as i64)
    };
    with_handle_alone(stream, |blas, handle| {
        all.starts.iter().try_for_each(|&[from_start, to_start]| {
            let (x, y) = (place(from, from_start, from_step), place(to, to_start, to_step));
            call(blas, handle, length, x, from_step, y, to_step)
        })
    })
}
