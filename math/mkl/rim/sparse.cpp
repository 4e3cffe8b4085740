// libmkl_sycl_sparse: products of sparse matrices.
//
// A handle is the vendor's, because it is created without a queue, and the vendor's functions create, fill and release
// it. The data of handles that were filled on a queue of ours is also kept here.
#include "arguments.hpp"
#include "native.hpp"
#include <mutex>
#include <optional>
#include <unordered_map>

namespace {
using oneapi::mkl::index_base;
using oneapi::mkl::layout;
using oneapi::mkl::sparse::matrix_handle;
using std::int64_t;

std::string text_of(const std::string &function, const std::string &why) { return "oneapi::mkl::sparse::" + function + ": " + why; }

void require(const char *function, bool is_right, const std::string &what) {
    if (!is_right) throw oneapi::mkl::invalid_argument(text_of(function, "invalid argument: " + what));
}

void require_object(const char *function, bool is_there, const std::string &what) {
    if (!is_there) throw oneapi::mkl::uninitialized(text_of(function, "uninitialized object: " + what));
}

void require_implemented(const char *function, bool is_implemented, const std::string &what) {
    if (!is_implemented) throw oneapi::mkl::unimplemented(text_of(function, "unimplemented functionality: " + what));
}

bool is_transposed(transpose t) { return is_known(t) && t != transpose::nontrans; }

/// Here oneMKL treats unknown transposes as none.
void require_known(const char *function, const char *name, transpose t) {
    require(function, is_known(t), std::string("Illegal value supplied for parameter ") + name);
}

class Matrices {
    std::mutex mutex;
    std::unordered_map<const matrix_handle *, pi_math_csr> matrices;

  public:
    void put(const matrix_handle *handle, const pi_math_csr &matrix) {
        std::lock_guard lock(mutex);
        matrices.insert_or_assign(handle, matrix);
    }
    void remove(const matrix_handle *handle) {
        std::lock_guard lock(mutex);
        matrices.erase(handle);
    }
    /// Returns the matrix of a handle. Throws if it was not filled on a queue of ours.
    pi_math_csr get(const char *function, const matrix_handle *handle) {
        std::lock_guard lock(mutex);
        auto found = matrices.find(handle);
        require_object(function, found != matrices.end(),
                       "set_csr_data was not called for this matrix handle and this device; NVIDIA GPUs have no other formats");
        return found->second;
    }
};

/// Never destroyed: handles may outlive the program's static objects.
Matrices &matrices() {
    static auto *all = new Matrices;
    return *all;
}

template <class I, class T>
pi_math_csr matrix_of(int64_t rows, int64_t columns, int64_t count, index_base base, const I *starts, const I *indices, const T *values) {
    return {element<T>, sizeof(I), int(base), rows, columns, count, starts, indices, values};
}

template <class T> void require_numbers(const char *function, const pi_math_csr &matrix) {
    require_implemented(function, matrix.element == element<T>,
                        "floating point types between sparse matrix and API input arguments must be same");
}

template <class T>
sycl::event matrix_vector(sycl::queue &queue, transpose t, T alpha, const matrix_handle *handle, const T *x, T beta, T *y,
                          const Events &before) {
    constexpr auto name = "gemv";
    require_object(name, handle, "hMatrix");
    require_object(name, x, "x");
    require_object(name, y, "y");
    auto matrix = matrices().get(name, handle);
    require_numbers<T>(name, matrix);
    require_known(name, "transpose_val", t);
    return enqueue(name, queue, before, [=] { return pi_math_spmv(&matrix, int(t), &alpha, x, &beta, y); });
}

template <class T>
sycl::event product(sycl::queue &queue, layout order, transpose ta, transpose tx, T alpha, const matrix_handle *handle, const T *x,
                    int64_t columns, int64_t ldx, T beta, T *y, int64_t ldy, const Events &before) {
    constexpr auto name = "gemm";
    require_object(name, handle, "hMatrix");
    require_object(name, x, "b");
    require_object(name, y, "c");
    bool by_rows = order == layout::row_major;
    auto least = by_rows ? columns : 1;
    require(name, columns > 0 && ldx >= (is_transposed(tx) ? 1 : least) && ldy >= least,
            "one or more of columns, ldb and ldc are invalid");
    require_implemented(name, is_known(tx), "Only non-transpose operation is supported for dense matrix in sparse");
    constexpr auto dimensions = "incompatible leading dimensions with dense matrix layout";
    require(name, by_rows || order == layout::col_major, dimensions);
    auto matrix = matrices().get(name, handle);
    auto inner = matrix.columns, outer = matrix.rows;
    if (is_transposed(ta)) std::swap(inner, outer);
    require(name, leads(ldx, by_rows == is_transposed(tx) ? inner : columns) && leads(ldy, by_rows ? columns : outer), dimensions);
    require_numbers<T>(name, matrix);
    require_known(name, "transpose_A", ta);
    pi_math_dense_pair dense{by_rows, int(tx), columns, x, ldx, y, ldy};
    return enqueue(name, queue, before, [=] { return pi_math_spmm(&matrix, int(ta), &alpha, &beta, &dense); });
}

/// Nothing is prepared: cuSPARSE needs no analysis for products.
sycl::event prepare(const char *function, sycl::queue &queue, const Events &before) {
    return enqueue(function, queue, before, []() -> const char * { return nullptr; });
}
} // namespace

