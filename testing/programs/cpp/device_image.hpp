// A device image as a compiler embeds it in a program: device code, the names of its kernels, its specialization constants.
//
// libsycl's headers do not declare the structures that it registers. They are declared here, as DPC++ writes them.
#pragma once

#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// libsycl.so.9 has dropped the manifest.
#if __LIBSYCL_MAJOR_VERSION >= 9
inline constexpr std::uint16_t image_version = 3;
#else
inline constexpr std::uint16_t image_version = 1;
#endif

struct Entry {
  void *address;
  const char *name;
  std::size_t size;
  std::int32_t flags, reserved;
};

struct Property {
  const char *name;
  const void *value;
  std::uint32_t type;
  std::uint64_t size;
};

struct PropertySet {
  const char *name;
  const Property *begin, *end;
};

struct Image {
  std::uint16_t version;
  std::uint8_t kind, format;
  const char *target, *compile_options, *link_options;
#if __LIBSYCL_MAJOR_VERSION < 9
  const char *manifest_begin, *manifest_end;
#endif
  const unsigned char *code_begin, *code_end;
  const Entry *entries_begin, *entries_end;
  const PropertySet *sets_begin, *sets_end;
};

struct Images {
  std::uint16_t version, count;
  const Image *images;
  const Entry *host_entries_begin, *host_entries_end;
};

extern "C" void __sycl_register_lib(const Images *);
extern "C" void __sycl_unregister_lib(const Images *);

// Registers SPIR-V with one kernel and one 32-bit specialization constant of number 0, as long as it lives.
class RegisteredImage {
public:
  RegisteredImage(const std::vector<std::byte> &spirv, const char *kernel, const char *constant, std::int32_t standard) {
    code = spirv;
    entry.name = kernel;
    const std::uint32_t number_offset_size[] = {0, 0, sizeof standard};
    constant_value = bytes(number_offset_size, sizeof number_offset_size);
    default_value = bytes(&standard, sizeof standard);
    constants = {constant, constant_value.data(), byte_array, constant_value.size()};
    defaults = {"all", default_value.data(), byte_array, default_value.size()};
    sets[0] = {"SYCL/specialization constants", &constants, &constants + 1};
    sets[1] = {"SYCL/specialization constants default values", &defaults, &defaults + 1};
    image.version = image_version;
    image.kind = 4;   // SYCL
    image.format = 2; // SPIR-V
    image.target = "spir64";
    image.compile_options = image.link_options = "";
    image.code_begin = reinterpret_cast<const unsigned char *>(code.data());
    image.code_end = image.code_begin + code.size();
    image.entries_begin = &entry;
    image.entries_end = &entry + 1;
    image.sets_begin = sets;
    image.sets_end = sets + 2;
    __sycl_register_lib(&images);
  }
  RegisteredImage(const RegisteredImage &) = delete;
  RegisteredImage &operator=(const RegisteredImage &) = delete;
  ~RegisteredImage() { __sycl_unregister_lib(&images); }

private:
  static constexpr std::uint32_t byte_array = 2;

  // The value of a property: its size in bits, then its bytes.
  static std::vector<unsigned char> bytes(const void *data, std::uint64_t size) {
    const std::uint64_t bits = size * 8;
    std::vector<unsigned char> all(sizeof bits + size);
    std::memcpy(all.data(), &bits, sizeof bits);
    std::memcpy(all.data() + sizeof bits, data, size);
    return all;
  }

  std::vector<std::byte> code;
  std::vector<unsigned char> constant_value, default_value;
  Entry entry{};
  Property constants{}, defaults{};
  PropertySet sets[2]{};
  Image image{};
  Images images{1, 1, &image, nullptr, nullptr};
};
