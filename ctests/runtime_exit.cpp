// runtime_exit: the C API in destructors of thread-local and of static objects, after a call that failed. The process ends normally.
#include <pi/pi_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

static bool fails_and_tells() {
  void *memory = nullptr;
  // Without a session it fails, and sets the thread's message.
  return pi_runtime_alloc(nullptr, 1, &memory) == PI_RUNTIME_INVALID && pi_runtime_error() != nullptr;
}

static bool is_right = true;

struct AtTheEnd {
  bool is_last;
  ~AtTheEnd() {
    pi_runtime_add_device_global(this, nullptr);
    is_right = fails_and_tells() && std::strlen(pi_runtime_error()) > 0 && is_right;
    if (is_last) _exit(is_right ? 0 : 1);
  }
};

static AtTheEnd of_the_process{true};

static void with_a_message() {
  // Made before the library's own thread-local objects, and so destroyed after them.
  static thread_local AtTheEnd of_the_thread{false};
  (void)of_the_thread;
  is_right = fails_and_tells() && std::strstr(pi_runtime_error(), "session") && is_right;
}

int main() {
  std::thread(with_a_message).join();
  with_a_message();
  return is_right ? 0 : 1;
}
