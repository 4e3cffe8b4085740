/* Stands in for a runtime: prints what a wrapped object registers, and that it unregisters. */
#include <stdint.h>
#include <stdio.h>

typedef struct { void *addr; char *name; uint64_t size; int32_t flags, reserved; } entry;
typedef struct { char *name; void *value; uint32_t type; uint64_t size; } property;
typedef struct { char *name; property *begin, *end; } property_set;
typedef struct {
    uint16_t version;
    uint8_t kind, format;
    const char *target, *compile_options, *link_options, *manifest, *manifest_end;
    const unsigned char *begin, *end;
    entry *entries, *entries_end;
    property_set *sets, *sets_end;
} image;
typedef struct { uint16_t version, count; image *images; void *host, *host_end; } binaries;

void __sycl_register_lib(binaries *all) {
    printf("register %u %u\n", all->version, all->count);
    for (image *i = all->images; i != all->images + all->count; i++) {
        printf("image %u %u %u %s [%s] %ld %08x\n", i->version, i->kind, i->format, i->target, i->compile_options,
               (long)(i->end - i->begin), *(const unsigned *)i->begin);
        for (entry *e = i->entries; e != i->entries_end; e++) printf("entry %s\n", e->name);
        for (property_set *s = i->sets; s != i->sets_end; s++) {
            printf("set %s\n", s->name);
            for (property *p = s->begin; p != s->end; p++) {
                printf("%s %u %lu", p->name, p->type, (unsigned long)p->size);
                if (p->value) putchar(' ');
                for (uint64_t b = 0; p->value && b < p->size; b++) printf("%02x", ((unsigned char *)p->value)[b]);
                putchar('\n');
            }
        }
    }
}

void __sycl_unregister_lib(binaries *all) { printf("unregister %u\n", all->count); }

int main(void) {
    puts("main");
    return 0;
}
