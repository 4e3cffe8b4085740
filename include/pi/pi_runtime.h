/* The C API of libpi_runtime.so, which runs device images on any PI plugin.
 *
 * Every function that returns int32_t returns 0, or a code of pi_runtime_code with a message in pi_runtime_error().
 * Each call is complete when it returns, so there are no events and no wait lists. Programs whose commands overlap use
 * the Rust crate sycl-pi-runtime, or PI itself (pi.h). Sessions and all functions may be used from any thread.
 * This file is written by hand; the programs in ctests/ use all of it. docs/guide/runtime.md is the page for users.
 */
#ifndef PI_RUNTIME_H
#define PI_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#include "pi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A session: a device with an in-order queue. */
typedef struct pi_runtime pi_runtime;

enum pi_runtime_code {
  PI_RUNTIME_OK = 0,
  PI_RUNTIME_BACKEND = 1,              /* the plugin or the driver failed */
  PI_RUNTIME_NO_DEVICE = 2,
  PI_RUNTIME_IMAGE = 3,                /* a malformed image */
  PI_RUNTIME_NOT_FOUND = 4,            /* no such kernel or symbol */
  PI_RUNTIME_KERNEL_NOT_SUPPORTED = 5, /* errc::kernel_not_supported */
  PI_RUNTIME_ND_RANGE = 6,             /* errc::nd_range */
  PI_RUNTIME_INVALID = 7,              /* errc::invalid */
  PI_RUNTIME_BUILD = 8,                /* errc::build */
  PI_RUNTIME_MEMORY_ALLOCATION = 9,    /* errc::memory_allocation: the host is out of memory */
  PI_RUNTIME_BUG = -1
};

enum pi_runtime_arg_kind {
  PI_RUNTIME_ARG_VALUE = 0,   /* `size` bytes at `data` */
  PI_RUNTIME_ARG_ADDRESS = 1, /* `data` itself, from pi_runtime_alloc */
  PI_RUNTIME_ARG_LOCAL = 2,   /* `size` bytes of work-group memory */
  PI_RUNTIME_ARG_UNUSED = 3   /* a placeholder for an argument that the compiler removed */
};

typedef struct pi_runtime_arg {
  int32_t kind;
  size_t size;
  const void *data;
} pi_runtime_arg;

/* Returns the message of this thread's last failure, which is never null and is valid until the thread's next call. It
 * may be called at any time, even in destructors of static and thread-local objects. A thread that is ending has lost
 * its message. */
const char *pi_runtime_error(void);

/* Opens the plugin at a path and one of its devices, numbered from 0 across all platforms. Without a path, the device is
 * one of all plugins that are found in the folders of PI_PLUGIN_PATH, next to the program, and where the system's loader
 * searches. ONEAPI_DEVICE_SELECTOR selects among them. */
int32_t pi_runtime_open(const char *plugin, uint32_t device, pi_runtime **out);
/* Closes a session, and frees everything that was allocated in it. */
void pi_runtime_close(pi_runtime *session);

/* Returns the name of the session's device, which is valid until the session is closed; null without a session. */
const char *pi_runtime_device_name(const pi_runtime *session);

/* Registers images. They belong to the process: every session sees them, and those of __sycl_register_lib. */
int32_t pi_runtime_register(const struct pi_device_binaries_struct *binaries);
/* Registers a SPIR-V module. `properties` is the text of a .props.json or of a .prop file, or null. If it is null,
 * constants have the names that `pi image show` prints. */
int32_t pi_runtime_register_spirv(const char *name, const void *code, size_t size, const char *properties);
/* Compiles OpenCL C, or C++ for OpenCL if the name ends with .clcpp, to SPIR-V and registers it. The compiler is the
 * machine's: clang of LLVM 15 or newer with llvm-spirv. `options` are clang's, separated by spaces, or null. The result is
 * kept in the cache on disk until the source or a file that it includes changes. An error contains the compiler's own
 * message, or says what to install. */
int32_t pi_runtime_register_source(const char *name, const char *source, const char *options);
/* Registers the images of a program, library or object file. A name without a slash is first looked up among the loaded
 * libraries. Malformed images are skipped: the result is then an error that names them, and the others are registered. */
int32_t pi_runtime_register_file(const char *file);
/* Registers the host's variable at `host` as the device global `unique_id`. Only the address is kept. */
void pi_runtime_add_device_global(const void *host, const char *unique_id);
/* Also takes the variable's size in bytes, and whether it has image scope. Copies are then checked, and the memory
 * exists, before an image contains the variable. */
int32_t pi_runtime_register_device_global(const void *host, const char *unique_id, size_t size, int32_t image_scope);

/* Sets a specialization constant for later launches; a null name resets all constants. */
int32_t pi_runtime_set_constant(pi_runtime *session, const char *name, const void *value, size_t size);

/* Sets build options for later launches, which follow those of the images and of the environment; null for none. */
int32_t pi_runtime_set_build_options(pi_runtime *session, const char *compile, const char *link);

/* Allocates shared memory, which the host and the device can access. Closing the session frees it. */
int32_t pi_runtime_alloc(pi_runtime *session, size_t size, void **out);
int32_t pi_runtime_free(pi_runtime *session, void *memory);

/* Launches a kernel by its name, and waits. `local` may be null. Sizes are in SYCL's order. */
int32_t pi_runtime_launch(pi_runtime *session, const char *kernel, uint32_t dimensions, const size_t *global,
                          const size_t *local, const pi_runtime_arg *args, uint32_t arg_count);

/* Prepares a kernel by its name, as a launch does: from memory, from the cache on disk, or by a build. */
int32_t pi_runtime_prepare(pi_runtime *session, const char *kernel);

/* Prepares several kernels by their names: all programs first, then the kernels. That takes less time than preparing one
 * kernel after the other. After an error, some of them may be ready. */
int32_t pi_runtime_prepare_all(pi_runtime *session, const char *const *kernels, size_t count);

/* Returns how many programs of this process came from the cache on disk, and how many were built, whether the cache is on
 * or off. Programs of a device's own code are not counted. Pointers may be null. */
int32_t pi_runtime_cache_counts(pi_runtime *session, uint64_t *loaded, uint64_t *built);

/* Copies to or from a device global, by its unique id, and waits. The id must be that of an image, or registered by
 * pi_runtime_add_device_global; any other id is PI_RUNTIME_NOT_FOUND. */
int32_t pi_runtime_copy_to_global(pi_runtime *session, const char *unique_id, size_t offset, const void *from,
                                  size_t size);
int32_t pi_runtime_copy_from_global(pi_runtime *session, const char *unique_id, size_t offset, void *to,
                                    size_t size);

/* Copies to or from a device global by the address of its host variable, which pi_runtime_add_device_global registered. */
int32_t pi_runtime_memcpy_to_device_global(pi_runtime *session, const void *host, size_t offset, const void *from,
                                           size_t size);
int32_t pi_runtime_memcpy_from_device_global(pi_runtime *session, const void *host, size_t offset, void *to,
                                             size_t size);

/* The functions that objects compiled by DPC++ call. */
void __sycl_register_lib(const struct pi_device_binaries_struct *binaries);
void __sycl_unregister_lib(const struct pi_device_binaries_struct *binaries);
/* And sycl::detail::device_global_map::add(const void *, const char *), under its C++ name. */

#ifdef __cplusplus
}
#endif

#endif
