// runtime_cpp PLUGIN IMAGES: images registered as compiled objects register them, linked, launched from C++.
#include <pi/pi_runtime.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// As the headers of DPC++ declare it, for the code that registers device globals.
namespace sycl {
inline namespace _V1 {
namespace detail {
namespace device_global_map {
void add(const void *host, const char *unique_id);
}
}  // namespace detail
}  // namespace _V1
}  // namespace sycl
namespace cl {
namespace sycl {
namespace detail {
namespace device_global_map {
void add(const void *host, const char *unique_id);
}
}  // namespace detail
}  // namespace sycl
}  // namespace cl

static void check(int32_t code) {
  if (code != PI_RUNTIME_OK) throw std::runtime_error(pi_runtime_error());
}

// A library with one image that imports or exports one symbol, as a compiler's static constructor hands it over.
struct Library {
  std::vector<char> code;
  std::string kernel, symbol;
  _pi_offload_entry_struct entry{};
  _pi_device_binary_property_struct property{};
  _pi_device_binary_property_set_struct set{};
  pi_device_binary_struct image{};
  pi_device_binaries_struct all{};

  Library(const std::string &file, const std::string &name, const char *kind, const std::string &about)
      : kernel(name), symbol(about) {
    std::ifstream stream(file, std::ios::binary);
    code.assign(std::istreambuf_iterator<char>(stream), {});
    entry.name = kernel.data();
    property.Name = symbol.data();
    property.Type = 1;
    property.ValSize = 1;
    set.Name = const_cast<char *>(kind);
    set.PropertiesBegin = &property;
    set.PropertiesEnd = &property + 1;
    image.Version = 1;
    image.Kind = 4;
    image.DeviceTargetSpec = "spir64";
    image.CompileOptions = image.LinkOptions = "";
    image.BinaryStart = reinterpret_cast<const unsigned char *>(code.data());
    image.BinaryEnd = image.BinaryStart + code.size();
    image.EntriesBegin = &entry;
    image.EntriesEnd = &entry + 1;
    image.PropertySetsBegin = &set;
    image.PropertySetsEnd = &set + 1;
    all.Version = 1;
    all.NumDeviceBinaries = 1;
    all.DeviceBinaries = &image;
    __sycl_register_lib(&all);
  }
  ~Library() { __sycl_unregister_lib(&all); }
};

int main(int count, char **args) try {
  if (count != 3) return 2;
  const std::string folder = args[2];
  pi_runtime *session = nullptr;
  const int32_t opened = pi_runtime_open(args[1], 0, &session);
  if (opened == PI_RUNTIME_NO_DEVICE) {
    std::printf("skipped: %s\n", pi_runtime_error());
    return 77;
  }
  check(opened);
  static const int registered = 0, of_2022 = 0;
  ::sycl::detail::device_global_map::add(&registered, "_Z10Registered");
  cl::sycl::detail::device_global_map::add(&of_2022, "_Z6Of2022");
  for (const int *host : {&registered, &of_2022}) {
    const int seven = 7;
    int found = 0;
    check(pi_runtime_memcpy_to_device_global(session, host, 0, &seven, sizeof seven));
    check(pi_runtime_memcpy_from_device_global(session, host, 0, &found, sizeof found));
    if (found != 7) return 1;
  }
  const char *name = "_ZTS8DlSplit1";
  Library kernels(folder + "/dl_split.1.spv", name, "SYCL/imported symbols", "_Z6helperi");
  void *memory = nullptr;
  check(pi_runtime_alloc(session, sizeof(int), &memory));
  int &value = *static_cast<int *>(memory);
  value = 4;
  const size_t one = 1;
  const pi_runtime_arg address = {PI_RUNTIME_ARG_ADDRESS, 0, memory};
  const auto launch = [&] { return pi_runtime_launch(session, name, 1, &one, nullptr, &address, 1); };
  // The library with the symbol is not there yet, then it is, then it is gone again.
  if (launch() != PI_RUNTIME_BUILD) return 1;
  std::printf("%s\n", pi_runtime_error());
  {
    Library helper(folder + "/dl_split.2.spv", "_Z6helperi", "SYCL/exported symbols", "_Z6helperi");
    check(launch());
  }
  if (value != 16) return 1;
  if (launch() != PI_RUNTIME_BUILD) return 1;
  // The same without a destructor that takes the images back: they stay, and the struct need not.
  {
    Library helper(folder + "/dl_split.2.spv", "_Z6helperi", "SYCL/exported symbols", "_Z6helperi");
    __sycl_unregister_lib(&helper.all);
    check(pi_runtime_register(&helper.all));
  }
  value = 5;
  check(launch());
  if (value != 25) return 1;
  // A descriptor that is registered again has its images once: they go with one call.
  {
    const char *kernel = "_ZTS8DlSplit2";
    Library twice(folder + "/dl_split.1.spv", kernel, "SYCL/imported symbols", "_Z6helperi");
    __sycl_register_lib(&twice.all);
    __sycl_unregister_lib(&twice.all);
    if (pi_runtime_prepare(session, kernel) != PI_RUNTIME_NOT_FOUND) return 1;
  }
  if (pi_runtime_register(nullptr) != PI_RUNTIME_IMAGE) return 1;
  // Specialization constants are arrays of bytes. An image that says otherwise is refused, and the caller learns it.
  {
    Library damaged(folder + "/dl_split.2.spv", "_Z6helperi", "SYCL/specialization constants", "_Z6helperi");
    if (std::string(pi_runtime_error()).find("_Z6helperi") == std::string::npos) return 1;
    if (pi_runtime_register(&damaged.all) != PI_RUNTIME_IMAGE) return 1;
    if (std::string(pi_runtime_error()).find("_Z6helperi") == std::string::npos) return 1;
  }
  pi_runtime_close(session);
  std::printf("16\n");
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
