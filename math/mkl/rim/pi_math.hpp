// What libpi_math.so exports, and how the drop-ins pass work to it.
//
// Each of its functions returns null or an error message.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
/// Returns whether an adapter of ours that gives access to its streams is loaded.
int pi_math_is_here();

/// A column-major product of matrices. If `count` >= 0, a batch of `count` products with strides between them.
struct pi_math_product {
    int kind, ta, tb;
    std::int64_t m, n, k;
    alignas(8) unsigned char alpha[16], beta[16];
    const void *a; std::int64_t lda, stride_a;
    const void *b; std::int64_t ldb, stride_b;
    void *c; std::int64_t ldc, stride_c;
    std::int64_t count;
};
// As in the Rust files that describe it, too.
static_assert(sizeof(pi_math_product) == 152 && offsetof(pi_math_product, count) == 144);
const char *pi_math_gemm(const pi_math_product *);
/// Returns null if cuBLAS can be opened, or else why not.
const char *pi_math_lacks_products();
/// Computes products of one size: `a`, `b` and `c` are arrays of `count` pointers, which the device reads. The
/// strides are ignored.
const char *pi_math_gemm_pointers(const pi_math_product *);
/// `count` equations with triangular matrices, with strides between them.
struct pi_math_triangular {
    int element, right, lower, transpose, unit;
    std::int64_t m, n;
    alignas(8) unsigned char alpha[16];
    const void *a; std::int64_t lda, stride_a;
    void *b; std::int64_t ldb, stride_b;
    std::int64_t count;
};
const char *pi_math_trsm(const pi_math_triangular *);
const char *pi_math_gemv(int element, int transpose, std::int64_t m, std::int64_t n, const void *alpha, const void *a, std::int64_t lda,
                         const void *x, std::int64_t ix, const void *beta, void *y, std::int64_t iy);
const char *pi_math_syrk(int element, int lower, int transpose, std::int64_t n, std::int64_t k, const void *alpha, const void *a,
                         std::int64_t lda, const void *beta, void *c, std::int64_t ldc);
const char *pi_math_dot(int element, int conjugated, std::int64_t n, const void *x, std::int64_t ix, const void *y, std::int64_t iy,
                        void *result);
const char *pi_math_scal(int element, std::int64_t n, const void *alpha, void *x, std::int64_t ix);

/// A transform. The first stride is the offset.
struct pi_math_transform {
    int element, forward;
    std::int64_t rank, lengths[3], count, input_strides[4], output_strides[4], input_distance, output_distance;
    double scale;
};
const char *pi_math_fft_check(const pi_math_transform *);
const char *pi_math_fft(const pi_math_transform *, const void *input, void *output);

/// A sparse matrix in CSR. The indices have `index_size` bytes, and start at `base`.
struct pi_math_csr {
    int element, index_size, base;
    std::int64_t rows, columns, count;
    const void *starts, *indices, *values;
};
static_assert(sizeof(pi_math_csr) == 64 && offsetof(pi_math_csr, values) == 56);
/// Multiplies a sparse matrix by a vector.
const char *pi_math_spmv(const pi_math_csr *, int transpose, const void *alpha, const void *x, const void *beta, void *y);
/// The operand of a product with a sparse matrix, and the result. The result has `columns` columns.
struct pi_math_dense_pair {
    int by_rows, transpose;
    std::int64_t columns;
    const void *x; std::int64_t ldx;
    void *y; std::int64_t ldy;
};
static_assert(sizeof(pi_math_dense_pair) == 48 && offsetof(pi_math_dense_pair, ldy) == 40);
const char *pi_math_spmm(const pi_math_csr *, int transpose, const void *alpha, const void *beta, const pi_math_dense_pair *);

/// The matrices or vectors of a batch: the first, and the stride to the next in numbers.
struct pi_math_batch {
    const void *first;
    std::int64_t stride;
};
// `infos` has room for LAPACK's info of each matrix, which is written when the stream reaches the call.
const char *pi_math_getrf(int element, std::int64_t m, std::int64_t n, pi_math_batch a, std::int64_t lda, pi_math_batch pivots,
                          std::int64_t count, int *infos);
const char *pi_math_getrs(int element, int transpose, std::int64_t n, std::int64_t columns, pi_math_batch a, std::int64_t lda,
                          pi_math_batch pivots, pi_math_batch b, std::int64_t ldb, std::int64_t count);
const char *pi_math_getri(int element, std::int64_t n, pi_math_batch a, std::int64_t lda, pi_math_batch pivots, std::int64_t count);
const char *pi_math_potrf(int element, int lower, std::int64_t n, pi_math_batch a, std::int64_t lda, std::int64_t count, int *infos);
const char *pi_math_potrs(int element, int lower, std::int64_t n, std::int64_t columns, const void *a, std::int64_t lda, void *b,
                          std::int64_t ldb);
const char *pi_math_geqrf(int element, std::int64_t m, std::int64_t n, pi_math_batch a, std::int64_t lda, pi_math_batch tau,
                          std::int64_t count);
const char *pi_math_orgqr(int element, std::int64_t m, std::int64_t n, std::int64_t k, pi_math_batch a, std::int64_t lda,
                          pi_math_batch tau, std::int64_t count);
// Multiplies `b` by Q^H.
const char *pi_math_ormqr(int element, std::int64_t m, std::int64_t columns, std::int64_t k, pi_math_batch a, std::int64_t lda,
                          pi_math_batch tau, pi_math_batch b, std::int64_t ldb, std::int64_t count);
// `diagonals` has room for `count` times `n` numbers, which are written when the stream reaches the call.
const char *pi_math_diagonals(int element, std::int64_t n, pi_math_batch a, std::int64_t lda, std::int64_t count, void *diagonals);
const char *pi_math_syevd(int element, int vectors, int lower, std::int64_t n, void *a, std::int64_t lda, void *w, int *infos);

/// A singular value decomposition. The jobs are 'A', 'S' or 'N'.
struct pi_math_svd {
    int element;
    char ju, jv;
    std::int64_t m, n;
    void *a; std::int64_t lda;
    void *s;
    void *u; std::int64_t ldu;
    void *v; std::int64_t ldv;
};
const char *pi_math_gesvd(const pi_math_svd *, int *infos);
}
