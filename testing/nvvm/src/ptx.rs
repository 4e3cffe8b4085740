//! PTX's instructions in inline assembly as C functions, from what NVIDIA's manual says of them.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};

/// A C type that can stand for a scalar of LLVM's at the border: small integers come in 32 bits.
pub(crate) fn c_type(ty: &str) -> Result<&'static str> {
    Ok(match ty {
        "void" => "void",
        "i1" | "i8" | "i16" | "i32" => "uint32_t",
        "i64" => "uint64_t",
        "float" => "float",
        "double" => "double",
        _ if ty.ends_with('*') => "void *",
        _ => bail!("{ty} cannot be handed to C"),
    })
}

/// The function `name` for an instruction such as `atom.relaxed.gpu.global.add.u32 $0, [$1], $2;`.
pub(crate) fn function(name: &str, instruction: &str, result: &str, operands: &[&str]) -> Result<String> {
    let (word, _) = instruction.split_once([' ', ';']).unwrap_or((instruction, ""));
    let parts: Vec<&str> = word.split('.').collect();
    let result = c_type(result)?;
    let mut head = format!("{result} {name}(");
    for (at, operand) in operands.iter().enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        let _ = write!(head, "{comma}{} x{at}", c_type(operand)?);
    }
    if operands.is_empty() {
        head.push_str("void");
    }
    let body = match parts.as_slice() {
        ["activemask", "b32"] => "return ptx_activemask(__builtin_return_address(0));".to_owned(),
        ["fence", "sc" | "acq_rel", scope] => {
            check_scope(scope)?;
            "__atomic_thread_fence(__ATOMIC_SEQ_CST);".to_owned()
        }
        ["ld", "relaxed" | "acquire", scope, rest @ ..] => {
            check_scope(scope)?;
            load(kind(rest)?)?
        }
        ["st", "relaxed" | "release", scope, rest @ ..] => {
            check_scope(scope)?;
            let kind = bits(kind(rest)?)?;
            format!(
                "uint{kind}_t v; memcpy(&v, &x1, {0}); __atomic_store_n((uint{kind}_t *)x0, v, __ATOMIC_SEQ_CST);",
                kind / 8
            )
        }
        ["atom", "relaxed" | "acquire" | "release" | "acq_rel", scope, rest @ ..] => {
            check_scope(scope)?;
            atomic(rest.strip_prefix(&["global"]).or(rest.strip_prefix(&["shared"])).unwrap_or(rest))?
        }
        ["mov", "u64"] if instruction.contains("%globaltimer") || instruction.contains("%clock64") => {
            "struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec;".to_owned()
        }
        ["cvt", rounding, to, from] => convert(rounding, to, from)?,
        _ => bail!("PTX's {word} is not known here"),
    };
    Ok(format!("{head}) {{ {body} }}\n"))
}

fn check_scope(scope: &str) -> Result<()> {
    ensure!(matches!(scope, "cta" | "gpu" | "sys"), "PTX has no scope {scope}");
    Ok(())
}

/// The type at the end, behind a space if there is one.
fn kind<'a>(rest: &[&'a str]) -> Result<&'a str> {
    match rest {
        ["global" | "shared", kind] | [kind] => Ok(kind),
        _ => bail!("{rest:?} is no space and type"),
    }
}

fn bits(kind: &str) -> Result<u32> {
    kind.get(1..).and_then(|bits| bits.parse().ok()).with_context(|| format!("{kind} is no type"))
}

fn load(kind: &str) -> Result<String> {
    let bits = bits(kind)?;
    let load = format!("uint{bits}_t v = __atomic_load_n((uint{bits}_t *)x0, __ATOMIC_SEQ_CST);");
    Ok(match kind {
        "f32" => format!("{load} float r; memcpy(&r, &v, 4); return r;"),
        "f64" => format!("{load} double r; memcpy(&r, &v, 8); return r;"),
        _ => format!("{load} return v;"),
    })
}

/// An atomic operation: what comes behind the space.
fn atomic(rest: &[&str]) -> Result<String> {
    let (operation, kind) = match rest {
        ["add", "noftz", "f16"] => ("add", "f16"),
        // The types that the manual lists.
        ["exch" | "cas", "b32" | "b64"]
        | ["and" | "or" | "xor", "b32" | "b64"]
        | ["add", "u32" | "s32" | "u64" | "f32" | "f64"]
        | ["min" | "max", "u32" | "s32" | "u64" | "s64"]
        | ["cas", "b16"] => (rest[0], rest[1]),
        _ => bail!("PTX has no atom.{}", rest.join(".")),
    };
    let bits = bits(kind)?;
    let word = format!("uint{bits}_t");
    let loop_of = |new: &str| {
        format!(
            "{word} *p = x0, old = *(volatile {word} *)p, new; \
             do {{ {new} }} while (!__atomic_compare_exchange_n(p, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); "
        )
    };
    let compare = |order: &str| {
        let number = if kind.starts_with('s') { format!("int{bits}_t") } else { word.clone() };
        loop_of(&format!("new = ({number})x1 {order} ({number})old ? x1 : old;")) + "return old;"
    };
    let simple = |name: &str| format!("return __atomic_{name}(({word} *)x0, ({word})x1, __ATOMIC_SEQ_CST);");
    Ok(match (operation, kind) {
        ("exch", _) => simple("exchange_n"),
        ("add", "f32") => {
            loop_of("float v; memcpy(&v, &old, 4); v += x1; memcpy(&new, &v, 4);")
                + "float r; memcpy(&r, &old, 4); return r;"
        }
        ("add", "f64") => {
            loop_of("double v; memcpy(&v, &old, 8); v += x1; memcpy(&new, &v, 8);")
                + "double r; memcpy(&r, &old, 8); return r;"
        }
        ("add", "f16") => {
            loop_of("new = half_of(double_of_half(old) + double_of_half(x1), FE_TONEAREST);") + "return old;"
        }
        ("add", _) => simple("fetch_add"),
        ("and", _) => simple("fetch_and"),
        ("or", _) => simple("fetch_or"),
        ("xor", _) => simple("fetch_xor"),
        ("min", _) => compare("<"),
        ("max", _) => compare(">"),
        _ => format!(
            "{word} old = x1; __atomic_compare_exchange_n(({word} *)x0, &old, ({word})x2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); return old;"
        ),
    })
}

/// A conversion to a floating-point number.
fn convert(rounding: &str, to: &str, from: &str) -> Result<String> {
    let mode = match rounding {
        "rn" => "FE_TONEAREST",
        "rz" => "FE_TOWARDZERO",
        "rp" => "FE_UPWARD",
        "rm" => "FE_DOWNWARD",
        _ => bail!("PTX has no rounding {rounding}"),
    };
    let source = match (from.as_bytes().first(), bits(from)?) {
        (Some(b'f'), 16) => "double v = double_of_half(x0);".to_owned(),
        (Some(b'f'), 32 | 64) => "volatile double v = x0;".to_owned(),
        (Some(b's'), bits) => format!("volatile int64_t v = (int{bits}_t)x0;"),
        (Some(b'u'), bits) => format!("volatile uint64_t v = (uint{bits}_t)x0;"),
        _ => bail!("{from} is no type"),
    };
    Ok(match to {
        "f16" => format!("{source} return half_of(v, {mode});"),
        "f32" | "f64" => {
            let ty = if to == "f32" { "float" } else { "double" };
            format!(
                "{source} int mode = fegetround(); fesetround({mode}); volatile {ty} r = v; fesetround(mode); return r;"
            )
        }
        _ => bail!("cvt to {to} is not known here"),
    })
}
