//! Matrix products: primitive descriptors, and the products that cuBLAS computes for them.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use crate::attributes::{Attributes, require_none};
use crate::description::{Descriptor, Tensor, is_nothing};
use crate::engine::Engine;
use crate::forward::functions;
use crate::layout::{Matrix, batch};
use crate::object::{Head, Object, put};
use crate::status::{INVALID_ARGUMENTS, Result, UNIMPLEMENTED};

/// `dnnl_data_type_t`.
mod data_type {
    use std::ffi::c_int;

    pub(super) const HALF: c_int = 1;
    pub(super) const BFLOAT16: c_int = 2;
    pub(super) const FLOAT: c_int = 3;
    pub(super) const INT32: c_int = 4;
    pub(super) const INT8: c_int = 5;
    pub(super) const DOUBLE: c_int = 7;
}

/// The description of a product: `pi_math_product` of `math/mkl/rim/pi_math.hpp`. In a descriptor, the addresses `a`, `b`
/// and `c` are 0; a primitive fills them in for each run.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Product {
    kind: c_int,
    ta: c_int,
    tb: c_int,
    m: i64,
    n: i64,
    k: i64,
    alpha: [u64; 2],
    beta: [u64; 2],
    pub(crate) a: u64,
    lda: i64,
    stride_a: i64,
    pub(crate) b: u64,
    ldb: i64,
    stride_b: i64,
    pub(crate) c: u64,
    ldc: i64,
    stride_c: i64,
    count: i64,
}

// As in the C++ header.
const _: () = assert!(std::mem::size_of::<Product>() == 152 && std::mem::offset_of!(Product, count) == 144);

/// The part that all copies of a primitive descriptor, and its primitives, share.
#[derive(Debug)]
pub(crate) struct SharedProduct {
    pub(crate) engine: Arc<Engine>,
    pub(crate) attributes: Attributes,
    /// A, B and C, which oneDNN calls source, weights and destination.
    pub(crate) descriptors: [Descriptor; 3],
    /// The offset of each of them in its memory, in bytes.
    pub(crate) offsets: [i64; 3],
    /// Whether the column-major product computes C's transpose, from the transposes of B and A.
    pub(crate) is_swapped: bool,
    pub(crate) product: Product,
}

impl SharedProduct {
    /// Returns whether a matrix has no numbers. If so, nothing is computed: as with the vendor's library, such a
    /// product leaves the result unchanged.
    pub(crate) fn is_empty(&self) -> bool {
        let Product { m, n, k, count, .. } = self.product;
        [m, n, k, count].contains(&0)
    }
}

/// A primitive descriptor.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct PrimitiveDescriptor {
    head: Head,
    pub(crate) shared: Arc<SharedProduct>,
}

// SAFETY: it begins with a head.
unsafe impl Object for PrimitiveDescriptor {}

impl PrimitiveDescriptor {
    pub(crate) fn new(shared: &Arc<SharedProduct>) -> Self {
        Self { head: Head::new(), shared: Arc::clone(shared) }
    }
}

/// Kinds of products in `pi_math.hpp`.
const FLOATS: c_int = 0;
const FLOATS_AS_TF32: c_int = 10;

/// Returns the kind of product in `pi_math.hpp` for the types of A, B and C, and the number one in the type of the
/// computation.
fn kind_of([a, b, c]: [c_int; 3]) -> Result<(c_int, u64)> {
    use data_type::{BFLOAT16, DOUBLE, FLOAT, HALF, INT8, INT32};
    let float = u64::from(1_f32.to_bits());
    Ok(match (a, b, c) {
        (FLOAT, FLOAT, FLOAT) => (FLOATS, float),
        (DOUBLE, DOUBLE, DOUBLE) => (1, 1_f64.to_bits()),
        (HALF, HALF, HALF) => (4, float),
        (HALF, HALF, FLOAT) => (5, float),
        (INT8, INT8, INT32) => (7, 1),
        (BFLOAT16, BFLOAT16, BFLOAT16) => (8, float),
        (BFLOAT16, BFLOAT16, FLOAT) => (9, float),
        _ => return Err(UNIMPLEMENTED),
    })
}

