// libmkl_sycl_blas: products of matrices and vectors.
#include "blas_arguments.hpp"
#include "native.hpp"

namespace {
using std::int64_t;
using oneapi::mkl::diag;
using oneapi::mkl::side;
using oneapi::mkl::blas::compute_mode;

/// The kinds of products in pi_math.hpp, by the types of A and of C.
template <class A, class C> constexpr int kind = element<A>;
template <> constexpr int kind<Half, Half> = 4;
template <> constexpr int kind<Half, float> = 5;
template <> constexpr int kind<std::int8_t, float> = 6;
template <> constexpr int kind<std::int8_t, std::int32_t> = 7;

/// Returns the name of a routine for these types, as oneMKL's exceptions spell it.
template <class A, class C> std::string named(const std::string &routine) {
    constexpr const char *letters[] = {"s", "d", "c", "z", "h", "", "", ""};
    constexpr const char *types[] = {"", "", "", "", "", "_f16f16f32", "_s8s8f32", "_s8s8s32"};
    return letters[kind<A, C>] + routine + types[kind<A, C>];
}

/// Stores a scalar in the type of the computation: float for half, int32 for int32.
template <class C, class S> void put_scalar(unsigned char *to, S scalar) {
    if constexpr (std::is_same_v<C, std::int32_t>) {
        auto whole = static_cast<std::int32_t>(scalar);
        if (static_cast<S>(whole) != scalar) fail("gemm", "alpha and beta of a product of integers are whole numbers");
        std::memcpy(to, &whole, sizeof whole);
    } else if constexpr (std::is_same_v<S, Half>) {
        float wide = scalar;
        std::memcpy(to, &wide, sizeof wide);
    } else {
        std::memcpy(to, &scalar, sizeof scalar);
    }
}

template <class A, class C, class S>
sycl::event product(sycl::queue &queue, transpose ta, transpose tb, int64_t m, int64_t n, int64_t k, Scalar<S> alpha, const A *a,
                    int64_t lda, int64_t stride_a, const A *b, int64_t ldb, int64_t stride_b, Scalar<S> beta, C *c, int64_t ldc,
                    int64_t stride_c, int64_t count, const Events &before) {
    pi_math_product p{};
    p.kind = kind<A, C>, p.ta = int(ta), p.tb = int(tb), p.m = m, p.n = n, p.k = k;
    put_scalar<C>(p.alpha, value(queue, before, alpha));
    put_scalar<C>(p.beta, value(queue, before, beta));
    p.a = a, p.lda = lda, p.stride_a = stride_a, p.b = b, p.ldb = ldb, p.stride_b = stride_b;
    p.c = c, p.ldc = ldc, p.stride_c = stride_c, p.count = count;
    return enqueue(count < 0 ? "gemm" : "gemm_batch", queue, before, [p] { return pi_math_gemm(&p); });
}

/// Checks the strides of a batch.
void require_strides(const std::string &function, int64_t stride_a, int64_t stride_b, int64_t stride_c, int64_t ldc, int64_t columns) {
    require(function, {{"stride_a", stride_a >= 0}, {"stride_b", stride_b >= 0}, {"stride_c", covers(stride_c, ldc, columns)}});
}

/// Fails as oneMKL does for a negative number of products: it allocates memory for them when the queue reaches the
/// call.
sycl::event fail_for_memory(const std::string &function, sycl::queue &queue, const Events &before) {
    auto text = text_of(function, "cannot allocate memory on host");
    return on_host(queue, before, [text] { throw oneapi::mkl::host_bad_alloc(text); });
}

/// Returns an array that the host reads during the call (the sizes and scalars of groups). Fails if it is in device
/// memory.
template <class T> const T *read_by_host(sycl::queue &queue, const T *array) {
    if (sycl::get_pointer_type(array, queue.get_context()) == sycl::usm::alloc::device)
        fail("gemm_batch", "sizes and scalars of groups must be in memory that the host reads, and are in the device's");
    return array;
}

/// Computes groups of products, each of one size. The matrices are given by arrays of pointers.
template <class A, class C, class S>
sycl::event products_of_groups(bool by_columns, sycl::queue &queue, const transpose *ta, const transpose *tb, const int64_t *m,
                               const int64_t *n, const int64_t *k, const S *alpha, const A **a, const int64_t *lda, const A **b,
                               const int64_t *ldb, const S *beta, C **c, const int64_t *ldc, int64_t groups, const int64_t *sizes,
                               const Events &before) {
    auto function = named<A, C>("gemm_batch");
    require(function, {{"group_count", groups >= 0}});
    require_pointers(function, {{"transa", ta != nullptr},
                                {"transb", tb != nullptr},
                                {"m", m != nullptr},
                                {"n", n != nullptr},
                                {"k", k != nullptr},
                                {"alpha", alpha != nullptr},
                                {"a", a != nullptr},
                                {"lda", lda != nullptr},
                                {"b", b != nullptr},
                                {"ldb", ldb != nullptr},
                                {"beta", beta != nullptr},
                                {"c", c != nullptr},
                                {"ldc", ldc != nullptr},
                                {"groupsize", sizes != nullptr}});
    for (const void *array : {(const void *)ta, (const void *)tb, (const void *)m, (const void *)n, (const void *)k, (const void *)alpha,
                              (const void *)lda, (const void *)ldb, (const void *)beta, (const void *)ldc, (const void *)sizes})
        read_by_host(queue, array);
    std::vector<pi_math_product> all;
    int64_t done = 0;
    for (int64_t g = 0; g < groups; done += sizes[g++]) {
        require_product(function, by_columns, ta[g], tb[g], m[g], n[g], k[g], lda[g], ldb[g], ldc[g]);
        require(function, {{"groupsize", sizes[g] >= 0}});
        pi_math_product p{};
        p.kind = kind<A, C>, p.ta = int(ta[g]), p.tb = int(tb[g]), p.m = m[g], p.n = n[g], p.k = k[g];
        put_scalar<C>(p.alpha, alpha[g]);
        put_scalar<C>(p.beta, beta[g]);
        p.a = a + done, p.lda = lda[g], p.b = b + done, p.ldb = ldb[g], p.c = c + done, p.ldc = ldc[g], p.count = sizes[g];
        if (!by_columns) std::swap(p.ta, p.tb), std::swap(p.m, p.n), std::swap(p.a, p.b), std::swap(p.lda, p.ldb);
        all.push_back(p);
    }
    return enqueue("gemm_batch", queue, before, [all = std::move(all)] {
        const char *why = nullptr;
        for (auto p = all.begin(); p != all.end() && !why; ++p) why = pi_math_gemm_pointers(&*p);
        return why;
    });
}

template <class T>
sycl::event triangular_equations(sycl::queue &queue, side s, uplo u, transpose t, diag d, int64_t m, int64_t n, Scalar<T> alpha,
                                 const T *a, int64_t lda, int64_t stride_a, T *b, int64_t ldb, int64_t stride_b, int64_t count,
                                 const Events &before) {
    pi_math_triangular p{};
    p.element = element<T>, p.right = s == side::right, p.lower = u == uplo::lower, p.transpose = int(t), p.unit = d == diag::unit;
    p.m = m, p.n = n;
    put_scalar<T>(p.alpha, value(queue, before, alpha));
    p.a = a, p.lda = lda, p.stride_a = stride_a, p.b = b, p.ldb = ldb, p.stride_b = stride_b, p.count = count;
    return enqueue("trsm_batch", queue, before, [p] { return pi_math_trsm(&p); });
}

template <class T>
sycl::event matrix_vector(sycl::queue &queue, transpose t, int64_t m, int64_t n, Scalar<T> alpha, const T *a, int64_t lda,
                          const T *x, int64_t ix, Scalar<T> beta, T *y, int64_t iy, const Events &before) {
    T one = value(queue, before, alpha), other = value(queue, before, beta);
    return enqueue("gemv", queue, before, [=] { return pi_math_gemv(element<T>, int(t), m, n, &one, a, lda, x, ix, &other, y, iy); });
}

/// Like `matrix_vector`, for a row-major matrix: its transpose is column-major.
template <class T>
sycl::event matrix_vector_by_rows(sycl::queue &queue, transpose t, int64_t m, int64_t n, Scalar<T> alpha, const T *a, int64_t lda,
                                  const T *x, int64_t ix, Scalar<T> beta, T *y, int64_t iy, const Events &before) {
    if (t != transpose::conjtrans || std::is_floating_point_v<T>)
        return matrix_vector(queue, t == transpose::nontrans ? transpose::trans : transpose::nontrans, n, m, alpha, a, lda, x, ix,
                             beta, y, iy, before);
    // cuBLAS's gemv does not conjugate without transposing; a product of a row with a matrix does.
    if (ix < 1 || iy < 1) fail("gemv", "a row-major matrix that is conjugated needs increments of at least 1");
    return product<T, T, T>(queue, transpose::nontrans, transpose::conjtrans, 1, n, m, alpha, x, ix, 0, a, lda, 0, beta, y, iy, 0, -1,
                            before);
}

template <class T>
sycl::event own_transpose(sycl::queue &queue, uplo u, transpose t, int64_t n, int64_t k, Scalar<T> alpha, const T *a, int64_t lda,
                          Scalar<T> beta, T *c, int64_t ldc, const Events &before) {
    T one = value(queue, before, alpha), other = value(queue, before, beta);
    return enqueue("syrk", queue, before,
                   [=] { return pi_math_syrk(element<T>, int(u), int(t), n, k, &one, a, lda, &other, c, ldc); });
}

template <class T>
sycl::event dot_product(const char *name, bool conjugated, sycl::queue &queue, int64_t n, const T *x, int64_t ix, const T *y, int64_t iy,
                        T *result, const Events &before) {
    return enqueue(name, queue, before, [=] { return pi_math_dot(element<T>, conjugated, n, x, ix, y, iy, result); });
}

/// Returns whether `syrk` supports this. It has no conjugated complex matrices.
template <class T> bool takes(transpose t) {
    return t == transpose::nontrans || t == transpose::trans || (t == transpose::conjtrans && std::is_floating_point_v<T>);
}

side other(side s) { return s == side::left ? side::right : side::left; }
uplo other(uplo u) { return u == uplo::upper ? uplo::lower : uplo::upper; }
transpose other(transpose t) { return t == transpose::nontrans ? transpose::trans : transpose::nontrans; }
} // namespace

