// libdnnl: the functions of oneDNN that take SYCL's objects. libpi_dnn.so has the others of ours, and the vendor's file,
// which follows both in the order of look-ups, has all the rest.
#include "pi_dnn.hpp"
#include "../../mkl/rim/enqueue.hpp"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

namespace {
/// `pi` recognizes our files by this text, even if their records are lost.
[[gnu::used]] const char mark[] = "sycl_pi_backend: a drop-in for oneDNN";

/// Tells llama.cpp to compute attention itself where there is NVIDIA's driver. Otherwise it would have oneDNN compile a
/// graph, which is refused, and then use a kernel that is slower than its other ones, and that ends the process for some
/// models. It reads the variable before it makes an engine.
[[gnu::constructor]] void choose_attention() {
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) setenv("GGML_SYCL_FA_ONEDNN", "0", /*overwrite*/ 0);
}

/// Returns a function of the vendor's library.
template <class F> F *vendor(const char *name, F *) { return reinterpret_cast<F *>(pi_dnn_vendor(name)); }

/// Calls the vendor's function of the same name.
#define VENDORS(name, ...)                                                                                                             \
    do {                                                                                                                               \
        static const auto function = vendor(#name, name);                                                                              \
        return function ? function(__VA_ARGS__) : pi_dnn_unimplemented;                                                                \
    } while (false)

/// Runs `work`, which returns a status. No exception may leave a C function.
template <class F> int answer(F work) noexcept {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return pi_dnn_out_of_memory;
    } catch (...) {
        return pi_dnn_runtime_error;
    }
}

/// The queue of a stream. A caller of oneDNN sees it as a `sycl::queue`, which is its first member.
struct Queue {
    sycl::queue queue;
    std::mutex mutex;
    /// What the stream did last, if the queue itself has no order.
    Events last;

    explicit Queue(const sycl::queue &its) : queue(its) {}
};

int execute(const void *primitive, void *stream, int count, const void *arguments, const Events *before, sycl::event *event) {
    return answer([&] {
        pi_math_product product{};
        void *its = nullptr;
        int anything = 0;
        if (int status = pi_dnn_prepare(primitive, stream, count, arguments, &product, &its, &anything)) return status;
        auto &queue = *static_cast<Queue *>(its);
        std::unique_lock lock(queue.mutex, std::defer_lock);
        Events all = before ? *before : Events{};
        bool in_order = queue.queue.is_in_order();
        if (!in_order) {
            lock.lock();
            all.insert(all.end(), queue.last.begin(), queue.last.end());
        }
        if (!anything) {
            if (event) *event = queue.queue.ext_oneapi_submit_barrier(all);
            return int(pi_dnn_success);
        }
        auto done = enqueue(
            queue.queue, all, [product] { return pi_math_gemm(&product); },
            [](const std::string &why) { throw std::runtime_error("oneDNN on NVIDIA: " + why); });
        if (!in_order) queue.last = {done};
        if (event) *event = done;
        return int(pi_dnn_success);
    });
}

const pi_dnn_rim rim = {
    [](void *device, void *context) {
        delete static_cast<sycl::device *>(device);
        delete static_cast<sycl::context *>(context);
    },
    [](void *device, void *context, int in_order, void **queue) {
        return answer([&] {
            auto properties = in_order ? sycl::property_list{sycl::property::queue::in_order()} : sycl::property_list{};
            *queue = new Queue({*static_cast<sycl::context *>(context), *static_cast<sycl::device *>(device), properties});
            return int(pi_dnn_success);
        });
    },
    [](void *queue) {
        return answer([&] {
            static_cast<Queue *>(queue)->queue.wait_and_throw();
            return int(pi_dnn_success);
        });
    },
    [](void *queue) { delete static_cast<Queue *>(queue); },
    [](void *device, void *context, std::size_t size) -> void * {
        void *memory = nullptr;
        answer([&] {
            memory = sycl::malloc_device(size, *static_cast<sycl::device *>(device), *static_cast<sycl::context *>(context));
            return 0;
        });
        return memory;
    },
    [](void *memory, void *context) {
        answer([&] {
            sycl::free(memory, *static_cast<sycl::context *>(context));
            return 0;
        });
    },
};

/// Makes an engine of ours.
int make_engine(void **engine, const sycl::device &device, const sycl::context &context) {
    if (!engine) return pi_dnn_invalid_arguments;
    auto devices = context.get_devices();
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) return pi_dnn_invalid_arguments;
    // Without cuBLAS there is nothing that an engine could do, and callers use what they have.
    if (pi_math_lacks_products()) return pi_dnn_unimplemented;
    auto own_device = std::make_unique<sycl::device>(device);
    *engine = pi_dnn_engine(&rim, own_device.get(), new sycl::context(context));
    own_device.release();
    return pi_dnn_success;
}

/// Returns whether a caller's device is ours. If it cannot be asked, it is the vendor's.
bool is_ours(const void *device) {
    bool ours = false;
    answer([&] {
        if (!device) return 0;
        auto &its = *static_cast<const sycl::device *>(device);
        ours = its.is_gpu() && is_ours(its);
        return 0;
    });
    return ours;
}
} // namespace

extern "C" {
int dnnl_sycl_interop_engine_create(void **engine, const void *device, const void *context) {
    if (!context || !is_ours(device)) VENDORS(dnnl_sycl_interop_engine_create, engine, device, context);
    return answer([&] {
        return make_engine(engine, *static_cast<const sycl::device *>(device), *static_cast<const sycl::context *>(context));
    });
}

int dnnl_graph_sycl_interop_make_engine_with_allocator(void **engine, const void *device, const void *context, const void *allocator) {
    if (!context || !is_ours(device)) VENDORS(dnnl_graph_sycl_interop_make_engine_with_allocator, engine, device, context, allocator);
    return dnnl_sycl_interop_engine_create(engine, device, context);
}

int dnnl_sycl_interop_stream_create(void **stream, void *engine, void *queue) {
    void *device = nullptr, *context = nullptr;
    if (!pi_dnn_engine_parts(engine, &device, &context)) VENDORS(dnnl_sycl_interop_stream_create, stream, engine, queue);
    return answer([&] {
        if (!stream || !queue) return int(pi_dnn_invalid_arguments);
        auto &its = *static_cast<sycl::queue *>(queue);
        bool fits = its.get_device() == *static_cast<sycl::device *>(device) && its.get_context() == *static_cast<sycl::context *>(context);
        if (!fits) return int(pi_dnn_invalid_arguments);
        *stream = pi_dnn_stream(engine, new Queue(its));
        return int(pi_dnn_success);
    });
}

int dnnl_primitive_execute(const void *primitive, void *stream, int count, const void *arguments) {
    if (!pi_dnn_is_ours(primitive)) VENDORS(dnnl_primitive_execute, primitive, stream, count, arguments);
    return execute(primitive, stream, count, arguments, nullptr, nullptr);
}

int dnnl_sycl_interop_primitive_execute(const void *primitive, void *stream, int count, const void *arguments, const void *before,
                                        void *event) {
    if (!pi_dnn_is_ours(primitive)) VENDORS(dnnl_sycl_interop_primitive_execute, primitive, stream, count, arguments, before, event);
    return execute(primitive, stream, count, arguments, static_cast<const Events *>(before), static_cast<sycl::event *>(event));
}
}
