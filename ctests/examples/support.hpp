// What the examples in C++ share: a session that closes itself, and images from files.
#pragma once

#include <pi/pi_runtime.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Failure : public std::runtime_error {
public:
  explicit Failure(int32_t code) : std::runtime_error(pi_runtime_error()), code(code) {}
  int32_t code;
};

inline void check(int32_t code) {
  if (code != PI_RUNTIME_OK) throw Failure(code);
}

inline std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Registers an image that DPC++ compiled: its code and its properties.
inline void register_image(const std::string &folder, const std::string &name) {
  const std::string code = read_file(folder + "/" + name + ".spv");
  const std::string properties = read_file(folder + "/" + name + ".props.json");
  check(pi_runtime_register_spirv(name.c_str(), code.data(), code.size(), properties.c_str()));
}

class Session {
public:
  explicit Session(const char *plugin, uint32_t device = 0) {
    pi_runtime *opened = nullptr;
    check(pi_runtime_open(plugin, device, &opened));
    session.reset(opened);
  }

  pi_runtime *get() const { return session.get(); }

  std::string device_name() const { return pi_runtime_device_name(get()); }

  // Memory that the host and the device can reach; the session frees it.
  template <typename T> T *alloc(size_t count) const {
    void *memory = nullptr;
    check(pi_runtime_alloc(get(), count * sizeof(T), &memory));
    return static_cast<T *>(memory);
  }

  void launch(const char *kernel, size_t global, const std::vector<pi_runtime_arg> &arguments) const {
    check(pi_runtime_launch(get(), kernel, 1, &global, nullptr, arguments.data(),
                            static_cast<uint32_t>(arguments.size())));
  }

private:
  struct Close {
    void operator()(pi_runtime *session) const { pi_runtime_close(session); }
  };
  std::unique_ptr<pi_runtime, Close> session;
};

template <typename T> pi_runtime_arg value(const T &value) {
  return {PI_RUNTIME_ARG_VALUE, sizeof value, &value};
}

inline pi_runtime_arg address(const void *memory) { return {PI_RUNTIME_ARG_ADDRESS, 0, memory}; }

// Runs an example: IMAGES [PLUGIN] on the command line. CTest takes the exit code 77 for "skipped".
template <typename Example> int run_example(int count, char **args, Example example) {
  if (count < 2) return 2;
  try {
    return example(std::string(args[1]), count > 2 ? args[2] : nullptr) ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const Failure &failure) {
    std::cerr << failure.what() << '\n';
    return failure.code == PI_RUNTIME_NO_DEVICE ? 77 : EXIT_FAILURE;
  }
}