fn size_of(data_type: c_int) -> i64 {
    match data_type {
        data_type::DOUBLE => 8,
        data_type::FLOAT | data_type::INT32 => 4,
        data_type::HALF | data_type::BFLOAT16 => 2,
        _ => 1,
    }
}

/// Splits a tensor's lengths and strides into those of the batch and those of the matrix.
fn split(tensor: &Tensor) -> Result<(Vec<(i64, i64)>, Matrix)> {
    let mut dimensions: Vec<(i64, i64)> =
        tensor.lengths.iter().copied().zip(tensor.strides.iter().copied()).collect();
    let (Some((columns, column_stride)), Some((rows, row_stride))) = (dimensions.pop(), dimensions.pop())
    else {
        return Err(INVALID_ARGUMENTS);
    };
    Ok((dimensions, Matrix { rows, columns, row_stride, column_stride }))
}

/// Returns the product of tensors, and whether A and B are swapped.
fn product_of(tensors: &[Tensor; 3]) -> Result<(Product, bool)> {
    let [ta, tb, tc] = tensors;
    let ((batch_a, a), (batch_b, b), (batch_c, c)) = (split(ta)?, split(tb)?, split(tc)?);
    let is_one_number = batch_a.len() == batch_b.len() && batch_b.len() == batch_c.len();
    if !is_one_number || a.columns != b.rows || a.rows != c.rows || b.columns != c.columns {
        return Err(INVALID_ARGUMENTS);
    }
    let all = batch_a.into_iter().zip(batch_b).zip(batch_c).map(|((a, b), c)| [a, b, c]);
    let batch = batch(all)?;
    let (kind, one) = kind_of(tensors.each_ref().map(|tensor| tensor.data_type))?;
    let is_swapped = c.leading().is_none();
    let [mut stride_a, mut stride_b, stride_c] = batch.strides;
    let (mut left, mut right, mut result) = (a, b, c);
    if is_swapped {
        (left, right, result) = (b.transposed(), a.transposed(), c.transposed());
        (stride_a, stride_b) = (stride_b, stride_a);
    }
    let ldc = result.leading().ok_or(UNIMPLEMENTED)?;
    let (is_left_transposed, lda) = left.operand().ok_or(UNIMPLEMENTED)?;
    let (is_right_transposed, ldb) = right.operand().ok_or(UNIMPLEMENTED)?;
    let product = Product {
        kind,
        ta: c_int::from(is_left_transposed),
        tb: c_int::from(is_right_transposed),
        m: result.rows,
        n: result.columns,
        k: left.columns,
        alpha: [one, 0],
        lda,
        stride_a,
        ldb,
        stride_b,
        ldc,
        stride_c,
        count: batch.count,
        ..Product::default()
    };
    Ok((product, is_swapped))
}

/// Creates a primitive descriptor.
///
/// # Safety
/// `made` is null or has room for a pointer.
unsafe fn create(
    engine: &Engine,
    made: *mut *mut c_void,
    [source, weights, bias, destination]: [*const c_void; 4],
    attributes: *const c_void,
) -> Result<()> {
    if made.is_null() || [source, weights, destination].contains(&std::ptr::null()) {
        return Err(INVALID_ARGUMENTS);
    }
    let ((a, source), (b, weights), (c, destination)) =
        (Tensor::read(source)?, Tensor::read(weights)?, Tensor::read(destination)?);
    let tensors = [a, b, c];
    let (mut product, is_swapped) = product_of(&tensors)?;
    if !is_nothing(bias) {
        return Err(UNIMPLEMENTED);
    }
    require_none(attributes)?;
    let attributes = Attributes::copy(attributes)?;
    if product.kind == FLOATS && attributes.permits_tf32() {
        product.kind = FLOATS_AS_TF32;
    }
    let shared = SharedProduct {
        engine: engine.keep(),
        attributes,
        descriptors: [source, weights, destination],
        offsets: tensors.each_ref().map(|tensor| tensor.offset * size_of(tensor.data_type)),
        is_swapped,
        product,
    };
    let boxed = Box::new(PrimitiveDescriptor::new(&Arc::new(shared)));
    // SAFETY: guaranteed by the caller.
    unsafe { put(made, Box::into_raw(boxed).cast()) }
}

