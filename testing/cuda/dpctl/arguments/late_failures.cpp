// Failures of work that runs after its call has returned, on the software GPU.
//
// A product waits for a host task, and cuBLAS fails in it. The failing queue's handler gets one
// exception, other queues' handlers none, and later calls are carried out.
#include "onemkl.hpp"
#include <atomic>
#include <dlfcn.h>
#include <iostream>
#include <thread>

namespace oneapi::mkl::blas::column_major {
sycl::event gemm(sycl::queue &, transpose, transpose, std::int64_t, std::int64_t, std::int64_t, value_or_pointer<float>, const float *,
                 std::int64_t, const float *, std::int64_t, value_or_pointer<float>, float *, std::int64_t, compute_mode,
                 const std::vector<sycl::event> &);
}

namespace {
using namespace oneapi::mkl;
using Scalar = value_or_pointer<float>;

struct Side {
    std::vector<std::string> handled;
    sycl::queue queue;
    float *memory;
    explicit Side(sycl::property_list properties = {})
        : queue(sycl::default_selector_v,
                [this](sycl::exception_list errors) {
                    for (auto &error : errors) {
                        try {
                            std::rethrow_exception(error);
                        } catch (const oneapi::mkl::exception &error) {
                            handled.push_back(error.what());
                        }
                    }
                },
                properties),
          memory(sycl::malloc_shared<float>(12, queue)) {
        std::fill_n(memory, 8, 1.f);
    }
    sycl::event product(const std::vector<sycl::event> &before = {}) {
        std::fill_n(memory + 8, 4, 0.f);
        auto n = transpose::nontrans;
        return blas::column_major::gemm(queue, n, n, 2, 2, 2, Scalar(1), memory, 2, memory + 4, 2, Scalar(0), memory + 8, 2,
                                        blas::compute_mode::unset, before);
    }
    bool is_right() const { return memory[8] == 2 && memory[11] == 2; }
};

int wrong = 0;
void expect(bool holds, const char *what) {
    if (!holds) ++wrong, std::cout << "WRONG " << what << "\n";
}

void fail(const char *code) {
    std::string file = std::string(std::getenv("PI_NVIDIA_LIBRARIES")) + "/libcublas.so.12";
    auto set = reinterpret_cast<void (*)(const char *, int)>(dlsym(dlopen(file.c_str(), RTLD_NOW), "softwareMathFail"));
    set(*code ? "cublasGemmEx_64" : "", std::atoi(code));
}

void check(sycl::property_list properties) {
    Side failing(properties), other;
    std::atomic<bool> opened = false;
    auto gate = failing.queue.submit([&](sycl::handler &handler) {
        handler.host_task([&] {
            while (!opened) std::this_thread::yield();
        });
    });
    fail("13");
    auto late = failing.product({gate});
    opened = true;
    late.wait();
    failing.queue.wait_and_throw();
    fail("");
    expect(failing.handled.size() == 1, "the failing queue's handler gets one exception");
    expect(!failing.handled.empty() && failing.handled[0].find("gemm: cublasGemmEx_64 answered 13") != std::string::npos, "its text");
    other.product().wait();
    expect(other.is_right() && other.handled.empty(), "the next call, of another queue, is carried out");
    failing.product().wait();
    failing.queue.wait_and_throw();
    expect(failing.is_right() && failing.handled.size() == 1, "the failing queue computes afterwards");
}
} // namespace

int main() {
    try {
        Side first;
        first.product().wait();
        check({});
        check({sycl::property::queue::in_order()});
    } catch (const std::exception &error) {
        ++wrong, std::cout << "WRONG a call threw: " << error.what() << "\n";
    }
    std::cout << (wrong ? "wrong" : "right") << "\n";
    return wrong != 0;
}
