// How a drop-in enqueues work and calls the vendor's library.
#pragma once
#include "enqueue.hpp"
#include "onemkl.hpp"
#include <dlfcn.h>

// Everything except oneMKL's names is private to the drop-in.
namespace {
/// `pi` recognizes our files by this text, even if their records are lost.
[[gnu::used]] const char mark[] = "sycl_pi_backend: a drop-in for oneMKL";

using oneapi::mkl::transpose;
using oneapi::mkl::uplo;
template <class T> using Scalar = oneapi::mkl::value_or_pointer<T>;
using Half = sycl::half;
using ComplexF = std::complex<float>;
using ComplexD = std::complex<double>;

/// The number of an element type in pi_math.hpp.
template <class T> constexpr int element = -1;
template <> constexpr int element<float> = 0;
template <> constexpr int element<double> = 1;
template <> constexpr int element<ComplexF> = 2;
template <> constexpr int element<ComplexD> = 3;

[[noreturn]] void fail(const std::string &function, const std::string &why) {
    throw oneapi::mkl::exception("oneMKL on NVIDIA: " + function + ": " + why);
}

/// Returns whether a queue belongs to our CUDA adapter, whatever the adapter calls itself.
bool is_ours(const sycl::queue &queue) { return is_ours(queue.get_device()); }

/// Returns the vendor's function of the same name as `own`. The vendor's file follows this one in the symbol
/// look-up order.
template <class F> F *vendor(F *own) {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(own), &info) || !info.dli_sname) fail("a function", "it has no name");
    void *next = dlsym(RTLD_NEXT, info.dli_sname);
    if (!next) fail(info.dli_sname, "the vendor's library, which is kept beside this one, has no such function");
    return reinterpret_cast<F *>(next);
}

/// Throws the exception of a function whose work has failed.
inline auto failing(const char *name) {
    return [name](const std::string &why) { fail(name, why); };
}

/// Enqueues `work` on the queue's stream. A failure is thrown, or passed to the queue's handler if the work runs after
/// the call.
template <class F> sycl::event enqueue(const char *name, sycl::queue &queue, const Events &before, F work) {
    return enqueue(queue, before, work, failing(name));
}

/// Like `start`, and waits. A failure is thrown.
template <class F> sycl::event finish(const char *name, sycl::queue &queue, const Events &before, F work) {
    auto [event, outcome] = start(queue, before, work);
    event.wait();
    outcome->check(failing(name));
    return event;
}

/// Returns the value of a scalar. Waits for one in memory.
template <class T> T value(sycl::queue &queue, const Events &before, Scalar<T> scalar) {
    if (!scalar.pointer()) return scalar.value();
    T value;
    queue.memcpy(&value, scalar.pointer(), sizeof value, before).wait();
    return value;
}
} // namespace

// Calls the vendor's function if the queue is not ours. `own` has the name and the type of the vendor's function.
#define FORWARD_UNLESS_OURS(own, type, ...)                                                                                        \
    if (!is_ours(queue)) {                                                                                                         \
        static type *theirs = vendor<type>(own);                                                                                   \
        return theirs(__VA_ARGS__);                                                                                                \
    }