functions! {
    /// Creates the descriptor of a matrix product.
    fn dnnl_matmul_primitive_desc_create(
        made: *mut *mut c_void, engine: *mut c_void, source: *const c_void, weights: *const c_void, bias: *const c_void,
        destination: *const c_void, attributes: *const c_void,
        // SAFETY: guaranteed by the caller.
    ) of engine: Engine = unsafe { create(engine, made, [source, weights, bias, destination], attributes) };
}

#[cfg(test)]
mod tests {
    use super::data_type::{BFLOAT16, DOUBLE, FLOAT, HALF, INT8, INT32};
    use super::*;

    fn tensor(data_type: c_int, lengths: &[i64], strides: &[i64]) -> Tensor {
        Tensor { data_type, lengths: lengths.to_vec(), strides: strides.to_vec(), offset: 0 }
    }

    /// Returns the place of a number in a tensor's memory. Along a dimension with one number, that one serves for all.
    fn place(tensor: &Tensor, index: &[i64]) -> usize {
        let all = index.iter().zip(&tensor.lengths).zip(&tensor.strides);
        all.map(|((at, length), stride)| if *length == 1 { 0 } else { at * stride }).sum::<i64>() as usize
    }

    /// The memory of a result that is not a part of the tensor stays so.
    const OTHER: i64 = -1;
    const SIZE: usize = 4096;

    /// Computes products as cuBLAS does: the matrices are column-major, and each begins a stride behind the last one.
    fn as_cublas((product, is_swapped): (Product, bool), memories: [&[i64]; 2]) -> Vec<i64> {
        let mut result = vec![OTHER; SIZE];
        let [left, right] = if is_swapped { [memories[1], memories[0]] } else { memories };
        let at = |transposed: c_int, leading: i64, row: i64, column: i64| match transposed {
            0 => row + column * leading,
            _ => column + row * leading,
        };
        for batch in 0..product.count {
            for (row, column) in
                (0..product.m).flat_map(|row| (0..product.n).map(move |column| (row, column)))
            {
                let term = |k| {
                    let of_left = batch * product.stride_a + at(product.ta, product.lda, row, k);
                    let of_right = batch * product.stride_b + at(product.tb, product.ldb, k, column);
                    left[of_left as usize] * right[of_right as usize]
                };
                let to = batch * product.stride_c + row + column * product.ldc;
                result[to as usize] = (0..product.k).map(term).sum();
            }
        }
        result
    }

    /// Computes the same from the meaning of lengths and strides.
    fn by_definition([a, b, c]: &[Tensor; 3], [left, right]: [&[i64]; 2]) -> Vec<i64> {
        let mut result = vec![OTHER; SIZE];
        let numbers = c.lengths.iter().product::<i64>();
        for number in 0..numbers {
            let mut rest = number;
            let mut index: Vec<i64> = c
                .lengths
                .iter()
                .rev()
                .map(|length| {
                    let at = rest % length;
                    rest /= length;
                    at
                })
                .collect();
            index.reverse();
            let (batch, matrix) = index.split_at(index.len() - 2);
            let term = |k| {
                let of_a = place(a, &[batch, &[matrix[0], k]].concat());
                let of_b = place(b, &[batch, &[k, matrix[1]]].concat());
                left[of_a] * right[of_b]
            };
            result[place(c, &index)] = (0..*a.lengths.last().unwrap_or(&0)).map(term).sum();
        }
        result
    }

