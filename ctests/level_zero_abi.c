/* Holds the types of plugins/level-zero-sys to the installed Level Zero headers: sizes, offsets, values. */
#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <stddef.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type);
#define OFFSET(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), "offset of " #type "." #field);
#define VALUE(name, number) _Static_assert((unsigned)(name) == (number), "value of " #name);

#include "level_zero_abi.inc"

int main(void)
{
    return 0;
}
