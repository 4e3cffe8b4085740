// What the checks call of libmkl_sycl_sparse.
#pragma once
#include "onemkl.hpp"

namespace oneapi::mkl::sparse {
using Events = std::vector<sycl::event>;
using std::int64_t;
void init_matrix_handle(matrix_handle **);
sycl::event release_matrix_handle(sycl::queue &, matrix_handle **, const Events &);
sycl::event optimize_gemv(sycl::queue &, transpose, matrix_handle *, const Events &);
sycl::event optimize_gemm(sycl::queue &, transpose, matrix_handle *, const Events &);
sycl::event optimize_gemm(sycl::queue &, layout, transpose, transpose, matrix_handle *, int64_t, const Events &);
#define DECLARE_DATA(I, T)                                                                                                         \
    sycl::event set_csr_data(sycl::queue &, matrix_handle *, int64_t, int64_t, int64_t, index_base, I *, I *, T *, const Events &);
#define DECLARE(T)                                                                                                                 \
    DECLARE_DATA(std::int32_t, T)                                                                                                  \
    DECLARE_DATA(std::int64_t, T)                                                                                                  \
    sycl::event gemv(sycl::queue &, transpose, T, matrix_handle *, const T *, T, T *, const Events &);                             \
    sycl::event gemm(sycl::queue &, layout, transpose, transpose, T, matrix_handle *, const T *, int64_t, int64_t, T, T *,         \
                     int64_t, const Events &);
DECLARE(float)
DECLARE(double)
DECLARE(std::complex<float>)
DECLARE(std::complex<double>)
} // namespace oneapi::mkl::sparse
