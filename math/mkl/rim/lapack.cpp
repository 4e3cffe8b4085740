// libmkl_sycl_lapack: factorizations and solvers.
//
// cuSOLVER works in memory that libpi_math.so allocates. Callers are therefore asked for a scratchpad of one number,
// and for one that holds tau in `gels_batch`.
#include "lapack_arguments.hpp"
#include "native.hpp"
#include <algorithm>

namespace {
using oneapi::mkl::job;
using oneapi::mkl::jobsvd;
using std::int64_t;
template <class T> struct RealOf { using type = T; };
template <class T> struct RealOf<std::complex<T>> { using type = T; };
template <class T> using Real = typename RealOf<T>::type;

constexpr int64_t scratchpad = 1;

/// Returns oneMKL's message for a matrix that has failed, given LAPACK's info.
using Words = std::string (*)(int64_t info);

std::string no_words(int64_t) { return ""; }
std::string singular(int64_t info) {
    auto place = std::to_string(info);
    return ": U(" + place + "," + place +
           ") is exactly zero. The factorization has been completed, but the factor U is exactly singular, so the solution could not be "
           "computed.";
}
std::string singular_of_batch(int64_t) {
    return ": The matrix is singular. The factorization has been completed, but at least one element of upper triangular matrix U is "
           "exactly zero, and division by zero will occur if it is used to solve a system of equations.";
}
std::string not_positive(int64_t info) {
    return ": Leading principal minor of order " + std::to_string(info) + " is not positive, and the factorization could not be completed.";
}
std::string not_positive_of_batch(int64_t) {
    return ": The matrix is not positive definite. The factorization has been completed, but at least one element on the diagonal is not "
           "positive, and this factorization can't be used to solve a system of equations.";
}

oneapi::mkl::lapack::computation_error failure_of(const char *function, int64_t info, Words words) {
    return {text_of(function, "computation error: info = " + std::to_string(info) + words(info)), info};
}

/// Enqueues work that reports an info for each matrix, and waits for it. Like oneMKL, throws if one is not zero.
template <class F> sycl::event reporting(const char *function, Words words, sycl::queue &queue, const Events &before, F work) {
    auto info = std::make_shared<int>(0);
    auto event = finish(function, queue, before, [=] { return work(info.get()); });
    if (*info) throw failure_of(function, *info, words);
    return event;
}

/// Throws if any info of a batch is not zero.
template <class Info> void check_infos(const char *function, Words words, const std::vector<Info> &infos) {
    std::vector<int64_t> ids;
    std::vector<std::exception_ptr> exceptions;
    for (size_t index = 0; index < infos.size(); ++index) {
        int64_t info = infos[index];
        if (!info) continue;
        ids.push_back(index);
        exceptions.push_back(std::make_exception_ptr(failure_of(function, info, words)));
    }
    throw_failures(function, std::move(ids), std::move(exceptions));
}

template <class F>
sycl::event reporting_batch(const char *function, Words words, sycl::queue &queue, int64_t count, const Events &before, F work) {
    auto infos = std::make_shared<std::vector<int>>(std::max<int64_t>(count, 1));
    auto event = finish(function, queue, before, [=] { return work(infos->data()); });
    check_infos(function, words, *infos);
    return event;
}

/// Enqueues an empty command.
sycl::event nothing(const char *function, sycl::queue &queue, const Events &before) {
    return enqueue(function, queue, before, []() -> const char * { return nullptr; });
}

/// Returns whether `least_squares` supports this.
bool is_served(transpose t, int64_t m, int64_t n) { return t == transpose::nontrans && m >= n; }

/// Solves least squares by QR, for matrices with no more columns than rows. The scratchpad holds tau.
///
/// As in oneMKL, a zero on the diagonal of R is a failure of that matrix, and its info is the index, counted from one.
/// The solution is then not finite, while oneMKL leaves Q^H times `b`.
template <class T>
sycl::event least_squares(sycl::queue &queue, int64_t m, int64_t n, int64_t columns, T *a, int64_t lda, int64_t sa, T *b, int64_t ldb,
                          int64_t sb, int64_t count, T *tau, const Events &before) {
    if (n < 1 || columns < 1 || count < 1) return nothing("gels_batch", queue, before);
    auto diagonals = std::make_shared<std::vector<T>>(n * count);
    auto event = finish("gels_batch", queue, before, [=] {
        pi_math_batch matrices{a, sa}, sides{b, sb}, factors{tau, n};
        pi_math_triangular r{element<T>, 0, 0, 0, 0, n, columns, {}, a, lda, sa, b, ldb, sb, count};
        new (r.alpha) T(1);
        const char *why = pi_math_geqrf(element<T>, m, n, matrices, lda, factors, count);
        if (!why) why = pi_math_ormqr(element<T>, m, columns, n, matrices, lda, factors, sides, ldb, count);
        if (!why) why = pi_math_trsm(&r);
        return why ? why : pi_math_diagonals(element<T>, n, matrices, lda, count, diagonals->data());
    });
    std::vector<int64_t> infos(count);
    for (int64_t index = 0; index < count; ++index) {
        auto first = diagonals->begin() + index * n, zero = std::find(first, first + n, T(0));
        if (zero != first + n) infos[index] = zero - first + 1;
    }
    check_infos("gels_batch", no_words, infos);
    return event;
}

bool is_known(jobsvd what) {
    constexpr auto overwritten = jobsvd(2);
    return what == jobsvd::novec || what == jobsvd::all || what == jobsvd::some || what == overwritten;
}

/// Returns the number of rows of the matrix of right vectors.
int64_t rows_of_right(jobsvd what, int64_t m, int64_t n) {
    return what == jobsvd::all ? n : what == jobsvd::some ? std::min(m, n) : 1;
}

char letter(jobsvd what) {
    switch (what) {
    case jobsvd::novec: return 'N';
    case jobsvd::all: return 'A';
    case jobsvd::some: return 'S';
    }
    fail("gesvd", "vectors in the place of the matrix are not served");
}
} // namespace

