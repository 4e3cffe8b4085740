//! The function that the software driver calls for a kernel, `NAME__items`, and the kernel's properties.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

use crate::host_ir::split;

#[allow(clippy::unwrap_used, reason = "constant expressions")]
static KERNEL: LazyLock<Regex> = LazyLock::new(|| Regex::new("\\* @([A-Za-z0-9_$]+), !\"kernel\"").unwrap());
#[allow(clippy::unwrap_used, reason = "constant expressions")]
static SHARED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^@([A-Za-z0-9_$]+) = internal addrspace\(3\) global (.*) undef, align ").unwrap()
});

/// Adds the additional symbols of each kernel of the module to `ir`, and the list of the local variables.
pub(crate) fn add(module: &str, ir: &mut String) -> Result<(), String> {
    let shared: Vec<(String, String)> = SHARED
        .captures_iter(module)
        .filter_map(|found| Some((found.get(1)?.as_str().to_owned(), found.get(2)?.as_str().to_owned())))
        .collect();
    let local =
        shared.iter().fold("i32 0".to_owned(), |sum, (_, ty)| format!("i32 add ({sum}, {})", size_of(ty)));
    for found in KERNEL.captures_iter(module) {
        let kernel = found.get(1).map_or("", |name| name.as_str());
        let text = launcher(ir, kernel).ok_or_else(|| format!("kernel {kernel} has no definition"))?;
        ir.push_str(&text);
        let _ = writeln!(ir, "@{kernel}__local = constant {local}");
    }
    let mut rows: Vec<String> = shared
        .iter()
        .map(|(name, ty)| {
            format!(
                "{{ i8*, i32 }} {{ i8* addrspacecast (i8 addrspace(3)* bitcast ({ty} addrspace(3)* @{name} to \
                 i8 addrspace(3)*) to i8*), {} }}",
                size_of(ty)
            )
        })
        .collect();
    if ir.contains("@__dyn_room = ") {
        let room = "@__dyn, i32 0, i32 0) to i8*), i32 232448 }";
        rows.push(format!(
            "{{ i8*, i32 }} {{ i8* addrspacecast (i8 addrspace(3)* getelementptr ([0 x i8], [0 x i8] addrspace(3)* {room}"
        ));
    }
    rows.push("{ i8*, i32 } zeroinitializer".to_owned());
    let _ = writeln!(ir, "@local__rooms = constant [{} x {{ i8*, i32 }}] [{}]", rows.len(), rows.join(", "));
    Ok(())
}

/// Returns a type's size in bytes, as a constant of 32 bits.
fn size_of(ty: &str) -> String {
    format!("i32 ptrtoint ({ty}* getelementptr ({ty}, {ty}* null, i32 1) to i32)")
}

/// Returns a function that calls the kernel like a driver, with the addresses of its parameters, and the list of
/// their sizes.
fn launcher(ir: &str, kernel: &str) -> Option<String> {
    let head = format!("define void @{kernel}(");
    let start = ir.find(&head)? + head.len();
    let line = ir.get(start..)?.lines().next()?;
    let parameters = line.get(..line.rfind(") ")?)?;
    let mut text = format!("define void @{kernel}__items(i8** %list) {{\n");
    let (mut passed, mut sizes) = (Vec::new(), Vec::new());
    for (at, parameter) in split(parameters).into_iter().enumerate() {
        let (ty, _) = parameter.rsplit_once(' ')?;
        let _ = writeln!(
            text,
            "  %e{at} = getelementptr i8*, i8** %list, i32 {at}\n  %p{at} = load i8*, i8** %e{at}"
        );
        if let Some((pointer, attributes)) = ty.split_once(" byval") {
            let _ = writeln!(text, "  %v{at} = bitcast i8* %p{at} to {pointer}");
            passed.push(format!("{pointer} byval{attributes} %v{at}"));
            sizes.push(size_of(pointer.strip_suffix('*')?));
        } else {
            let _ = writeln!(
                text,
                "  %c{at} = bitcast i8* %p{at} to {ty}*\n  %v{at} = load {ty}, {ty}* %c{at}, align 1"
            );
            passed.push(format!("{ty} %v{at}"));
            sizes.push(size_of(ty));
        }
    }
    sizes.push("i32 0".to_owned());
    let _ = writeln!(text, "  call void @{kernel}({})\n  ret void\n}}", passed.join(", "));
    let _ = writeln!(text, "@{kernel}__sizes = constant [{} x i32] [{}]", sizes.len(), sizes.join(", "));
    Some(text)
}
