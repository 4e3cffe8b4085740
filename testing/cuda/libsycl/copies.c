// A stock libsycl on the plugin beside it, without Python: lists every GPU, copies through device and shared memory,
// and prints whose libraries are mapped. Built against the C API that dpctl's wheel carries (libDPCTLSyclInterface.so):
//   cc -I DPCTL/include copies.c -L DPCTL -lDPCTLSyclInterface -Wl,--allow-shlib-undefined -o copies
//   LD_LIBRARY_PATH=<folder with libsycl, its libraries and libpi_cuda.so> ./copies
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include("dpctl_sycl_interface.h")
#include "dpctl_sycl_interface.h"
#else
/* dpctl before 0.14 has no header of headers. */
#include "dpctl_sycl_context_interface.h"
#include "dpctl_sycl_device_interface.h"
#include "dpctl_sycl_device_manager.h"
#include "dpctl_sycl_event_interface.h"
#include "dpctl_sycl_queue_interface.h"
#include "dpctl_sycl_queue_manager.h"
#include "dpctl_sycl_usm_interface.h"
/* Nor this function. */
DPCTLSyclEventRef DPCTLQueue_Memset(DPCTLSyclQueueRef, void *, unsigned char, size_t) __attribute__((weak));
#define NO_MEMSET (!DPCTLQueue_Memset)
#define TYPE_FORMAT "%s"
#endif
#ifndef NO_MEMSET
#define NO_MEMSET 0
#define TYPE_FORMAT "%d"
#endif
static void on_error(int code) { printf("async error %d\n", code); }
int main(void) {
    DPCTLDeviceVectorRef devices = DPCTLDeviceMgr_GetDevices(DPCTL_GPU | DPCTL_ALL_BACKENDS);
    size_t n = DPCTLDeviceVector_Size(devices);
    printf("%zu devices\n", n);
    int bad = 0;
    for (size_t i = 0; i < n; ++i) {
        DPCTLSyclDeviceRef d = DPCTLDeviceVector_GetAt(devices, i);
        printf("device %zu: %s, driver %s, vendor %s, backend %d, compute units %u, memory %llu, max group %zu\n", i,
               DPCTLDevice_GetName(d), DPCTLDevice_GetDriverVersion(d), DPCTLDevice_GetVendor(d), (int)DPCTLDevice_GetBackend(d),
               DPCTLDevice_GetMaxComputeUnits(d), (unsigned long long)DPCTLDevice_GetGlobalMemSize(d),
               DPCTLDevice_GetMaxWorkGroupSize(d));
        DPCTLSyclQueueRef q = DPCTLQueue_CreateForDevice(d, on_error, DPCTL_ENABLE_PROFILING);
        if (!q) { printf("no queue\n"); bad = 1; continue; }
        enum { COUNT = 1 << 20 };
        int *a = malloc(COUNT * sizeof(int)), *b = calloc(COUNT, sizeof(int));
        for (int k = 0; k < COUNT; ++k) a[k] = k * 7;
        void *dev = DPCTLmalloc_device(COUNT * sizeof(int), q), *shr = DPCTLmalloc_shared(COUNT * sizeof(int), q);
        DPCTLSyclEventRef e1 = DPCTLQueue_Memcpy(q, dev, a, COUNT * sizeof(int));
        DPCTLEvent_Wait(e1);
        DPCTLSyclEventRef e2 = DPCTLQueue_Memcpy(q, shr, dev, COUNT * sizeof(int));
        DPCTLEvent_Wait(e2);
        DPCTLSyclEventRef e3 = DPCTLQueue_Memcpy(q, b, shr, COUNT * sizeof(int));
        DPCTLQueue_Wait(q);
        int same = memcmp(a, b, COUNT * sizeof(int)) == 0;
        printf("copies through device and shared memory: %s; profiling %llu ns\n", same ? "same" : "DIFFERENT",
               (unsigned long long)(DPCTLEvent_GetProfilingInfoEnd(e1) - DPCTLEvent_GetProfilingInfoStart(e1)));
        if (NO_MEMSET) {
            printf("memset: this dpctl has none\n");
        } else {
            DPCTLSyclEventRef e4 = DPCTLQueue_Memset(q, dev, 0x5a, 64);
            DPCTLEvent_Wait(e4);
            DPCTLSyclEventRef e5 = DPCTLQueue_Memcpy(q, b, dev, 64);
            DPCTLEvent_Wait(e5);
            same &= ((unsigned char *)b)[63] == 0x5a;
            printf("memset: %s\n", ((unsigned char *)b)[63] == 0x5a ? "right" : "WRONG");
        }
        DPCTLSyclContextRef c = DPCTLQueue_GetContext(q);
        printf("pointer types: " TYPE_FORMAT " " TYPE_FORMAT "\n", DPCTLUSM_GetPointerType(dev, c), DPCTLUSM_GetPointerType(shr, c));
        DPCTLfree_with_queue(dev, q);
        DPCTLfree_with_queue(shr, q);
        DPCTLQueue_Delete(q);
        bad |= !same;
    }
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024], last[1024] = "";
    while (fgets(line, sizeof line, maps)) {
        char *path = strchr(line, '/');
        if (path && (strstr(path, "libpi_") || strstr(path, "libsycl.so") || strstr(path, "libcuda.so")) && strcmp(path, last)) { printf("%s", path); strcpy(last, path); }
    }
    return bad || n == 0;
}