// Defines a function that replaces the vendor's of the same name: PARAMETERS in parentheses, ARGUMENTS to pass on,
// CHECKS for `require`, and the body.
#define UNPACK(...) __VA_ARGS__
#define STAND_IN(NAME, PARAMETERS, ARGUMENTS, CHECKS, ...)                                                                         \
    sycl::event NAME(sycl::queue &queue, UNPACK PARAMETERS, const Events &before) {                                                \
        if (!is_ours(queue)) {                                                                                                     \
            using Type = sycl::event(sycl::queue &, UNPACK PARAMETERS, const Events &);                                            \
            static Type *theirs = vendor<Type>(NAME);                                                                              \
            return theirs(queue, UNPACK ARGUMENTS, before);                                                                        \
        }                                                                                                                          \
        require(#NAME, {UNPACK CHECKS});                                                                                           \
        __VA_ARGS__                                                                                                                \
    }

#define LU(T)                                                                                                                      \
    STAND_IN(getrf, (int64_t m, int64_t n, T *a, int64_t lda, int64_t *pivots, T *scratch, int64_t size),                          \
             (m, n, a, lda, pivots, scratch, size),                                                                                \
             ({2, m >= 0}, {3, n >= 0}, {5, leads(lda, m)}, {7, size >= scratchpad}),                                              \
             return reporting("getrf", no_words, queue, before, [=](int *info) {                                                   \
                 return pi_math_getrf(element<T>, m, n, {a, 0}, lda, {pivots, 0}, 1, info);                                        \
             });)                                                                                                                  \
    STAND_IN(getrf_batch,                                                                                                          \
             (int64_t m, int64_t n, T *a, int64_t lda, int64_t sa, int64_t *pivots, int64_t sp, int64_t count, T *scratch,         \
              int64_t size),                                                                                                       \
             (m, n, a, lda, sa, pivots, sp, count, scratch, size),                                                                 \
             ({2, m >= 0}, {3, n >= 0}, {5, leads(lda, m)}, {6, covers(sa, lda, std::max<int64_t>(1, n))},                         \
              {8, sp >= std::min(m, n)},                                                                                           \
              {9, count >= 0}, {10, size >= scratchpad}),                                                                          \
             return reporting_batch("getrf_batch_strided", singular_of_batch, queue, count, before, [=](int *infos) {              \
                 return pi_math_getrf(element<T>, m, n, {a, sa}, lda, {pivots, sp}, count, infos);                                 \
             });)                                                                                                                  \
    STAND_IN(getrs,                                                                                                                \
             (transpose t, int64_t n, int64_t columns, const T *a, int64_t lda, const int64_t *pivots, T *b, int64_t ldb,          \
              T *scratch, int64_t size),                                                                                           \
             (t, n, columns, a, lda, pivots, b, ldb, scratch, size),                                                               \
             ({2, is_known(t)}, {3, n >= 0}, {4, columns >= 0}, {6, leads(lda, n)}, {9, leads(ldb, n)},                            \
              {10, size >= scratchpad}),                                                                                           \
             return enqueue("getrs", queue, before, [=] {                                                                          \
                 return pi_math_getrs(element<T>, int(t), n, columns, {a, 0}, lda, {pivots, 0}, {b, 0}, ldb, 1);                   \
             });)                                                                                                                  \
    STAND_IN(getrs_batch,                                                                                                          \
             (transpose t, int64_t n, int64_t columns, const T *a, int64_t lda, int64_t sa, const int64_t *pivots, int64_t sp,     \
              T *b, int64_t ldb, int64_t sb, int64_t count, T *scratch, int64_t size),                                             \
             (t, n, columns, a, lda, sa, pivots, sp, b, ldb, sb, count, scratch, size),                                            \
             ({2, is_known(t)}, {3, n >= 0}, {4, columns >= 0}, {6, leads(lda, n)},                                                \
              {7, covers(sa, lda, std::max<int64_t>(1, n))}, {9, sp >= n},                                                         \
              {11, leads(ldb, n)}, {12, covers(sb, ldb, columns)}, {13, count >= 0}, {9, size >= scratchpad}),                     \
             return enqueue("getrs_batch", queue, before, [=] {                                                                    \
                 return pi_math_getrs(element<T>, int(t), n, columns, {a, sa}, lda, {pivots, sp}, {b, sb}, ldb, count);            \
             });)                                                                                                                  \
    STAND_IN(getri_batch,                                                                                                          \
             (int64_t n, T *a, int64_t lda, int64_t sa, const int64_t *pivots, int64_t sp, int64_t count, T *scratch,              \
              int64_t size),                                                                                                       \
             (n, a, lda, sa, pivots, sp, count, scratch, size),                                                                    \
             ({2, n >= 0}, {4, leads(lda, n)}, {5, covers(sa, lda, std::max<int64_t>(1, n))}, {7, sp >= n}, {10, count >= 0},      \
              {9, size >= scratchpad}),                                                                                            \
             return enqueue("getri_batch", queue, before, [=] {                                                                    \
                 return pi_math_getri(element<T>, n, {a, sa}, lda, {pivots, sp}, count);                                           \
             });)                                                                                                                  \
    STAND_IN(getri, (int64_t n, T *a, int64_t lda, const int64_t *pivots, T *scratch, int64_t size),                               \
             (n, a, lda, pivots, scratch, size),                                                                                   \
             ({2, n >= 0}, {4, leads(lda, n)}, {6, size >= scratchpad}),                                                           \
             if (n == 0) return nothing("getri", queue, before);                                                                   \
             return enqueue("getri", queue, before, [=] {                                                                          \
                 return pi_math_getri(element<T>, n, {a, 0}, lda, {pivots, 0}, 1);                                                 \
             });)                                                                                                                  \
    STAND_IN(gesv,                                                                                                                 \
             (int64_t n, int64_t columns, T *a, int64_t lda, int64_t *pivots, T *b, int64_t ldb, T *scratch, int64_t size),        \
             (n, columns, a, lda, pivots, b, ldb, scratch, size),                                                                  \
             ({2, n >= 0, "n"}, {3, columns >= 0, "nrhs"}, {4, a != nullptr, "a"}, {5, leads(lda, n), "lda"},                      \
              {6, pivots != nullptr, "ipiv"}, {7, b != nullptr, "b"}, {8, leads(ldb, n), "ldb"},                                   \
              {9, scratch != nullptr, "scratchpad"}, {10, size >= scratchpad, "scratchpad_size"}),                                 \
             if (n == 0 || columns == 0) return nothing("gesv", queue, before);                                                    \
             reporting("gesv", singular, queue, before, [=](int *info) {                                                           \
                 return pi_math_getrf(element<T>, n, n, {a, 0}, lda, {pivots, 0}, 1, info);                                        \
             });                                                                                                                   \
             return enqueue("gesv", queue, {}, [=] {                                                                               \
                 return pi_math_getrs(element<T>, 0, n, columns, {a, 0}, lda, {pivots, 0}, {b, 0}, ldb, 1);                        \
             });)

#define CHOLESKY(T)                                                                                                                \
    STAND_IN(potrf, (uplo u, int64_t n, T *a, int64_t lda, T *scratch, int64_t size), (u, n, a, lda, scratch, size),               \
             ({2, is_known(u), "uplo"}, {3, n >= 0, "n"}, {4, a != nullptr, "a"}, {5, leads(lda, n), "lda"},                       \
              {7, size >= scratchpad, "scratchpad_size"}, {6, scratch != nullptr, "scratchpad"}),                                  \
             return reporting("potrf", not_positive, queue, before,                                                                \
                              [=](int *info) { return pi_math_potrf(element<T>, int(u), n, {a, 0}, lda, 1, info); });)             \
    STAND_IN(potrf_batch, (uplo u, int64_t n, T *a, int64_t lda, int64_t sa, int64_t count, T *scratch, int64_t size),             \
             (u, n, a, lda, sa, count, scratch, size),                                                                             \
             ({2, is_known(u)}, {3, n >= 0}, {5, leads(lda, n)}, {6, covers(sa, lda, std::max<int64_t>(1, n))}, {7, count >= 0},   \
              {8, size >= scratchpad}),                                                                                            \
             return reporting_batch("potrf_batch_strided", not_positive_of_batch, queue, count, before, [=](int *infos) {          \
                 return pi_math_potrf(element<T>, int(u), n, {a, sa}, lda, count, infos);                                          \
             });)                                                                                                                  \
    STAND_IN(potrs,                                                                                                                \
             (uplo u, int64_t n, int64_t columns, const T *a, int64_t lda, T *b, int64_t ldb, T *scratch, int64_t size),           \
             (u, n, columns, a, lda, b, ldb, scratch, size),                                                                       \
             ({2, is_known(u), "uplo"}, {3, n >= 0, "n"}, {4, columns >= 0, "nrhs"}, {5, a != nullptr, "a"},                       \
              {6, leads(lda, n), "lda"}, {7, b != nullptr, "b"}, {8, leads(ldb, n), "ldb"},                                        \
              {10, size >= scratchpad, "scratchpad_size"}),                                                                        \
             return enqueue("potrs", queue, before, [=] {                                                                          \
                 return pi_math_potrs(element<T>, int(u), n, columns, a, lda, b, ldb);                                             \
             });)

// Since 2026 `geqrf_batch` reports no names and checks for no null pointers, and the function for its size checks
// nothing.
#if ONEMKL_MAJOR == 5
#define GEQRF_BATCH_CHECKS                                                                                                         \
    ({2, m >= 0, "m"}, {3, n >= 0, "n"}, {4, a != nullptr, "a"}, {5, leads(lda, m), "lda"},                                        \
     {6, covers(sa, lda, n), "stride_a"}, {7, tau != nullptr, "tau"}, {8, st >= std::min(m, n), "stride_tau"},                     \
     {9, count >= 0, "batchsize"}, {10, scratch != nullptr, "scratchpad"}, {11, size >= scratchpad, "scratchpad_size"})
#define GEQRF_BATCH_SIZE_CHECKS                                                                                                    \
    ({2, m >= 0, "m"}, {3, n >= 0, "n"}, {4, leads(lda, m), "lda"}, {5, covers(sa, lda, n), "stride_a"},                           \
     {6, st >= std::min(m, n), "stride_tau"}, {7, count >= 0, "batchsize"})
#else
#define GEQRF_BATCH_CHECKS                                                                                                         \
    ({2, m >= 0}, {3, n >= 0}, {5, leads(lda, m)}, {6, covers(sa, lda, std::max<int64_t>(1, n))}, {8, st >= std::min(m, n)},       \
     {9, count >= 0}, {10, size >= scratchpad})
#define GEQRF_BATCH_SIZE_CHECKS ()
#endif

#define QR(T, ORGQR, ORGQR_BATCH)                                                                                                  \
    STAND_IN(geqrf, (int64_t m, int64_t n, T *a, int64_t lda, T *tau, T *scratch, int64_t size),                                   \
             (m, n, a, lda, tau, scratch, size),                                                                                   \
             ({2, m >= 0, "m"}, {3, n >= 0, "n"}, {4, a != nullptr, "a"}, {5, leads(lda, m), "lda"},                               \
              {6, tau != nullptr, "tau"}, {7, scratch != nullptr, "scratchpad"},                                                   \
              {8, size >= scratchpad, "scratchpad_size"}),                                                                         \
             return enqueue("geqrf", queue, before, [=] {                                                                          \
                 return pi_math_geqrf(element<T>, m, n, {a, 0}, lda, {tau, 0}, 1);                                                 \
             });)                                                                                                                  \
    STAND_IN(geqrf_batch,                                                                                                          \
             (int64_t m, int64_t n, T *a, int64_t lda, int64_t sa, T *tau, int64_t st, int64_t count, T *scratch, int64_t size),   \
             (m, n, a, lda, sa, tau, st, count, scratch, size),                                                                    \
             GEQRF_BATCH_CHECKS,                                                                                                   \
             return enqueue("geqrf_batch", queue, before, [=] {                                                                    \
                 return pi_math_geqrf(element<T>, m, n, {a, sa}, lda, {tau, st}, count);                                           \
             });)                                                                                                                  \
    STAND_IN(ORGQR, (int64_t m, int64_t n, int64_t k, T *a, int64_t lda, const T *tau, T *scratch, int64_t size),                  \
             (m, n, k, a, lda, tau, scratch, size),                                                                                \
             ({2, m >= 0}, {3, n >= 0 && n <= m}, {4, k >= 0 && k <= n}, {6, leads(lda, m)}, {8, size >= scratchpad}),             \
             return enqueue(#ORGQR, queue, before, [=] {                                                                           \
                 return pi_math_orgqr(element<T>, m, n, k, {a, 0}, lda, {tau, 0}, 1);                                              \
             });)                                                                                                                  \
    STAND_IN(ORGQR_BATCH,                                                                                                          \
             (int64_t m, int64_t n, int64_t k, T *a, int64_t lda, int64_t sa, const T *tau, int64_t st, int64_t count,             \
              T *scratch, int64_t size),                                                                                           \
             (m, n, k, a, lda, sa, tau, st, count, scratch, size),                                                                 \
             ({2, m >= 0, "m"}, {3, n >= 0, "n"}, {4, k >= 0, "k"}, {5, a != nullptr, "a"},                                        \
              {6, leads(lda, m), "lda"}, {7, covers(sa, lda, n), "stride_a"}, {8, tau != nullptr, "tau"},                          \
              {9, st >= k, "stride_tau"}, {10, count >= 0, "batchsize"}, {11, scratch != nullptr, "scratchpad"},                   \
              {12, size >= scratchpad, "scratchpad_size"}),                                                                        \
             require_of_each(#ORGQR_BATCH, #ORGQR, count, {{3, n <= m}, {4, k <= n}});                                             \
             return enqueue(#ORGQR_BATCH, queue, before, [=] {                                                                     \
                 return pi_math_orgqr(element<T>, m, n, k, {a, sa}, lda, {tau, st}, count);                                        \
             });)

