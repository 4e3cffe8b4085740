// How a drop-in hands work to a queue, and calls to the vendor's library.
#pragma once
#include "onemkl.hpp"
#include "pi_math.hpp"
#include <dlfcn.h>
#include <memory>
#include <mutex>

// Everything is the drop-in's own but oneMKL's names.
namespace {
/// By this text `pi` knows a file of ours, even where its records are lost.
[[gnu::used]] const char mark[] = "sycl_pi_backend: a drop-in for oneMKL";

using Events = std::vector<sycl::event>;
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

/// Whether a queue is on our CUDA adapter, whatever it calls itself.
bool is_ours(const sycl::queue &queue) {
    constexpr unsigned nvidia = 0x10de;
    return queue.get_device().get_info<sycl::info::device::vendor_id>() == nvidia && pi_math_is_here();
}

/// The vendor's function of the same name as `own`. Its file stands behind this one in the order of symbol look-up.
template <class F> F *vendor(F *own) {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(own), &info) || !info.dli_sname) fail("a function", "it has no name");
    void *next = dlsym(RTLD_NEXT, info.dli_sname);
    if (!next) fail(info.dli_sname, "the vendor's library, which is kept beside this one, has no such function");
    return reinterpret_cast<F *>(next);
}

/// Failures of work that libsycl ran after the call had returned. The next call tells them.
class LateFailures {
    std::mutex mutex;
    std::string first;

  public:
    void put(const std::string &failure) {
        std::lock_guard lock(mutex);
        if (first.empty()) first = failure;
    }
    void check() {
        std::string failure;
        {
            std::lock_guard lock(mutex);
            failure.swap(first);
        }
        if (!failure.empty()) fail("an earlier call", failure);
    }
};

/// Never destroyed, as libsycl's threads may outlive the program's static objects.
LateFailures &late_failures() {
    static auto *all = new LateFailures;
    return *all;
}

/// What became of work, and whether its call has returned.
struct Outcome {
    std::mutex mutex;
    bool returned = false;
    std::string failure;
};

/// Enqueues what `work` does on the queue's stream. `work` answers null or a text, as the functions of pi_math.hpp do.
template <class F> sycl::event enqueue(const char *name, sycl::queue &queue, const Events &before, F work) {
    late_failures().check();
    // An exception cannot pass the frames between libsycl and the adapter. With dependencies on host tasks, libsycl calls `work`
    // later, from a thread of its own.
    auto outcome = std::make_shared<Outcome>();
    auto event = queue.submit([&](sycl::handler &handler) {
        handler.depends_on(before);
        handler.ext_codeplay_enqueue_native_command([=](sycl::interop_handle) {
            const char *why = work();
            if (!why) return;
            std::lock_guard lock(outcome->mutex);
            if (outcome->returned) late_failures().put(std::string(name) + ": " + why);
            outcome->failure = why;
        });
    });
    std::lock_guard lock(outcome->mutex);
    outcome->returned = true;
    if (!outcome->failure.empty()) fail(name, outcome->failure);
    return event;
}

/// The value of a scalar. One in memory is waited for.
template <class T> T value(sycl::queue &queue, const Events &before, Scalar<T> scalar) {
    if (!scalar.pointer()) return scalar.value();
    T value;
    queue.memcpy(&value, scalar.pointer(), sizeof value, before).wait();
    return value;
}
} // namespace