#define GEMM(A, C, S, BY_COLUMNS)                                                                                                  \
    sycl::event gemm(sycl::queue &queue, transpose ta, transpose tb, int64_t m, int64_t n, int64_t k, Scalar<S> alpha, const A *a, \
                     int64_t lda, const A *b, int64_t ldb, Scalar<S> beta, C *c, int64_t ldc, compute_mode mode,                   \
                     const Events &before) {                                                                                       \
        using Type = sycl::event(sycl::queue &, transpose, transpose, int64_t, int64_t, int64_t, Scalar<S>, const A *, int64_t,    \
                                 const A *, int64_t, Scalar<S>, C *, int64_t, compute_mode, const Events &);                       \
        FORWARD_UNLESS_OURS(gemm, Type, queue, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, mode, before)                 \
        require_product(named<A, C>("gemm"), BY_COLUMNS, ta, tb, m, n, k, lda, ldb, ldc);                                          \
        if (BY_COLUMNS)                                                                                                            \
            return product<A, C, S>(queue, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, -1, before);             \
        return product<A, C, S>(queue, tb, ta, n, m, k, alpha, b, ldb, 0, a, lda, 0, beta, c, ldc, 0, -1, before);                 \
    }                                                                                                                              \
    sycl::event gemm_batch(sycl::queue &queue, transpose ta, transpose tb, int64_t m, int64_t n, int64_t k, Scalar<S> alpha,       \
                           const A *a, int64_t lda, int64_t sa, const A *b, int64_t ldb, int64_t sb, Scalar<S> beta, C *c,         \
                           int64_t ldc, int64_t sc, int64_t count, compute_mode mode, const Events &before) {                      \
        using Type = sycl::event(sycl::queue &, transpose, transpose, int64_t, int64_t, int64_t, Scalar<S>, const A *, int64_t,    \
                                 int64_t, const A *, int64_t, int64_t, Scalar<S>, C *, int64_t, int64_t, int64_t, compute_mode,    \
                                 const Events &);                                                                                  \
        FORWARD_UNLESS_OURS(gemm_batch, Type, queue, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count,      \
                            mode, before)                                                                                          \
        auto function = named<A, C>("gemm_batch");                                                                                 \
        require_product(function, BY_COLUMNS, ta, tb, m, n, k, lda, ldb, ldc);                                                     \
        require_strides(function, sa, sb, sc, ldc, BY_COLUMNS ? n : m);                                                            \
        if (count < 0) return fail_for_memory(function, queue, before);                                                            \
        if (BY_COLUMNS)                                                                                                            \
            return product<A, C, S>(queue, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count, before);       \
        return product<A, C, S>(queue, tb, ta, n, m, k, alpha, b, ldb, sb, a, lda, sa, beta, c, ldc, sc, count, before);           \
    }                                                                                                                              \
    sycl::event gemm_batch(sycl::queue &queue, const transpose *ta, const transpose *tb, const int64_t *m, const int64_t *n,       \
                           const int64_t *k, const S *alpha, const A **a, const int64_t *lda, const A **b, const int64_t *ldb,     \
                           const S *beta, C **c, const int64_t *ldc, int64_t groups, const int64_t *sizes, compute_mode mode,      \
                           const Events &before) {                                                                                 \
        using Type = sycl::event(sycl::queue &, const transpose *, const transpose *, const int64_t *, const int64_t *,            \
                                 const int64_t *, const S *, const A **, const int64_t *, const A **, const int64_t *, const S *,  \
                                 C **, const int64_t *, int64_t, const int64_t *, compute_mode, const Events &);                   \
        FORWARD_UNLESS_OURS(gemm_batch, Type, queue, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, groups, sizes, mode,    \
                            before)                                                                                                \
        return products_of_groups<A, C, S>(BY_COLUMNS, queue, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, groups, sizes, \
                                           before);                                                                                \
    }

