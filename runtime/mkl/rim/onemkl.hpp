// Our own declarations of what dpnp's wheels import from oneMKL's SYCL libraries: the names, the enumerators' values and the layouts that
// the mangled symbols and the calls need.
#pragma once
#include <complex>
#include <cstdint>
#include <exception>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace oneapi::mkl {
enum class transpose : char { nontrans = 0, trans = 1, conjtrans = 3 };
enum class uplo : char { upper = 0, lower = 1 };

/// A number, or where it is.
template <typename T> class value_or_pointer {
    T value_;
    const T *pointer_;

  public:
    T value() const { return value_; }
    const T *pointer() const { return pointer_; }
};

/// What oneMKL throws. Callers catch it by this name, and read it with their own copy of these functions.
class exception : public std::exception {
    std::string text_;

  public:
    explicit exception(std::string text) : text_(std::move(text)) {}
    const char *what() const noexcept override { return text_.c_str(); }
};

namespace blas {
enum class compute_mode : std::uint64_t { unset = 0 };
}
} // namespace oneapi::mkl
