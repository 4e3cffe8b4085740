//! Functions that the device or the compiler's own device libraries provide. No image imports them.

/// Functions of `<math.h>`, `<complex.h>` and `<string.h>` in the compiler's device libraries, without the `f` of their
/// single-precision variants.
const C_FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "cacos",
    "cacosh",
    "carg",
    "casin",
    "casinh",
    "catan",
    "catanh",
    "cbrt",
    "ccos",
    "ccosh",
    "ceil",
    "cexp",
    "cimag",
    "clog",
    "copysign",
    "cos",
    "cosh",
    "cpolar",
    "cpow",
    "cproj",
    "creal",
    "csin",
    "csinh",
    "csqrt",
    "ctan",
    "ctanh",
    "div",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "labs",
    "ldexp",
    "ldiv",
    "lgamma",
    "llabs",
    "lldiv",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "memcmp",
    "memcpy",
    "memset",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "pow",
    "rand",
    "remainder",
    "remquo",
    "rint",
    "round",
    "rsqrt",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "srand",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "assert",
    "printf",
];

/// Returns whether no image has to provide the function of this name. This is so if its source name starts with `__`,
/// or if it belongs to the compiler's device libraries.
pub fn is_library_function(name: &str) -> bool {
    if source_name(name).starts_with("__") {
        return true;
    }
    let single = name.strip_suffix('f').unwrap_or(name);
    C_FUNCTIONS.contains(&name) || C_FUNCTIONS.contains(&single)
}

/// Returns the first identifier of an Itanium-mangled name, or the name itself.
fn source_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else { return name };
    let rest = rest.trim_start_matches(['N', 'K', 'L']);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length = rest.get(..digits).and_then(|digits| digits.parse::<usize>().ok());
    let identifier = length.and_then(|length| rest.get(digits..digits.checked_add(length)?));
    identifier.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::is_library_function;

    #[test]
    fn by_name() {
        for name in [
            "sinf",
            "pow",
            "__devicelib_assert_fail",
            "_Z20__spirv_GlobalSize_xv",
            "_ZN7__spirv3fooEv",
            "printf",
        ] {
            assert!(is_library_function(name), "{name}");
        }
        for name in ["_Z2fbi", "_Z7nowherei", "_ZN4Base3runEi", "half", "_Z99xx", "_Z"] {
            assert!(!is_library_function(name), "{name}");
        }
    }
}
