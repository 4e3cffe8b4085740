// Checks of arguments. The accepted values, the order of the checks and the messages of the exceptions are oneMKL's:
// testing/cuda/dpctl/arguments compares them with oneMKL.
#pragma once
#include "onemkl.hpp"
#include <algorithm>

namespace {
using std::int64_t;

/// Returns whether a leading dimension is at least `least`, and at least 1.
bool leads(int64_t dimension, int64_t least) { return dimension >= std::max<int64_t>(1, least); }

/// Returns whether a stride is at least the product of two numbers that are not negative.
bool covers(int64_t stride, int64_t rows, int64_t columns) {
    int64_t product;
    return !__builtin_mul_overflow(rows, columns, &product) && stride >= product;
}

bool is_known(oneapi::mkl::transpose t) {
    using oneapi::mkl::transpose;
    return t == transpose::nontrans || t == transpose::trans || t == transpose::conjtrans;
}

bool is_known(oneapi::mkl::uplo u) { return u == oneapi::mkl::uplo::upper || u == oneapi::mkl::uplo::lower; }
} // namespace