#define LEAST_SQUARES(T)                                                                                                           \
    STAND_IN(gels_batch,                                                                                                           \
             (transpose t, int64_t m, int64_t n, int64_t columns, T *a, int64_t lda, int64_t sa, T *b, int64_t ldb, int64_t sb,    \
              int64_t count, T *scratch, int64_t size),                                                                            \
             (t, m, n, columns, a, lda, sa, b, ldb, sb, count, scratch, size),                                                     \
             ({3, m >= 0, "m"}, {4, n >= 0, "n"}, {5, columns >= 0, "nrhs"}, {7, leads(lda, m), "lda"},                            \
              {8, covers(sa, lda, n), "stride_a"}, {10, leads(ldb, std::max(m, n)), "ldb"},                                        \
              {11, covers(sb, ldb, columns), "stride_b"}, {12, count >= 0, "batchsize"},                                           \
              {14, size >= n * count, "scratchpad_size"}),                                                                         \
             if (!is_served(t, m, n)) fail("gels_batch", "transposed matrices, and more columns than rows, are not served");       \
             return least_squares(queue, m, n, columns, a, lda, sa, b, ldb, sb, count, scratch, before);)

#define EIGEN(T, NAME)                                                                                                             \
    STAND_IN(NAME, (job what, uplo u, int64_t n, T *a, int64_t lda, Real<T> *w, T *scratch, int64_t size),                         \
             (what, u, n, a, lda, w, scratch, size),                                                                               \
             ({2, what == job::novec || what == job::vec}, {3, is_known(u)}, {4, n >= 0}, {6, leads(lda, n)},                      \
              {8, size >= scratchpad}),                                                                                            \
             return reporting(#NAME, no_words, queue, before, [=](int *info) {                                                     \
                 return pi_math_syevd(element<T>, int(what), int(u), n, a, lda, w, info);                                          \
             });)