#define GEMV(T, BY_COLUMNS, CALL)                                                                                                  \
    sycl::event gemv(sycl::queue &queue, transpose t, int64_t m, int64_t n, Scalar<T> alpha, const T *a, int64_t lda, const T *x,  \
                     int64_t ix, Scalar<T> beta, T *y, int64_t iy, const Events &before) {                                         \
        using Type = sycl::event(sycl::queue &, transpose, int64_t, int64_t, Scalar<T>, const T *, int64_t, const T *, int64_t,    \
                                 Scalar<T>, T *, int64_t, const Events &);                                                         \
        FORWARD_UNLESS_OURS(gemv, Type, queue, t, m, n, alpha, a, lda, x, ix, beta, y, iy, before)                                 \
        require(named<T, T>("gemv"), {{"m", m >= 0},                                                                               \
                                      {"n", n >= 0},                                                                               \
                                      {"incx", ix != 0},                                                                           \
                                      {"incy", iy != 0},                                                                           \
                                      {"lda", leads(lda, BY_COLUMNS ? m : n)},                                                     \
                                      {"trans", is_known(t)}});                                                                    \
        return CALL<T>(queue, t, m, n, alpha, a, lda, x, ix, beta, y, iy, before);                                                 \
    }

#define SYRK(T, BY_COLUMNS, UPLO, TRANSPOSE)                                                                                       \
    sycl::event syrk(sycl::queue &queue, uplo u, transpose t, int64_t n, int64_t k, Scalar<T> alpha, const T *a, int64_t lda,      \
                     Scalar<T> beta, T *c, int64_t ldc, compute_mode mode, const Events &before) {                                 \
        using Type = sycl::event(sycl::queue &, uplo, transpose, int64_t, int64_t, Scalar<T>, const T *, int64_t, Scalar<T>, T *,  \
                                 int64_t, compute_mode, const Events &);                                                           \
        FORWARD_UNLESS_OURS(syrk, Type, queue, u, t, n, k, alpha, a, lda, beta, c, ldc, mode, before)                              \
        bool as_it_is = (t == transpose::nontrans) == BY_COLUMNS;                                                                  \
        require(named<T, T>("syrk"), {{"n", n >= 0},                                                                               \
                                      {"k", k >= 0},                                                                               \
                                      {"lda", leads(lda, as_it_is ? n : k)},                                                       \
                                      {"ldc", leads(ldc, n)},                                                                      \
                                      {"trans", takes<T>(t)}});                                                                    \
        return own_transpose<T>(queue, UPLO, TRANSPOSE, n, k, alpha, a, lda, beta, c, ldc, before);                                \
    }

