// Functions of oneMKL's LAPACK that dpnp does not call, for lapack_check.py. An exception's text goes to `text`.
#include "onemkl.hpp"
#include <cstring>

using std::int64_t;
using oneapi::mkl::transpose;
using Events = std::vector<sycl::event>;

namespace oneapi::mkl::lapack {
#if ONEMKL_MAJOR == 5
#define SIZE_TEMPLATE template <class T, void * = nullptr>
#else
#define SIZE_TEMPLATE template <class T, class = void *>
#endif
SIZE_TEMPLATE int64_t getri_scratchpad_size(sycl::queue &, int64_t n, int64_t lda);
SIZE_TEMPLATE int64_t gels_batch_scratchpad_size(sycl::queue &, transpose, int64_t m, int64_t n, int64_t columns, int64_t lda, int64_t sa,
                                                 int64_t ldb, int64_t sb, int64_t count);
#define FOR_TYPE(T)                                                                                                                \
    sycl::event getrf(sycl::queue &, int64_t m, int64_t n, T *a, int64_t lda, int64_t *pivots, T *scratch, int64_t size,           \
                      const Events &);                                                                                             \
    sycl::event getri(sycl::queue &, int64_t n, T *a, int64_t lda, const int64_t *pivots, T *scratch, int64_t size,                \
                      const Events &);                                                                                             \
    sycl::event gels_batch(sycl::queue &, transpose, int64_t m, int64_t n, int64_t columns, T *a, int64_t lda, int64_t sa, T *b,   \
                           int64_t ldb, int64_t sb, int64_t count, T *scratch, int64_t size, const Events &);
FOR_TYPE(float)
FOR_TYPE(double)
FOR_TYPE(std::complex<float>)
FOR_TYPE(std::complex<double>)
} // namespace oneapi::mkl::lapack

namespace {
using namespace oneapi::mkl;

struct Sizes {
    int64_t transposed, m, n, columns, lda, stride_a, ldb, stride_b, count, spare;
};

/// The inverse of `a`, in its place.
template <class T> void invert(sycl::queue &queue, T *a, T *, const Sizes &s) {
    int64_t size = lapack::getri_scratchpad_size<T>(queue, s.n, s.lda);
    auto pivots = sycl::malloc_device<int64_t>(s.n, queue);
    auto scratch = sycl::malloc_device<T>(size, queue);
    auto event = lapack::getrf(queue, s.n, s.n, a, s.lda, pivots, scratch, size, {});
    lapack::getri(queue, s.n, a, s.lda, pivots, scratch, size, {event}).wait();
    sycl::free(pivots, queue);
    sycl::free(scratch, queue);
}

/// Least squares. The scratchpad has `spare` numbers more than asked for, or fewer where that is negative.
template <class T> void solve(sycl::queue &queue, T *a, T *b, const Sizes &s) {
    auto t = s.transposed ? transpose::trans : transpose::nontrans;
    int64_t asked =
        lapack::gels_batch_scratchpad_size<T>(queue, t, s.m, s.n, s.columns, s.lda, s.stride_a, s.ldb, s.stride_b, s.count);
    int64_t size = asked + s.spare;
    auto scratch = sycl::malloc_device<T>(size, queue);
    struct Free {
        T *memory;
        sycl::queue &queue;
        ~Free() { sycl::free(memory, queue); }
    } free{scratch, queue};
    lapack::gels_batch(queue, t, s.m, s.n, s.columns, a, s.lda, s.stride_a, b, s.ldb, s.stride_b, s.count, scratch, size, {}).wait();
}

template <class T> void call(int function, sycl::queue &queue, void *a, void *b, const Sizes &sizes) {
    (function ? solve<T> : invert<T>)(queue, static_cast<T *>(a), static_cast<T *>(b), sizes);
}
} // namespace

/// `function` is 0 to invert, 1 to solve. The answer is 0: done. 1: matrices of a batch failed. 2: another exception.
extern "C" int onemkl_call(int function, char kind, sycl::queue *queue, void *a, void *b, const Sizes *sizes, char *text, size_t room) {
    auto tell = [&](const std::exception &error, int answer) {
        std::strncpy(text, error.what(), room - 1);
        return answer;
    };
    try {
        switch (kind) {
        case 'f': call<float>(function, *queue, a, b, *sizes); break;
        case 'd': call<double>(function, *queue, a, b, *sizes); break;
        case 'F': call<std::complex<float>>(function, *queue, a, b, *sizes); break;
        default: call<std::complex<double>>(function, *queue, a, b, *sizes);
        }
        return 0;
    } catch (const oneapi::mkl::batch_error &error) {
        return tell(error, 1);
    } catch (const std::exception &error) {
        return tell(error, 2);
    }
}
