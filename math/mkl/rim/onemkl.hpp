// Our own declarations of what dpnp's and llama.cpp's wheels import from oneMKL's SYCL libraries, with the names,
// enumerator values and layouts that the mangled symbols and the calls need.
#pragma once
#include <complex>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace oneapi::mkl {
enum class transpose : char { nontrans = 0, trans = 1, conjtrans = 3 };
enum class uplo : char { upper = 0, lower = 1 };
enum class side : char { left = 0, right = 1 };
enum class diag : char { nonunit = 0, unit = 1 };
enum class layout : char { row_major = 0, col_major = 1 };
enum class index_base : char { zero = 0, one = 1 };

/// A number or a pointer to one.
template <typename T> class value_or_pointer {
    T value_;
    const T *pointer_;

  public:
    explicit value_or_pointer(T value) : value_(value), pointer_(nullptr) {}
    T value() const { return value_; }
    const T *pointer() const { return pointer_; }
};

/// oneMKL's exception. Callers catch it by this name, and read it with their own copy of these functions.
class exception : public std::exception {
    std::string text_;

  public:
    explicit exception(std::string text) : text_(std::move(text)) {}
    const char *what() const noexcept override { return text_.c_str(); }
};

class invalid_argument : public exception {
  public:
    using exception::exception;
};
class uninitialized : public exception {
  public:
    using exception::exception;
};
class unimplemented : public exception {
  public:
    using exception::exception;
};
class host_bad_alloc : public exception {
  public:
    using exception::exception;
};
class computation_error : public exception {
  public:
    using exception::exception;
};
class batch_error : public exception {
  public:
    using exception::exception;
};

namespace blas {
enum class compute_mode : std::uint64_t { unset = 0 };
}

namespace sparse {
/// Only the vendor's functions see what is inside.
struct matrix_handle;
} // namespace sparse

enum class job : char { novec = 0, vec = 1 };
enum class jobsvd : char { novec = 0, all = 1, some = 3 };

namespace lapack {
/// The part of an exception that callers read.
class exception {
    std::int64_t info_, detail_ = 0;
    const oneapi::mkl::exception *whole_;

  public:
    exception(const oneapi::mkl::exception *whole, std::int64_t info) : info_(info), whole_(whole) {}
    std::int64_t info() const { return info_; }
    std::int64_t detail() const { return detail_; }
};

class invalid_argument : public oneapi::mkl::invalid_argument, public lapack::exception {
  public:
    invalid_argument(std::string text, std::int64_t info)
        : oneapi::mkl::invalid_argument(std::move(text)), lapack::exception(this, info) {}
};

class computation_error : public oneapi::mkl::computation_error, public lapack::exception {
  public:
    computation_error(std::string text, std::int64_t info)
        : oneapi::mkl::computation_error(std::move(text)), lapack::exception(this, info) {}
};

/// The matrices of a batch that failed, and the exception of each.
class batch_error : public oneapi::mkl::batch_error, public lapack::exception {
    std::vector<std::int64_t> ids_;
    std::vector<std::exception_ptr> exceptions_;

  public:
    batch_error(std::string text, std::vector<std::int64_t> ids, std::vector<std::exception_ptr> exceptions)
        : oneapi::mkl::batch_error(std::move(text)), lapack::exception(this, std::int64_t(ids.size())), ids_(std::move(ids)),
          exceptions_(std::move(exceptions)) {}
    const std::vector<std::int64_t> &ids() const { return ids_; }
    const std::vector<std::exception_ptr> &exceptions() const { return exceptions_; }
};
} // namespace lapack

namespace dft {
class bad_descriptor_exception : public std::runtime_error {
  public:
    bad_descriptor_exception() : runtime_error("FFT_BAD_DESCRIPTOR") {}
};
class invalid_descriptor_exception : public std::runtime_error {
  public:
    invalid_descriptor_exception() : runtime_error("FFT_INVALID_DESCRIPTOR") {}
};
} // namespace dft
} // namespace oneapi::mkl