#define TRSM_BATCH(T, BY_COLUMNS, SIDE, UPLO, M, N)                                                                                \
    sycl::event trsm_batch(sycl::queue &queue, side s, uplo u, transpose t, diag d, int64_t m, int64_t n, Scalar<T> alpha,         \
                           const T *a, int64_t lda, int64_t sa, T *b, int64_t ldb, int64_t sb, int64_t count, compute_mode mode,   \
                           const Events &before) {                                                                                 \
        using Type = sycl::event(sycl::queue &, side, uplo, transpose, diag, int64_t, int64_t, Scalar<T>, const T *, int64_t,      \
                                 int64_t, T *, int64_t, int64_t, int64_t, compute_mode, const Events &);                           \
        FORWARD_UNLESS_OURS(trsm_batch, Type, queue, s, u, t, d, m, n, alpha, a, lda, sa, b, ldb, sb, count, mode, before)         \
        require(named<T, T>("trsm_batch"), {{"m", m >= 0},                                                                         \
                                            {"n", n >= 0},                                                                         \
                                            {"lda", leads(lda, s == side::left ? m : n)},                                          \
                                            {"ldb", leads(ldb, BY_COLUMNS ? m : n)},                                               \
                                            {"stride_a", sa >= 0},                                                                 \
                                            {"stride_b", covers(sb, ldb, BY_COLUMNS ? n : m)},                                     \
                                            {"batch_size", count >= 0},                                                            \
                                            {"trans", is_known(t)}});                                                              \
        return triangular_equations<T>(queue, SIDE, UPLO, t, d, M, N, alpha, a, lda, sa, b, ldb, sb, count, before);               \
    }

