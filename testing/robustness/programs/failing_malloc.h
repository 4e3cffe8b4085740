/* The n-th allocation of LEAST bytes or more fails. Smaller ones succeed: Rust ends a process over those. */
#ifndef PI_ROBUST_FAILING_MALLOC_H
#define PI_ROBUST_FAILING_MALLOC_H

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

enum { LEAST = 512 << 10 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* Which large allocation fails, from 1 on, and how many there have been. 0: none fails. */
static atomic_int failing, made;

static int fails(size_t size) {
    if (size < LEAST || atomic_load(&failing) == 0) return 0;
    return atomic_fetch_add(&made, 1) + 1 == atomic_load(&failing);
}

void *malloc(size_t size) {
    return fails(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return fails(size) ? NULL : __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = fails(size) ? NULL : __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

#endif
