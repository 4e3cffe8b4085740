/* PTX's conversions, and the half-precision functions that a compiler calls. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Rounds to a half; `mode` as fesetround takes it. The operand is exact. */
uint16_t half_of(double x, int mode) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    if (isnan(x)) return sign | 0x7e00;
    if (isinf(x)) return sign | 0x7c00;
    int exponent = size == 0 ? -14 : ilogb(size);
    if (exponent < -14) exponent = -14;
    /* Units in the last place; halves are multiples of 2^-24. */
    double unit = ldexp(1, exponent - 10), units = size / unit, whole = floor(units), rest = units - whole;
    int up = mode == FE_TONEAREST ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1)
                                  : rest > 0 && (mode == FE_UPWARD ? !sign : mode == FE_DOWNWARD && sign);
    size = (whole + up) * unit;
    if (size > 65504) {
        int infinite = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
        return sign | (infinite ? 0x7c00 : 0x7bff);
    }
    if (size < 0x1p-14) return sign | (uint16_t)(size / 0x1p-24);
    exponent = ilogb(size);
    return sign | (uint16_t)((exponent + 15) << 10) | (uint16_t)((size / ldexp(1, exponent) - 1) * 1024);
}

double double_of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double mantissa = bits & 1023, size;
    if (exponent == 31) size = mantissa ? NAN : INFINITY;
    else size = exponent ? ldexp(1 + mantissa / 1024, exponent - 15) : ldexp(mantissa, -24);
    return bits & 0x8000 ? -size : size;
}

uint16_t __gnu_f2h_ieee(float x) { return half_of(x, FE_TONEAREST); }
float __gnu_h2f_ieee(uint16_t x) { return double_of_half(x); }
uint16_t __truncsfhf2(float x) { return half_of(x, FE_TONEAREST); }
uint16_t __truncdfhf2(double x) { return half_of(x, FE_TONEAREST); }
float __extendhfsf2(uint16_t x) { return double_of_half(x); }