#define DOT(NAME, CONJUGATED, T)                                                                                                   \
    sycl::event NAME(sycl::queue &queue, int64_t n, const T *x, int64_t ix, const T *y, int64_t iy, T *result,                     \
                     const Events &before) {                                                                                       \
        using Type = sycl::event(sycl::queue &, int64_t, const T *, int64_t, const T *, int64_t, T *, const Events &);             \
        FORWARD_UNLESS_OURS(NAME, Type, queue, n, x, ix, y, iy, result, before)                                                    \
        return dot_product(#NAME, CONJUGATED, queue, n, x, ix, y, iy, result, before);                                             \
    }

#define SCAL(T)                                                                                                                    \
    sycl::event scal(sycl::queue &queue, int64_t n, Scalar<T> alpha, T *x, int64_t ix, const Events &before) {                     \
        using Type = sycl::event(sycl::queue &, int64_t, Scalar<T>, T *, int64_t, const Events &);                                 \
        FORWARD_UNLESS_OURS(scal, Type, queue, n, alpha, x, ix, before)                                                            \
        T number = value(queue, before, alpha);                                                                                    \
        return enqueue("scal", queue, before, [=] { return pi_math_scal(element<T>, n, &number, x, ix); });                        \
    }

#define EACH_PRODUCT(BY_COLUMNS)                                                                                                   \
    GEMM(float, float, float, BY_COLUMNS)                                                                                          \
    GEMM(double, double, double, BY_COLUMNS)                                                                                       \
    GEMM(ComplexF, ComplexF, ComplexF, BY_COLUMNS)                                                                                 \
    GEMM(ComplexD, ComplexD, ComplexD, BY_COLUMNS)                                                                                 \
    GEMM(Half, Half, Half, BY_COLUMNS)                                                                                             \
    GEMM(Half, float, float, BY_COLUMNS)                                                                                           \
    GEMM(std::int8_t, float, float, BY_COLUMNS)                                                                                    \
    GEMM(std::int8_t, std::int32_t, float, BY_COLUMNS)

#define EACH(MACRO, ...) MACRO(float, __VA_ARGS__) MACRO(double, __VA_ARGS__) MACRO(ComplexF, __VA_ARGS__) MACRO(ComplexD, __VA_ARGS__)

namespace oneapi::mkl::blas::column_major {
EACH_PRODUCT(true)
EACH(GEMV, true, matrix_vector)
EACH(SYRK, true, u, t)
EACH(TRSM_BATCH, true, s, u, m, n)
DOT(dot, false, float)
DOT(dot, false, double)
DOT(dotu, false, ComplexF)
DOT(dotu, false, ComplexD)
DOT(dotc, true, ComplexF)
DOT(dotc, true, ComplexD)
SCAL(float) SCAL(double) SCAL(ComplexF) SCAL(ComplexD)
} // namespace oneapi::mkl::blas::column_major

namespace oneapi::mkl::blas::row_major {
EACH_PRODUCT(false)
EACH(GEMV, false, matrix_vector_by_rows)
EACH(SYRK, false, other(u), other(t))
EACH(TRSM_BATCH, false, other(s), other(u), n, m)
} // namespace oneapi::mkl::blas::row_major
