// How drop-ins know our devices, and how they enqueue work on NVIDIA's libraries.
#pragma once
#include "pi_math.hpp"
#include <memory>
#include <mutex>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace {
using Events = std::vector<sycl::event>;

/// Returns whether a device belongs to our CUDA adapter, whatever the adapter calls itself.
bool is_ours(const sycl::device &device) {
    constexpr unsigned nvidia = 0x10de;
    return device.get_info<sycl::info::device::vendor_id>() == nvidia && pi_math_is_here();
}

/// The result of work that may run after its call has returned.
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
    /// Calls `fail`, which throws, if the work has failed. Returns whether it has run.
    template <class Fail> bool check(Fail fail) {
        std::lock_guard lock(mutex);
        if (!failure.empty()) fail(failure);
        return ran;
    }
};

/// Work on a queue.
struct Enqueued {
    sycl::event event;
    std::shared_ptr<Outcome> outcome;
};

/// Enqueues `work` on the queue's stream. Like the functions of pi_math.hpp, `work` returns null or an error message.
template <class F> Enqueued start(sycl::queue &queue, const Events &before, F work) {
    // An exception cannot pass the frames between libsycl and the adapter. With dependencies on host tasks, libsycl
    // calls `work` later, from another thread.
    auto outcome = std::make_shared<Outcome>();
    auto event = queue.submit([&](sycl::handler &handler) {
        handler.depends_on(before);
        handler.ext_codeplay_enqueue_native_command([=](sycl::interop_handle) { outcome->put(work()); });
    });
    return {event, outcome};
}

/// Enqueues a host task. libsycl passes what it throws to the queue's handler of asynchronous exceptions.
template <class F> sycl::event on_host(sycl::queue &queue, const Events &before, F work) {
    return queue.submit([&](sycl::handler &handler) {
        handler.depends_on(before);
        handler.host_task(work);
    });
}

/// Like `start`. A failure goes to `fail`, which throws, or to the queue's handler if the work runs after the call. In
/// that case the event covers both.
template <class F, class Fail> sycl::event enqueue(sycl::queue &queue, const Events &before, F work, Fail fail) {
    auto [event, outcome] = start(queue, before, work);
    if (outcome->check(fail)) return event;
    return on_host(queue, {event}, [fail, outcome = outcome] { outcome->check(fail); });
}
} // namespace
