// The exceptions that oneMKL's BLAS throws for arguments that are out of range.
#pragma once
#include "arguments.hpp"
#include <initializer_list>

namespace {
/// The name of an argument, and whether its value is valid.
struct Argument {
    const char *name;
    bool is_right;
};

std::string text_of(const std::string &function, const std::string &why) {
    return "oneapi::mkl::oneapi::mkl::blas::" + function + ": " + why;
}

void require(const std::string &function, const char *what, std::initializer_list<Argument> arguments) {
    for (auto &argument : arguments)
        if (!argument.is_right)
            throw oneapi::mkl::invalid_argument(
                text_of(function, std::string("invalid argument: ") + what + " supplied for parameter " + argument.name));
}

/// Throws for the first invalid value.
void require(const std::string &function, std::initializer_list<Argument> arguments) {
    require(function, "Illegal value", arguments);
}

/// Throws for the first null pointer.
void require_pointers(const std::string &function, std::initializer_list<Argument> arguments) {
    require(function, "Null pointer", arguments);
}

/// Checks the sizes of a product. Here oneMKL treats unknown transposes as transposed matrices and computes
/// something undocumented. They are refused at the end.
void require_product(const std::string &function, bool by_columns, oneapi::mkl::transpose ta, oneapi::mkl::transpose tb, int64_t m,
                     int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc) {
    bool a_as_it_is = (ta == oneapi::mkl::transpose::nontrans) == by_columns;
    bool b_as_it_is = (tb == oneapi::mkl::transpose::nontrans) == by_columns;
    require(function, {{"m", m >= 0},
                       {"n", n >= 0},
                       {"k", k >= 0},
                       {"lda", leads(lda, a_as_it_is ? m : k)},
                       {"ldb", leads(ldb, b_as_it_is ? k : n)},
                       {"ldc", leads(ldc, by_columns ? m : n)},
                       {"transa", is_known(ta)},
                       {"transb", is_known(tb)}});
}
} // namespace
