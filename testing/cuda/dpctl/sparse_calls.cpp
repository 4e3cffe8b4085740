// oneMKL's products of sparse matrices, for sparse_check.py. An exception's text goes to `text`, and the answer is null.
#include "arguments/sparse.hpp"
#include <chrono>
#include <cstring>
#include <thread>

using std::int64_t;
using oneapi::mkl::index_base;
using oneapi::mkl::layout;
using oneapi::mkl::transpose;
namespace sparse = oneapi::mkl::sparse;

namespace {
using Events = std::vector<sycl::event>;

struct Matrix {
    int64_t rows, columns, count, base, index_size;
    void *starts, *indices, *values;
};

struct Product {
    /// If `by_rows` is negative, the operand is a vector.
    int64_t by_rows, transpose, transpose_x, columns, ldx, ldy;
    const void *alpha, *x, *beta;
    void *y;
};

Events events_of(sycl::event *before) { return before ? Events{*before} : Events{}; }

/// Calls a function that returns an event.
template <class F> sycl::event *answer(char *text, size_t room, F call) {
    try {
        return new sycl::event(call());
    } catch (const std::exception &error) {
        std::strncpy(text, error.what(), room - 1);
        return nullptr;
    }
}

template <class F> sycl::event for_type(char kind, F call) {
    switch (kind) {
    case 'f': return call(float());
    case 'd': return call(double());
    case 'F': return call(std::complex<float>());
    default: return call(std::complex<double>());
    }
}
} // namespace

extern "C" {
sparse::matrix_handle *sparse_handle() {
    sparse::matrix_handle *handle = nullptr;
    sparse::init_matrix_handle(&handle);
    return handle;
}

sycl::event *sparse_set(sycl::queue *queue, sparse::matrix_handle *handle, char kind, const Matrix *m, char *text, size_t room) {
    auto set = [&](auto index, auto number) {
        using I = decltype(index);
        using T = decltype(number);
        return sparse::set_csr_data(*queue, handle, m->rows, m->columns, m->count, index_base(m->base), static_cast<I *>(m->starts),
                                    static_cast<I *>(m->indices), static_cast<T *>(m->values), Events{});
    };
    return answer(text, room, [&] {
        return for_type(kind, [&](auto number) { return m->index_size == 4 ? set(std::int32_t(), number) : set(int64_t(), number); });
    });
}

sycl::event *sparse_product(sycl::queue *queue, sparse::matrix_handle *handle, char kind, const Product *p, sycl::event *before,
                            char *text, size_t room) {
    auto t = transpose(p->transpose), tx = transpose(p->transpose_x);
    auto multiply = [&](auto number) {
        using T = decltype(number);
        auto at = [](const void *one) { return static_cast<const T *>(one); };
        auto y = static_cast<T *>(p->y);
        if (p->by_rows < 0) {
            sparse::optimize_gemv(*queue, t, handle, Events{});
            return sparse::gemv(*queue, t, *at(p->alpha), handle, at(p->x), *at(p->beta), y, events_of(before));
        }
        auto order = p->by_rows ? layout::row_major : layout::col_major;
        sparse::optimize_gemm(*queue, order, t, tx, handle, p->columns, Events{});
        return sparse::gemm(*queue, order, t, tx, *at(p->alpha), handle, at(p->x), p->columns, p->ldx, *at(p->beta), y, p->ldy,
                            events_of(before));
    };
    return answer(text, room, [&] { return for_type(kind, multiply); });
}

/// Releases the handle behind an event.
sycl::event *sparse_release(sycl::queue *queue, sparse::matrix_handle *handle, sycl::event *before) {
    return new sycl::event(sparse::release_matrix_handle(*queue, &handle, events_of(before)));
}

/// A host task that takes so long, and copies at its end.
sycl::event *sparse_copy_later(sycl::queue *queue, int milliseconds, void *to, const void *from, size_t size) {
    return new sycl::event(queue->submit([=](sycl::handler &handler) {
        handler.host_task([=] {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            std::memcpy(to, from, size);
        });
    }));
}

void sparse_wait(sycl::event *event) {
    event->wait();
    delete event;
}
}
