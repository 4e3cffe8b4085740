/* The largest error of a mathematical function, in units in the last place, against libquadmath's 113 bits.

   Standard input: one line `NAME TYPE ARITY COUNT` (TYPE is f or d), then ARITY arrays of numbers and one of results.
   Standard output: `ULP KINDS AT RESULT EXPECTED`: the error, how many results were a number instead of none or the other way
   round, the operands with the largest error, and what was got and expected there.

   libdevice itself is imitated by testing/drivers/software-cuda/src/gpu/mathematics.rs. */
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;

static quad sinpi(quad x) { quad r = fmodq(x, 2); return fmodq(r, 1) == 0 ? copysignq(0, x) : sinq(r * M_PIq); }
static quad cospi(quad x) { quad r = fmodq(fabsq(x), 2); return r == 0.5Q || r == 1.5Q ? 0 : cosq(r * M_PIq); }
static quad tanpi(quad x) { return sinpi(x) / cospi(x); }
static quad acospi(quad x) { return acosq(x) / M_PIq; }
static quad asinpi(quad x) { return asinq(x) / M_PIq; }
static quad atanpi(quad x) { return atanq(x) / M_PIq; }
static quad exp2r(quad x) { return powq(2, x); }
static quad exp10r(quad x) { return powq(10, x); }
static quad rsqrt(quad x) { return 1 / sqrtq(x); }
static quad recip(quad x) { return 1 / x; }
static quad atan2pi(quad y, quad x) { return atan2q(y, x) / M_PIq; }
static quad powr(quad x, quad y) { return x < 0 ? nanq("") : powq(x, y); }
static quad divide(quad x, quad y) { return x / y; }

static const struct { const char *name; quad (*one)(quad); } ONE[] = {
    {"acos", acosq}, {"acosh", acoshq}, {"acospi", acospi}, {"asin", asinq}, {"asinh", asinhq}, {"asinpi", asinpi},
    {"atan", atanq}, {"atanh", atanhq}, {"atanpi", atanpi}, {"cbrt", cbrtq}, {"ceil", ceilq}, {"cos", cosq}, {"cosh", coshq},
    {"cospi", cospi}, {"erf", erfq}, {"erfc", erfcq}, {"exp", expq}, {"exp2", exp2r}, {"exp10", exp10r}, {"expm1", expm1q},
    {"fabs", fabsq}, {"floor", floorq}, {"lgamma", lgammaq}, {"log", logq}, {"log2", log2q}, {"log10", log10q}, {"log1p", log1pq},
    {"logb", logbq},
    {"rint", rintq}, {"round", roundq}, {"rsqrt", rsqrt}, {"sin", sinq}, {"sinh", sinhq}, {"sinpi", sinpi}, {"sqrt", sqrtq},
    {"tan", tanq}, {"tanh", tanhq}, {"tanpi", tanpi}, {"tgamma", tgammaq}, {"trunc", truncq}, {"recip", recip},
};
static const struct { const char *name; quad (*two)(quad, quad); } TWO[] = {
    {"atan2", atan2q}, {"atan2pi", atan2pi}, {"fdim", fdimq}, {"fmod", fmodq}, {"hypot", hypotq}, {"pow", powq}, {"powr", powr},
    {"remainder", remainderq}, {"divide", divide},
};

static double number(const char *bytes, int is_float, long at) {
    if (is_float) {
        float value;
        memcpy(&value, bytes + at * 4, 4);
        return value;
    }
    double value;
    memcpy(&value, bytes + at * 8, 8);
    return value;
}

/* The error in units in the last place of a type with `bits` of mantissa; denormal numbers have the least unit. */
static quad error(double got, quad expected, int bits, int least, quad largest) {
    if (fabsq(expected) > largest) expected = isinfq(expected) || !isinfq(got) ? expected : got;
    if (got == expected) return 0;
    if (isinfq(got) || isinfq(expected)) return 1e30Q;
    int exponent;
    frexpq(expected, &exponent);
    int unit = exponent - bits;
    return fabsq(got - expected) / ldexpq(1, unit < least ? least : unit);
}

int main(void) {
    char name[64], type;
    int arity;
    long count;
    if (scanf("%63s %c %d %ld", name, &type, &arity, &count) != 4 || getchar() != '\n' || arity < 1 || arity > 2) return 2;
    int is_float = type == 'f', size = is_float ? 4 : 8;
    char *arrays[3];
    for (int a = 0; a <= arity; a++) {
        arrays[a] = malloc(count * size);
        if (!arrays[a] || fread(arrays[a], size, count, stdin) != (size_t)count) return 3;
    }
    quad (*one)(quad) = 0, (*two)(quad, quad) = 0;
    for (size_t i = 0; i < sizeof ONE / sizeof *ONE; i++) if (arity == 1 && !strcmp(ONE[i].name, name)) one = ONE[i].one;
    for (size_t i = 0; i < sizeof TWO / sizeof *TWO; i++) if (arity == 2 && !strcmp(TWO[i].name, name)) two = TWO[i].two;
    if (!one && !two) return 4;
    quad worst = 0, largest = is_float ? 0x1.fffffffp127Q : 0x1.fffffffffffffcp1023Q, worst_expected = 0;
    double worst_got = 0;
    long worst_at = 0, kinds = 0;
    for (long i = 0; i < count; i++) {
        double x = number(arrays[0], is_float, i), y = arity == 2 ? number(arrays[1], is_float, i) : 0;
        double got = number(arrays[arity], is_float, i);
        quad expected = one ? one(x) : two(x, y);
        if (isnanq(expected) || isnanq(got)) {
            kinds += isnanq(expected) != isnanq(got);
            continue;
        }
        quad off = error(got, expected, is_float ? 24 : 53, is_float ? -149 : -1074, largest);
        if (off > worst) worst = off, worst_at = i, worst_got = got, worst_expected = expected;
    }
    char text[64];
    quadmath_snprintf(text, sizeof text, "%.20Qg", worst_expected);
    printf("%.4g %ld %.17g", (double)worst, kinds, number(arrays[0], is_float, worst_at));
    if (arity == 2) printf(",%.17g", number(arrays[1], is_float, worst_at));
    printf(" %.17g %s\n", worst_got, text);
    return 0;
}
