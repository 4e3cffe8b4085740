/* The checks that golden_abi.c is made of. A wrong signature does not compile; everything else is counted. */
#ifndef PI_CTESTS_GOLDEN_ABI_H
#define PI_CTESTS_GOLDEN_ABI_H

#include <pi/pi.h>

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

static unsigned checks, failures;

static void check(bool holds, const char *what, long long found, long long expected)
{
    ++checks;
    if (!holds) {
        ++failures;
        printf("%s is %lld (0x%llx), expected %lld (0x%llx)\n", what, found, (unsigned long long)found, expected,
               (unsigned long long)expected);
    }
}

static int report(void)
{
    printf("%u checks, %u failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}

#define EQUAL(what, found, expected) \
    check((long long)(found) == (long long)(expected), what, (long long)(found), (long long)(expected))

#define VALUE(name, expected) EQUAL(#name, name, expected)
#define TEXT(name, expected) check(strcmp(name, expected) == 0, #name " = " name, 0, 0)
#define SIZE(type, expected) EQUAL("sizeof(" #type ")", sizeof(type), expected)
#define ALIGNMENT(type, expected) EQUAL("alignof(" #type ")", alignof(type), expected)
#define FIELD(type, field, offset, size)                                  \
    do {                                                                  \
        EQUAL("offsetof(" #type ", " #field ")", offsetof(type, field), offset); \
        EQUAL("sizeof(" #type "." #field ")", sizeof(((type *)0)->field), size); \
    } while (0)

/* The prototype and the pointer type of a function have these parameters: another declaration would conflict. */
#define POINTER(name, parameters)                      \
    do {                                               \
        extern pi_result name parameters;              \
        pi_result(*pointer) parameters = (name##_fn)0; \
        check(pointer == 0, #name, 1, 0);              \
    } while (0)

/* A version's table has the function in this slot, with these parameters. */
#define SLOT(version, slot, name, parameters)                                                     \
    do {                                                                                          \
        static const pi_function_table_##version table;                                           \
        pi_result(*pointer) parameters = table.name;                                              \
        check(pointer == 0, #name, 1, 0);                                                         \
        EQUAL("slot of " #name " in " #version, offsetof(pi_function_table_##version, name) / 8, slot); \
    } while (0)

#endif
