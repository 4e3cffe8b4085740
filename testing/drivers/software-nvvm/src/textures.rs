//! Reads of textures. NVVM's intrinsics return four numbers, which C functions cannot. They become functions that
//! call the software driver's `gpu_texture`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

#[allow(clippy::unwrap_used, reason = "a constant expression")]
static DECLARATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"declare (\{[^}]*\}) @(nvvm_tex_unified_([123])d(_level|_grad)?_v4[fsu]32_([fs])32)\(([^)]*)\)[^\n]*\n",
    )
    .unwrap()
});

/// Returns the IR with bodies instead of declarations of functions that read textures.
pub(crate) fn with_bodies(ir: &str) -> String {
    let mut all = DECLARATION
        .replace_all(ir, |found: &Captures<'_>| {
            let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
            body(part(1), part(2), part(3), part(5) == "f", part(6).split(", ").count() - 1)
        })
        .into_owned();
    if all.contains("@gpu_texture(") {
        all.push_str("declare void @gpu_texture(i64, i32, i32, double*, i32*)\n");
    }
    all
}

/// Returns a function that passes its numbers on: the coordinates, followed by those of levels or gradients.
fn body(texel: &str, name: &str, dimensions: &str, is_float: bool, count: usize) -> String {
    let (ty, convert) = if is_float { ("float", "fpext float") } else { ("i32", "sitofp i32") };
    let component = texel.trim_matches(['{', ' ']).split(',').next().unwrap_or_default().to_owned();
    let parameters: String = (0..count).map(|at| format!(", {ty} %x{at}")).collect();
    let mut text = format!(
        "define internal {texel} @{name}(i64 %image{parameters}) {{\n  %in = alloca [9 x double]\n  %out = alloca [4 x i32]\n  \
         %in.first = getelementptr [9 x double], [9 x double]* %in, i32 0, i32 0\n  \
         %out.first = getelementptr [4 x i32], [4 x i32]* %out, i32 0, i32 0\n"
    );
    for at in 0..count {
        text += &format!(
            "  %w{at} = {convert} %x{at} to double\n  \
             %p{at} = getelementptr [9 x double], [9 x double]* %in, i32 0, i32 {at}\n  store double %w{at}, double* %p{at}\n"
        );
    }
    text += &format!(
        "  call void @gpu_texture(i64 %image, i32 {dimensions}, i32 {}, double* %in.first, i32* %out.first)\n",
        u32::from(is_float)
    );
    let mut whole = "undef".to_owned();
    for at in 0..4 {
        text += &format!(
            "  %q{at} = getelementptr [4 x i32], [4 x i32]* %out, i32 0, i32 {at}\n  %b{at} = load i32, i32* %q{at}\n  \
             %v{at} = bitcast i32 %b{at} to {component}\n  %s{at} = insertvalue {texel} {whole}, {component} %v{at}, {at}\n"
        );
        whole = format!("%s{at}");
    }
    text + &format!("  ret {texel} {whole}\n}}\n")
}
