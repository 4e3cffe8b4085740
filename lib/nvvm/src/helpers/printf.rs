//! Text output through CUDA's `vprintf`.

use super::Helpers;
use super::lanes::type_word;

impl Helpers {
    /// Defines the variable that holds a zero-terminated text.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let letters: String = text.bytes().map(|letter| format!("\\{letter:02X}")).collect();
        let number = self.numbered_text(text);
        let name = format!("__spirv_text_{number}");
        let length = text.len() + 1;
        self.define(&name, |_| {
            format!("@{name} = internal addrspace(1) constant [{length} x i8] c\"{letters}\\00\", align 1\n")
        });
        name
    }

    /// Defines the helper that prints arguments of these types: `i32 (i8* format, T...)`, which returns 0 on success
    /// and -1 otherwise. The types are `i32`, `i64` and `double`. The memory for the arguments is allocated in a
    /// separate function, so that a loop does not allocate more and more.
    pub(crate) fn printf(&mut self, types: &[String]) -> String {
        let words: Vec<String> = types.iter().map(|ty| type_word(ty)).collect();
        let name = ["__spirv_printf".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join("_");
        self.define(&name, |all| {
            all.declare("i32", "vprintf", "i8*, i8*", "nounwind");
            let list = format!("{{ {} }}", types.join(", "));
            let mut text = format!("define internal i32 @{name}(i8* %format");
            for (at, ty) in types.iter().enumerate() {
                text += &format!(", {ty} %x{at}");
            }
            text += &format!(") noinline nounwind {{\n  %list = alloca {list}, align 8\n");
            for (at, ty) in types.iter().enumerate() {
                text += &format!(
                    "  %p{at} = getelementptr {list}, {list}* %list, i32 0, i32 {at}\n  store {ty} %x{at}, {ty}* %p{at}\n"
                );
            }
            text += &format!(
                "  %bytes = bitcast {list}* %list to i8*\n  %n = call i32 @vprintf(i8* %format, i8* %bytes)\n  \
                 %bad = icmp slt i32 %n, 0\n  %r = select i1 %bad, i32 -1, i32 0\n  ret i32 %r\n}}\n"
            );
            text
        });
        name
    }
}