#define SVD(T)                                                                                                                     \
    STAND_IN(gesvd,                                                                                                                \
             (jobsvd ju, jobsvd jv, int64_t m, int64_t n, T *a, int64_t lda, Real<T> *s, T *u, int64_t ldu, T *v, int64_t ldv,     \
              T *scratch, int64_t size),                                                                                           \
             (ju, jv, m, n, a, lda, s, u, ldu, v, ldv, scratch, size),                                                             \
             ({2, is_known(ju)}, {3, is_known(jv)}, {4, m >= 0}, {5, n >= 0}, {7, leads(lda, m)},                                  \
              {10, leads(ldu, ju == jobsvd::novec ? 1 : m)}, {12, leads(ldv, rows_of_right(jv, m, n))},                            \
              {13, size >= scratchpad}),                                                                                           \
             if (m == 0 || n == 0) return nothing("gesvd", queue, before);                                                         \
             pi_math_svd svd{element<T>, letter(ju), letter(jv), m, n, a, lda, s, u, ldu, v, ldv};                                 \
             return reporting("gesvd", no_words, queue, before, [=](int *info) { return pi_math_gesvd(&svd, info); });)

// Defines `name_scratchpad_size<T>`, which returns how many numbers of scratchpad a caller has to provide.
// PARAMETERS are those after the queue.
#if ONEMKL_MAJOR == 5
#define SIZE_TEMPLATE template <class T, void * = nullptr>
#define SIZE_ARGUMENTS(T) T, nullptr
#else
#define SIZE_TEMPLATE template <class T, class = void *>
#define SIZE_ARGUMENTS(T) T, void *
#endif
#define SCRATCHPAD(NAME, PARAMETERS, ARGUMENTS, CHECKS) SCRATCHPAD_OF(scratchpad, NAME, PARAMETERS, ARGUMENTS, CHECKS)
#define SCRATCHPAD_OF(SIZE, NAME, PARAMETERS, ARGUMENTS, CHECKS)                                                                   \
    SIZE_TEMPLATE int64_t NAME##_scratchpad_size(sycl::queue &queue, UNPACK PARAMETERS) {                                          \
        if (!is_ours(queue)) {                                                                                                     \
            using Type = int64_t(sycl::queue &, UNPACK PARAMETERS);                                                                \
            static Type *theirs = vendor<Type>(NAME##_scratchpad_size<SIZE_ARGUMENTS(T)>);                                         \
            return theirs(queue, UNPACK ARGUMENTS);                                                                                \
        }                                                                                                                          \
        require(#NAME "_scratchpad_size", {UNPACK CHECKS});                                                                        \
        return SIZE;                                                                                                               \
    }
#define INSTANTIATE(T, NAME, PARAMETERS)                                                                                           \
    template int64_t NAME##_scratchpad_size<SIZE_ARGUMENTS(T)>(sycl::queue &, UNPACK PARAMETERS);

#define SIZES_OF_ALL(MACRO)                                                                                                        \
    MACRO(getrf, (int64_t m, int64_t n, int64_t lda), (m, n, lda), ())                                                             \
    MACRO(getrf_batch, (int64_t m, int64_t n, int64_t lda, int64_t sa, int64_t sp, int64_t count), (m, n, lda, sa, sp, count), ()) \
    MACRO(getrs, (transpose t, int64_t n, int64_t columns, int64_t lda, int64_t ldb), (t, n, columns, lda, ldb), ())               \
    MACRO(getrs_batch,                                                                                                             \
          (transpose t, int64_t n, int64_t columns, int64_t lda, int64_t sa, int64_t sp, int64_t ldb, int64_t sb, int64_t count),  \
          (t, n, columns, lda, sa, sp, ldb, sb, count), ())                                                                        \
    MACRO(getri_batch, (int64_t n, int64_t lda, int64_t sa, int64_t sp, int64_t count), (n, lda, sa, sp, count), ())               \
    MACRO(getri, (int64_t n, int64_t lda), (n, lda), ())                                                                           \
    MACRO(gesv, (int64_t n, int64_t columns, int64_t lda, int64_t ldb), (n, columns, lda, ldb),                                    \
          ({2, n >= 0, "n"}, {3, columns >= 0, "nrhs"}, {4, leads(lda, n), "lda"}, {5, leads(ldb, n), "ldb"}))                     \
    MACRO(potrf, (uplo u, int64_t n, int64_t lda), (u, n, lda),                                                                    \
          ({2, is_known(u), "uplo"}, {3, n >= 0, "n"}, {4, leads(lda, n), "lda"}))                                                 \
    MACRO(potrf_batch, (uplo u, int64_t n, int64_t lda, int64_t sa, int64_t count), (u, n, lda, sa, count), ())                    \
    MACRO(potrs, (uplo u, int64_t n, int64_t columns, int64_t lda, int64_t ldb), (u, n, columns, lda, ldb),                        \
          ({2, is_known(u), "uplo"}, {3, n >= 0, "n"}, {4, columns >= 0, "nrhs"}, {5, leads(lda, n), "lda"},                       \
           {6, leads(ldb, n), "ldb"}))                                                                                             \
    MACRO(geqrf, (int64_t m, int64_t n, int64_t lda), (m, n, lda),                                                                 \
          ({2, m >= 0, "m"}, {3, n >= 0, "n"}, {4, leads(lda, m), "lda"}))                                                         \
    MACRO(geqrf_batch, (int64_t m, int64_t n, int64_t lda, int64_t sa, int64_t st, int64_t count), (m, n, lda, sa, st, count),     \
          GEQRF_BATCH_SIZE_CHECKS)                                                                                                 \
    MACRO(gesvd, (jobsvd ju, jobsvd jv, int64_t m, int64_t n, int64_t lda, int64_t ldu, int64_t ldv),                              \
          (ju, jv, m, n, lda, ldu, ldv),                                                                                           \
          ())
#define SIZE_OF_LEAST_SQUARES(MACRO)                                                                                               \
    MACRO(gels_batch,                                                                                                              \
          (transpose t, int64_t m, int64_t n, int64_t columns, int64_t lda, int64_t sa, int64_t ldb, int64_t sb, int64_t count),   \
          (t, m, n, columns, lda, sa, ldb, sb, count),                                                                             \
          ({3, m >= 0, "m"}, {4, n >= 0, "n"}, {5, columns >= 0, "nrhs"}, {6, leads(lda, m), "lda"},                               \
           {7, covers(sa, lda, n), "stride_a"}, {8, leads(ldb, std::max(m, n)), "ldb"},                                            \
           {9, covers(sb, ldb, columns), "stride_b"}, {10, count >= 0, "batchsize"}))
#define SIZES_OF_REAL(MACRO)                                                                                                       \
    MACRO(orgqr, (int64_t m, int64_t n, int64_t k, int64_t lda), (m, n, k, lda), ())                                               \
    MACRO(orgqr_batch, (int64_t m, int64_t n, int64_t k, int64_t lda, int64_t sa, int64_t st, int64_t count),                      \
          (m, n, k, lda, sa, st, count),                                                                                           \
          ({4, m >= 0, "m"}, {5, n >= 0, "n"}, {6, k >= 0, "k"}, {7, leads(lda, m), "lda"},                                        \
           {8, covers(sa, lda, n), "stride_a"}, {9, st >= k, "stride_tau"}, {12, count >= 0, "batchsize"}))                        \
    MACRO(syevd, (job what, uplo u, int64_t n, int64_t lda), (what, u, n, lda), ())
#define SIZES_OF_COMPLEX(MACRO)                                                                                                    \
    MACRO(ungqr, (int64_t m, int64_t n, int64_t k, int64_t lda), (m, n, k, lda), ())                                               \
    MACRO(ungqr_batch, (int64_t m, int64_t n, int64_t k, int64_t lda, int64_t sa, int64_t st, int64_t count),                      \
          (m, n, k, lda, sa, st, count),                                                                                           \
          ({4, m >= 0, "m"}, {5, n >= 0, "n"}, {6, k >= 0, "k"}, {7, leads(lda, m), "lda"},                                        \
           {8, covers(sa, lda, n), "stride_a"}, {9, st >= k, "stride_tau"}, {12, count >= 0, "batchsize"}))                        \
    MACRO(heevd, (job what, uplo u, int64_t n, int64_t lda), (what, u, n, lda), ())

namespace oneapi::mkl::lapack {
#define EACH_TYPE(T) LU(T) CHOLESKY(T) LEAST_SQUARES(T) SVD(T)
EACH_TYPE(float)
EACH_TYPE(double)
EACH_TYPE(ComplexF)
EACH_TYPE(ComplexD)
QR(float, orgqr, orgqr_batch)
QR(double, orgqr, orgqr_batch)
QR(ComplexF, ungqr, ungqr_batch)
QR(ComplexD, ungqr, ungqr_batch)
EIGEN(float, syevd)
EIGEN(double, syevd)
EIGEN(ComplexF, heevd)
EIGEN(ComplexD, heevd)

SIZES_OF_ALL(SCRATCHPAD)
#define SCRATCHPAD_FOR_TAU(...) SCRATCHPAD_OF(std::max(n * count, scratchpad), __VA_ARGS__)
SIZE_OF_LEAST_SQUARES(SCRATCHPAD_FOR_TAU)
SIZES_OF_REAL(SCRATCHPAD)
SIZES_OF_COMPLEX(SCRATCHPAD)
#define FOR_FLOAT(NAME, PARAMETERS, ARGUMENTS, CHECKS) INSTANTIATE(float, NAME, PARAMETERS)
#define FOR_DOUBLE(NAME, PARAMETERS, ARGUMENTS, CHECKS) INSTANTIATE(double, NAME, PARAMETERS)
#define FOR_COMPLEX_FLOAT(NAME, PARAMETERS, ARGUMENTS, CHECKS) INSTANTIATE(ComplexF, NAME, PARAMETERS)
#define FOR_COMPLEX_DOUBLE(NAME, PARAMETERS, ARGUMENTS, CHECKS) INSTANTIATE(ComplexD, NAME, PARAMETERS)
SIZES_OF_ALL(FOR_FLOAT)
SIZE_OF_LEAST_SQUARES(FOR_FLOAT)
SIZES_OF_ALL(FOR_DOUBLE)
SIZE_OF_LEAST_SQUARES(FOR_DOUBLE)
SIZES_OF_ALL(FOR_COMPLEX_FLOAT)
SIZE_OF_LEAST_SQUARES(FOR_COMPLEX_FLOAT)
SIZES_OF_ALL(FOR_COMPLEX_DOUBLE)
SIZE_OF_LEAST_SQUARES(FOR_COMPLEX_DOUBLE)
SIZES_OF_REAL(FOR_FLOAT)
SIZES_OF_REAL(FOR_DOUBLE)
SIZES_OF_COMPLEX(FOR_COMPLEX_FLOAT)
SIZES_OF_COMPLEX(FOR_COMPLEX_DOUBLE)
} // namespace oneapi::mkl::lapack
