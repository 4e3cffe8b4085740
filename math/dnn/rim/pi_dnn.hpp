// What libpi_dnn.so exports, and what it needs of the drop-in.
#pragma once
#include "../../mkl/rim/pi_math.hpp"
#include <cstddef>

extern "C" {
/// The statuses of oneDNN that the drop-in answers itself.
enum pi_dnn_status { pi_dnn_success = 0, pi_dnn_out_of_memory = 1, pi_dnn_invalid_arguments = 2, pi_dnn_unimplemented = 3, pi_dnn_runtime_error = 5 };

/// What the drop-in does with SYCL's objects. No exception leaves these functions.
struct pi_dnn_rim {
    void (*drop_engine)(void *device, void *context);
    int (*make_queue)(void *device, void *context, int in_order, void **queue);
    int (*wait)(void *queue);
    void (*drop_queue)(void *queue);
    /// Allocates device memory, as the vendor's does. Returns null if there is none.
    void *(*allocate)(void *device, void *context, std::size_t size);
    void (*free)(void *memory, void *context);
};

/// Returns a function of the vendor's library, or null.
void *pi_dnn_vendor(const char *name);
/// Makes an engine of copies of a device and a context.
void *pi_dnn_engine(const pi_dnn_rim *, void *device, void *context);
/// Returns whether an engine is ours, and if it is, its device and context.
int pi_dnn_engine_parts(const void *engine, void **device, void **context);
/// Makes a stream of a queue.
void *pi_dnn_stream(void *engine, void *queue);
int pi_dnn_is_ours(const void *primitive);
/// Prepares the execution of a primitive of ours. Returns oneDNN's status.
int pi_dnn_prepare(const void *primitive, void *stream, int count, const void *arguments, pi_math_product *product, void **queue,
                   int *anything);
}