#define SET_CSR_DATA(I, T)                                                                                                         \
    sycl::event set_csr_data(sycl::queue &queue, matrix_handle *handle, int64_t rows, int64_t columns, int64_t count,              \
                             index_base base, I *starts, I *indices, T *values, const Events &before) {                            \
        using Type = sycl::event(sycl::queue &, matrix_handle *, int64_t, int64_t, int64_t, index_base, I *, I *, T *,             \
                                 const Events &);                                                                                  \
        static Type *theirs = vendor<Type>(set_csr_data);                                                                          \
        matrices().remove(handle);                                                                                                 \
        auto event = theirs(queue, handle, rows, columns, count, base, starts, indices, values, before);                           \
        if (is_ours(queue)) matrices().put(handle, matrix_of(rows, columns, count, base, starts, indices, values));                \
        return event;                                                                                                              \
    }

#define PRODUCTS(T)                                                                                                                \
    sycl::event gemv(sycl::queue &queue, transpose t, T alpha, matrix_handle *handle, const T *x, T beta, T *y,                    \
                     const Events &before) {                                                                                       \
        using Type = sycl::event(sycl::queue &, transpose, T, matrix_handle *, const T *, T, T *, const Events &);                 \
        FORWARD_UNLESS_OURS(gemv, Type, queue, t, alpha, handle, x, beta, y, before)                                               \
        return matrix_vector<T>(queue, t, alpha, handle, x, beta, y, before);                                                      \
    }                                                                                                                              \
    sycl::event gemm(sycl::queue &queue, layout order, transpose ta, transpose tx, T alpha, matrix_handle *handle, const T *x,     \
                     int64_t columns, int64_t ldx, T beta, T *y, int64_t ldy, const Events &before) {                              \
        using Type = sycl::event(sycl::queue &, layout, transpose, transpose, T, matrix_handle *, const T *, int64_t, int64_t, T,  \
                                 T *, int64_t, const Events &);                                                                    \
        FORWARD_UNLESS_OURS(gemm, Type, queue, order, ta, tx, alpha, handle, x, columns, ldx, beta, y, ldy, before)                \
        return product<T>(queue, order, ta, tx, alpha, handle, x, columns, ldx, beta, y, ldy, before);                             \
    }                                                                                                                              \
    SET_CSR_DATA(std::int32_t, T)                                                                                                  \
    SET_CSR_DATA(std::int64_t, T)

namespace oneapi::mkl::sparse {
PRODUCTS(float)
PRODUCTS(double)
PRODUCTS(ComplexF)
PRODUCTS(ComplexD)

void init_matrix_handle(matrix_handle **handle) {
    static auto *theirs = vendor<void(matrix_handle **)>(init_matrix_handle);
    theirs(handle);
}

/// Enqueued products have their own copy of what a handle says, so they may still wait for their turn.
sycl::event release_matrix_handle(sycl::queue &queue, matrix_handle **handle, const Events &before) {
    using Type = sycl::event(sycl::queue &, matrix_handle **, const Events &);
    static Type *theirs = vendor<Type>(release_matrix_handle);
    if (handle) matrices().remove(*handle);
    return theirs(queue, handle, before);
}

sycl::event optimize_gemv(sycl::queue &queue, transpose t, matrix_handle *handle, const Events &before) {
    using Type = sycl::event(sycl::queue &, transpose, matrix_handle *, const Events &);
    FORWARD_UNLESS_OURS(optimize_gemv, Type, queue, t, handle, before)
    require_object("optimize_gemv", handle, "hMatrix");
    return prepare("optimize_gemv", queue, before);
}

sycl::event optimize_gemm(sycl::queue &queue, transpose t, matrix_handle *handle, const Events &before) {
    using Type = sycl::event(sycl::queue &, transpose, matrix_handle *, const Events &);
    FORWARD_UNLESS_OURS(optimize_gemm, Type, queue, t, handle, before)
    require_object("optimize_gemm", handle, "A");
    return prepare("optimize_gemm", queue, before);
}

sycl::event optimize_gemm(sycl::queue &queue, layout order, transpose ta, transpose tx, matrix_handle *handle, int64_t columns,
                          const Events &before) {
    using Type = sycl::event(sycl::queue &, layout, transpose, transpose, matrix_handle *, int64_t, const Events &);
    FORWARD_UNLESS_OURS(optimize_gemm, Type, queue, order, ta, tx, handle, columns, before)
    require_object("optimize_gemm", handle, "A");
    require("optimize_gemm", columns > 0, "columns value should be positive.");
    return prepare("optimize_gemm", queue, before);
}
} // namespace oneapi::mkl::sparse
