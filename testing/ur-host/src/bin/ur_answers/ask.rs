//! Makes queries of each enumerator, with every kind of buffer for the answer.

use testing_ur_host::Calls;

use crate::call;
use crate::journal::Journal;
use crate::script::Line;
use crate::values::World;

/// A number that no query has.
const UNKNOWN: u64 = 0x7fff_0000;
const FILLER: u8 = 0xa5;

/// Makes all queries of a call.
pub(crate) fn every(calls: &Calls, world: &World, line: &Line, journal: &mut Journal) {
    let Some(parameter) = call::params(calls, &line.function)
        .and_then(|params| params.iter().find(|(name, _)| *name == "propName"))
    else {
        return;
    };
    let unknown = ("an unknown number".to_owned(), UNKNOWN);
    for (name, number) in world.names.of_type(parameter.1).iter().chain([&unknown]) {
        let text = format!("{} {name}", line.text.trim_start_matches("ask "));
        let ask = |size: usize, value: u64, size_ret: u64| {
            let mut line = line.clone();
            let own = [
                ("propName", *number),
                ("propSize", size as u64),
                ("pPropValue", value),
                ("pPropSizeRet", size_ret),
            ];
            line.arguments.extend(own.map(|(name, number)| (name.to_owned(), number.to_string())));
            call::made(calls, world, &line).map_or(u32::MAX, |made| made.code)
        };
        let code = |code: u32| world.names.result(code);
        let size_of = || {
            let mut size = 0_usize;
            (ask(0, 0, &raw mut size as u64), size)
        };
        journal.call(&format!("{text}: value"), || match size_of() {
            (0, size) => {
                // The answer to this query is written through pointers in the buffer, unless they are null.
                let filler = if name == "UR_PROGRAM_INFO_BINARIES" { 0 } else { FILLER };
                let mut bytes = vec![filler; size + 16];
                let mut again = 0_usize;
                let result = ask(size, bytes.as_mut_ptr() as u64, &raw mut again as u64);
                let beyond =
                    if bytes[size..].iter().any(|byte| *byte != filler) { ", wrote beyond" } else { "" };
                let again = if again == size { String::new() } else { format!(", then size {again}") };
                format!("{} size {size}{again} {}{beyond}", code(result), shown(world, &bytes[..size]))
            }
            (failure, _) => code(failure),
        });
        if name == &unknown.0 || name == "UR_PROGRAM_INFO_BINARIES" {
            continue;
        }
        journal.call(&format!("{text}: room"), || {
            let (result, size) = size_of();
            if result != 0 {
                return code(result);
            }
            let mut bytes = vec![FILLER; size + 24];
            let place = bytes.as_mut_ptr() as u64;
            let short = if size > 0 { ask(size - 1, place, 0) } else { 0 };
            let none = ask(0, place, 0);
            let wide = ask(size + 8, place, 0);
            let beyond = if bytes[size..].iter().any(|byte| *byte != FILLER) { ", wrote beyond" } else { "" };
            format!("short {}, none {}, wide {}{beyond}", code(short), code(none), code(wide))
        });
        journal.call(&format!("{text}: no place"), || {
            format!("size {}, no size {}", code(ask(8, 0, 0)), code(ask(0, 0, 0)))
        });
    }
}

/// Formats bytes as text, or as words with the names of objects.
fn shown(world: &World, bytes: &[u8]) -> String {
    if let [text @ .., 0] = bytes
        && text.len() > 1
        && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    {
        return format!("{:?}", String::from_utf8_lossy(text));
    }
    let words = bytes.chunks(8).take(16).map(|chunk| {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_ne_bytes(eight);
        match world.object(word) {
            Some(name) => name.to_owned(),
            None => chunk.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}
