// // How a drop-in enqueues work and calls the vendor's library.
#pragma once
#include "onemkl.hpp"
#include "pi_math.hpp"
#include <dlfcn.h>
#include <memory>
#include <mutex>

// // Everything except oneMKL's names is private to the drop-in.
namespace {
/// /// `pi` recognizes our files by this text, even if their records are lost.
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

/// /// Returns whether a queue belongs to our CUDA adapter, whatever the adapter calls itself.
bool is_ours(const sycl::queue &queue) {
    constexpr unsigned nvidia = 0x10de;
    return queue.get_device().get_info<sycl::info::device::vendor_id>() == nvidia && pi_math_is_here();
}

/// /// Returns the vendor's function of the same name as `own`. The vendor's file follows this one in the symbol
/// look-up order.
template <class F> F *vendor(F *own) {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(own), &info) || !info.dli_sname) fail("a function", "it has no name");
    void *next = dlsym(RTLD_NEXT, info.dli_sname);
    if (!next) fail(info.dli_sname, "the vendor's library, which is kept beside this one, has no such function");
    return reinterpret_cast<F *>(next);
}

/// /// The result of work that may run after its call has returned.
class Outcome {
    std::mutex mutex;
    bool ran = false;
    std::string failure;

  public:
    void put(const char *why) {
        std::lock_guard lock(mutex);
        ran = true;
        if (why) failure = why;
    }
    /// /// Throws if the work has failed. Returns whether it has run.
    bool check(const char *name) {
        std::lock_guard lock(mutex);
        if (!failure.empty()) fail(name, failure);
        return ran;
    }
};

/// Work on a queue.
struct Enqueued {
    sycl::event event;
    std::shared_ptr<Outcome> outcome;
};

/// /// Enqueues `work` on the queue's stream. Like the functions of pi_math.hpp, `work` returns null or an error
/// message.
template <class F> Enqueued start(sycl::queue &queue, const Events &before, F work) {
    // // An exception cannot pass the frames between libsycl and the adapter. With dependencies on host tasks, libsycl
    // calls `work` later, from another thread.
    auto outcome = std::make_shared<Outcome>();
    auto event = queue.submit([&](sycl::handler &handler) {
        handler.depends_on(before);
        handler.ext_codeplay_enqueue_native_command([=](sycl::interop_handle) { outcome->put(work()); });
    });
    return {event, outcome};
}

/// /// Enqueues a host task. libsycl passes what it throws to the queue's handler of asynchronous exceptions.
template <class F> sycl::event on_host(sycl::queue &queue, const Events &before, F work) {
    return queue.submit([&](sycl::handler &handler) {
        handler.depends_on(before);
        handler.host_task(work);
    });
}

/// /// Like `start`. A failure is thrown, or passed to the queue's handler if the work runs after the call. In that
/// case the event covers both.
template <class F> sycl::event enqueue(const char *name, sycl::queue &queue, const Events &before, F work) {
    auto [event, outcome] = start(queue, before, work);
    if (outcome->check(name)) return event;
    return on_host(queue, {event}, [name, outcome = outcome] { outcome->check(name); });
}

/// /// Like `start`, and waits. A failure is thrown.
template <class F> sycl::event finish(const char *name, sycl::queue &queue, const Events &before, F work) {
    auto [event, outcome] = start(queue, before, work);
    event.wait();
    outcome->check(name);
    return event;
}

/// /// Returns the value of a scalar. Waits for one in memory.
template <class T> T value(sycl::queue &queue, const Events &before, Scalar<T> scalar) {
    if (!scalar.pointer()) return scalar.value();
    T value;
    queue.memcpy(&value, scalar.pointer(), sizeof value, before).wait();
    return value;
}
} // namespace
