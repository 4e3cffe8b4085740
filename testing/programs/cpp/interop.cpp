// SYCL objects from and to OpenCL's, and buffers with OpenCL kernels. Prints a line for each result.
//
// Kernels of OpenCL C need no device compiler, and they take accessors.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>

#include <numeric>
#include <vector>

#include "report.hpp"

constexpr auto opencl = sycl::backend::opencl;
constexpr int count = 64;

static const char *text = "kernel void add(global int *data, int value) { data[get_global_id(0)] += value; }\n"
                          "kernel void reverse(global int *data, local int *part) {\n"
                          "  size_t i = get_local_id(0), n = get_local_size(0);\n"
                          "  part[i] = data[get_global_id(0)];\n"
                          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "  data[get_global_id(0)] = part[n - 1 - i];\n"
                          "}\n";

static cl_program program_of(const sycl::queue &queue) {
  auto context = sycl::get_native<opencl>(queue.get_context());
  auto device = sycl::get_native<opencl>(queue.get_device());
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  clReleaseContext(context);
  clReleaseDevice(device);
  return program;
}

static cl_uint references(cl_event event) {
  cl_uint count = 0;
  clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, nullptr);
  return count;
}

static void round_trips(sycl::queue &queue) {
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();
  step("platform and device", [&] {
    auto platform = sycl::get_native<opencl>(device.get_platform());
    say("platform", sycl::make_platform<opencl>(platform) == device.get_platform());
    auto native = sycl::get_native<opencl>(device);
    say("device", sycl::make_device<opencl>(native) == device);
    clReleaseDevice(native);
  });
  step("context", [&] {
    auto native = sycl::get_native<opencl>(context);
    auto made = sycl::make_context<opencl>(native);
    say("devices", made.get_devices() == context.get_devices());
    say("the same native one", sycl::get_native<opencl>(made) == native);
    int *data = sycl::malloc_shared<int>(count, device, made);
    sycl::queue(made, device).fill(data, 3, count).wait();
    say("value", data[count - 1]);
    sycl::free(data, made);
    for (int i = 0; i < 2; ++i)
      clReleaseContext(native);
  });
  step("queue", [&] {
    auto native = sycl::get_native<opencl>(queue);
    auto made = sycl::make_queue<opencl>(native, context);
    int value = 0, *data = sycl::malloc_device<int>(1, made);
    made.fill(data, 8, 1).wait();
    made.copy(data, &value, 1).wait();
    say("value, device", value, made.get_device() == device);
    sycl::free(data, made);
    clReleaseCommandQueue(native);
  });
  step("queue of OpenCL", [&] {
    auto native_context = sycl::get_native<opencl>(context);
    auto native_device = sycl::get_native<opencl>(device);
    const cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue native = clCreateCommandQueueWithProperties(native_context, native_device, profiled, nullptr);
    {
      auto made = sycl::make_queue<opencl>(native, context);
      say("in order", made.is_in_order());
      say("profiling", made.has_property<sycl::property::queue::enable_profiling>());
      made.ext_oneapi_submit_barrier().wait();
    }
    say("it is still there", clReleaseCommandQueue(native) == CL_SUCCESS);
  });
  step("event", [&] {
    int *data = sycl::malloc_shared<int>(count, queue);
    auto event = queue.fill(data, 1, count);
    auto natives = sycl::get_native<opencl>(event);
    say("natives", natives.size());
    say("complete", clWaitForEvents(1, natives.data()) == CL_SUCCESS);
    say("references", references(natives.front()) > 1);
    auto made = sycl::make_event<opencl>(natives, context);
    made.wait();
    say("complete", made.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
    sycl::free(data, queue);
  });
  step("event of OpenCL", [&] {
    auto native_context = sycl::get_native<opencl>(context);
    cl_event native = clCreateUserEvent(native_context, nullptr);
    clRetainEvent(native);
    auto made = sycl::make_event<opencl>(std::vector<cl_event>{native}, context);
    clSetUserEventStatus(native, CL_COMPLETE);
    int *data = sycl::malloc_shared<int>(count, queue);
    queue.fill(data, 6, count, made).wait();
    say("value", data[0]);
    sycl::free(data, queue);
  });
}

static void kernels(sycl::queue &queue) {
  step("a bundle of a program", [&] {
    auto bundle = sycl::make_kernel_bundle<opencl, sycl::bundle_state::executable>(program_of(queue), queue.get_context());
    say("devices", bundle.get_devices().size());
    say("native programs", sycl::get_native<opencl>(bundle).size());
  });
  step("a kernel with memory of each kind", [&] {
    auto native = clCreateKernel(program_of(queue), "add", nullptr);
    auto kernel = sycl::make_kernel<opencl>(native, queue.get_context());
    say("name and arguments", kernel.get_info<sycl::info::kernel::function_name>(), kernel.get_info<sycl::info::kernel::num_args>());
    for (auto kind : {sycl::usm::alloc::host, sycl::usm::alloc::device, sycl::usm::alloc::shared}) {
      int last = 0, *data = sycl::malloc<int>(count, queue, kind);
      queue.fill(data, 5, count).wait();
      queue.submit([&](sycl::handler &h) {
             h.set_args(data, 6);
             h.parallel_for(sycl::range<1>(count), kernel);
           })
          .wait();
      queue.copy(data + count - 1, &last, 1).wait();
      say("value", last);
      sycl::free(data, queue);
    }
  });
}

static void buffers(sycl::queue &queue) {
  std::vector<int> data(count);
  std::iota(data.begin(), data.end(), 0);
  step("accessors and local memory as arguments", [&] {
    auto add = sycl::make_kernel<opencl>(clCreateKernel(program_of(queue), "add", nullptr), queue.get_context());
    auto reverse = sycl::make_kernel<opencl>(clCreateKernel(program_of(queue), "reverse", nullptr), queue.get_context());
    sycl::buffer<int> buffer(data);
    queue.submit([&](sycl::handler &h) {
      h.set_args(buffer.get_access<sycl::access_mode::read_write>(h), 100);
      h.parallel_for(sycl::range<1>(count), add);
    });
    queue.submit([&](sycl::handler &h) {
      h.set_args(buffer.get_access<sycl::access_mode::read_write>(h), sycl::local_accessor<int>(16, h));
      h.parallel_for(sycl::nd_range<1>(count, 16), reverse);
    });
    sycl::host_accessor host(buffer);
    say("values", host[0], host[15], host[16]);
    host[0] = -1;
  });
  say("value that the buffer wrote back", data[0]);
  step("copies and fills", [&] {
    sycl::buffer<int> source(data), other{sycl::range<1>(count)};
    queue.submit([&](sycl::handler &h) {
      h.copy(source.get_access<sycl::access_mode::read>(h), other.get_access<sycl::access_mode::write>(h));
    });
    queue.submit([&](sycl::handler &h) { h.fill(other.get_access<sycl::access_mode::write>(h, 8, 4), 77); });
    std::vector<int> out(count);
    queue.submit([&](sycl::handler &h) { h.copy(other.get_access<sycl::access_mode::read>(h), out.data()); }).wait();
    say("values", out[3], out[4], out[11], out[12], out[63]);
    sycl::buffer<int> part(other, sycl::id<1>(32), sycl::range<1>(8));
    queue.submit([&](sycl::handler &h) { h.fill(part.get_access<sycl::access_mode::write>(h), 5); });
    sycl::host_accessor host(other);
    say("values", host[31], host[32], host[39]);
  });
  step("two dimensions", [&] {
    sycl::buffer<int, 2> whole{sycl::range<2>(8, 8)}, corner{sycl::range<2>(4, 4)};
    queue.submit([&](sycl::handler &h) { h.fill(whole.get_access<sycl::access_mode::write>(h), 1); });
    queue.submit([&](sycl::handler &h) { h.fill(corner.get_access<sycl::access_mode::write>(h), 2); });
    queue.submit([&](sycl::handler &h) {
      h.copy(corner.get_access<sycl::access_mode::read>(h), whole.get_access<sycl::access_mode::write>(h, {4, 4}, {2, 3}));
    });
    sycl::host_accessor host(whole);
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += host[i / 8][i % 8];
    say("sum", sum);
    say("value", host[5][6]);
  });
  step("a buffer of OpenCL", [&] {
    auto context = sycl::get_native<opencl>(queue.get_context());
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof(int), data.data(), nullptr);
    auto buffer = sycl::make_buffer<opencl, int>(mem, queue.get_context());
    say("size", buffer.size());
    queue.submit([&](sycl::handler &h) { h.fill(buffer.get_access<sycl::access_mode::write>(h, 1), 4); });
    queue.submit([&](sycl::handler &h) {
      auto accessor = buffer.get_access<sycl::access_mode::read_write>(h);
      h.host_task([=](sycl::interop_handle handle) {
        const int value = 12;
        auto native = handle.get_native_mem<opencl>(accessor);
        // Intel's driver returns from a blocking write before other queues see it; the event is set later.
        cl_event written;
        clEnqueueWriteBuffer(handle.get_native_queue<opencl>(), native.front(), CL_TRUE, 8, sizeof value, &value, 0, nullptr, &written);
        clWaitForEvents(1, &written);
        clReleaseEvent(written);
      });
    });
    sycl::host_accessor host(buffer);
    say("values", host[0], host[1], host[2]);
    clReleaseMemObject(mem);
  });
}

int main() {
  step("all", [] {
    sycl::queue queue;
    say("the backend is OpenCL", queue.get_backend() == opencl);
    round_trips(queue);
    kernels(queue);
    buffers(queue);
  });
  tell_adapters();
}