    #[test]
    fn products_are_those_of_the_tensors_whatever_their_strides() {
        let rows = |rows: i64, columns: i64, more: i64| ([rows, columns], [columns + more, 1]);
        let columns = |rows: i64, columns: i64, more: i64| ([rows, columns], [1, rows + more]);
        let memory: Vec<i64> = (0..SIZE as i64).map(|number| number * number % 101).collect();
        let memories = [&memory[..], &memory[7..]];
        for (m, n, k) in [(3, 5, 4), (1, 5, 4), (3, 1, 4), (3, 5, 1), (1, 1, 4), (1, 1, 1)] {
            for choice in 0..8 {
                let choose = |bit: i32| choice >> bit & 1 != 0;
                let (a, b, c) = (
                    if choose(0) { rows(m, k, 2) } else { columns(m, k, 0) },
                    if choose(1) { rows(k, n, 0) } else { columns(k, n, 3) },
                    if choose(2) { rows(m, n, 1) } else { columns(m, n, 2) },
                );
                let plain = [a, b, c].map(|(lengths, strides)| tensor(FLOAT, &lengths, &strides));
                let product = product_of(&plain).unwrap();
                assert_eq!(as_cublas(product, memories), by_definition(&plain, memories), "{plain:?}");
                // Two times three products, of which those of one operand are the same.
                for (of_a, of_b) in [([2, 3], [2, 3]), ([1, 1], [2, 3]), ([2, 3], [1, 1])] {
                    let batched = |batch: [i64; 2], matrix: ([i64; 2], [i64; 2]), stride: i64| {
                        let lengths = [batch, matrix.0].concat();
                        tensor(FLOAT, &lengths, &[&[3 * stride, stride], &matrix.1[..]].concat())
                    };
                    let all = [batched(of_a, a, 60), batched(of_b, b, 70), batched([2, 3], c, 80)];
                    let product = product_of(&all).unwrap();
                    assert_eq!(product.0.count, 6);
                    assert_eq!(as_cublas(product, memories), by_definition(&all, memories), "{all:?}");
                }
            }
        }
    }

    #[test]
    fn matrices_that_do_not_fit_are_invalid_and_those_without_a_dense_dimension_are_not_implemented() {
        let [a, b, c] = [[3, 4], [4, 5], [3, 5]].map(|lengths| tensor(FLOAT, &lengths, &[lengths[1], 1]));
        let with = |tensors: [&Tensor; 3]| product_of(&tensors.map(Tensor::clone)).map(drop);
        assert_eq!(with([&a, &b, &c]), Ok(()));
        for wrong in [[2, 4], [3, 5]].map(|lengths| tensor(FLOAT, &lengths, &[8, 1])) {
            assert_eq!(with([&wrong, &b, &c]), Err(INVALID_ARGUMENTS), "{wrong:?}");
        }
        assert_eq!(with([&a, &tensor(FLOAT, &[4, 6], &[6, 1]), &c]), Err(INVALID_ARGUMENTS));
        let with_batch = tensor(FLOAT, &[1, 3, 4], &[12, 4, 1]);
        assert_eq!(with([&with_batch, &b, &c]), Err(INVALID_ARGUMENTS));
        let column = tensor(FLOAT, &[3], &[1]);
        assert_eq!(with([&column, &b, &c]), Err(INVALID_ARGUMENTS));
        let apart = |tensor: &Tensor| Tensor { strides: vec![20, 2], ..tensor.clone() };
        for tensors in [[&apart(&a), &b, &c], [&a, &apart(&b), &c], [&a, &b, &apart(&c)]] {
            assert_eq!(with(tensors), Err(UNIMPLEMENTED));
        }
    }

    #[test]
    fn types_have_the_kinds_sizes_and_ones_that_are_computed_with() {
        let float = 0x3f80_0000;
        for (types, expected) in [
            ([FLOAT; 3], (0, float)),
            ([DOUBLE; 3], (1, 0x3ff0_0000_0000_0000)),
            ([HALF; 3], (4, float)),
            ([HALF, HALF, FLOAT], (5, float)),
            ([INT8, INT8, INT32], (7, 1)),
            ([BFLOAT16; 3], (8, float)),
            ([BFLOAT16, BFLOAT16, FLOAT], (9, float)),
        ] {
            assert_eq!(kind_of(types), Ok(expected), "{types:?}");
            let tensors = types.map(|data_type| tensor(data_type, &[2, 2], &[2, 1]));
            let (product, _) = product_of(&tensors).unwrap();
            assert_eq!((product.kind, product.alpha, product.beta), (expected.0, [expected.1, 0], [0; 2]));
        }
        for types in
            [[FLOAT, FLOAT, DOUBLE], [FLOAT, HALF, FLOAT], [INT8; 3], [INT32; 3], [BFLOAT16, HALF, FLOAT]]
        {
            assert_eq!(kind_of(types), Err(UNIMPLEMENTED), "{types:?}");
        }
        let sizes = [DOUBLE, FLOAT, INT32, HALF, BFLOAT16, INT8].map(size_of);
        assert_eq!(sizes, [8, 4, 4, 2, 2, 1]);
    }
}
