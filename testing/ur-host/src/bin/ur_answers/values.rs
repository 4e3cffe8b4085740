//! The values of `questions.txt`: numbers, names, objects, texts, and memory that contains these.
//!
//! `[a b]` is memory with words of 8 bytes, `(a b)` with words of 4, `"text"` a C string. `a/b` is a word of two
//! halves, `a:b:c` three words, `a+b` a sum, `max` the largest number.

use std::collections::HashMap;

use testing_ur_host::Filling;

use crate::names::Names;
use crate::script;

/// The size of memory behind a pointer that a line does not name.
const ROOM: usize = 8192;

/// The meanings of names: enumerators, and objects that earlier lines created.
pub(crate) struct World {
    pub(crate) names: Names,
    pub(crate) objects: HashMap<String, u64>,
}

/// Returns memory that is never freed.
pub(crate) fn memory(bytes: &[u8], size: usize) -> u64 {
    let mut words = vec![0_u64; size.max(bytes.len()) / 8 + 2];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_ne_bytes(eight);
    }
    words.leak().as_mut_ptr() as u64
}

impl World {
    /// Returns the number of a value.
    pub(crate) fn number(&self, value: &str) -> u64 {
        let inner = |open: char, close: char| value.strip_prefix(open)?.strip_suffix(close);
        if let Some(text) = inner('"', '"') {
            return memory(text.as_bytes(), text.len() + 1);
        }
        if let Some(words) = inner('[', ']') {
            let words = script::words(words);
            return memory(
                &words.iter().flat_map(|word| self.number(word).to_ne_bytes()).collect::<Vec<u8>>(),
                64,
            );
        }
        if let Some(words) = inner('(', ')') {
            let words = script::words(words);
            let bytes = words.iter().flat_map(|word| (self.number(word) as u32).to_ne_bytes());
            return memory(&bytes.collect::<Vec<u8>>(), 64);
        }
        if let Some((low, high)) = value.split_once('/') {
            return self.number(low) & 0xffff_ffff | self.number(high) << 32;
        }
        if let Some((left, right)) = value.split_once('+') {
            return self.number(left).wrapping_add(self.number(right));
        }
        match value {
            "null" => 0,
            "max" => u64::MAX,
            _ if value.starts_with("0x") => u64::from_str_radix(&value[2..], 16).unwrap_or_default(),
            _ if value.starts_with(|letter: char| letter.is_ascii_digit()) => {
                value.parse().unwrap_or_default()
            }
            _ => self.names.value(value).or_else(|| self.objects.get(value).copied()).unwrap_or_default(),
        }
    }

    /// Returns the name of an object.
    pub(crate) fn object(&self, word: u64) -> Option<&str> {
        let mut found = self.objects.iter().filter(|(_, value)| **value == word && word > 4096);
        found.by_ref().map(|(name, _)| name.as_str()).min()
    }
}

/// Returns a type as the list of functions spells it, whatever the compiler's spacing.
pub(crate) fn plain(ty: &str) -> String {
    ty.replace("* ", "*")
}

/// The arguments of a call. Those that its line does not name are valid.
pub(crate) struct Arguments<'a> {
    pub(crate) world: &'a World,
    pub(crate) named: HashMap<&'a str, [u64; 3]>,
    /// Memory behind the pointers that the line does not name, by the parameter.
    pub(crate) room: HashMap<String, u64>,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(world: &'a World, line: &'a script::Line, params: &[(&str, &str)]) -> Self {
        let words = |value: &str| {
            let mut words = value.split(':').map(|word| world.number(word));
            match value.starts_with(['[', '(', '"']) {
                true => [world.number(value), 0, 0],
                false => std::array::from_fn(|_| words.next().unwrap_or_default()),
            }
        };
        let named: HashMap<&str, [u64; 3]> =
            line.arguments.iter().map(|(name, value)| (name.as_str(), words(value))).collect();
        let room = params.iter().filter(|(name, ty)| ty.starts_with('*') && !named.contains_key(name));
        let room = room.map(|(name, _)| ((*name).to_owned(), memory(&[], ROOM))).collect();
        Self { world, named, room }
    }
}

impl Filling for Arguments<'_> {
    fn bytes(&self, _: usize, parameter: &str, ty: &str) -> [u64; 3] {
        if let Some(words) = self.named.get(parameter) {
            return *words;
        }
        let good = |name: &str| self.world.number(name);
        let one = match plain(ty).as_str() {
            "*const ur_event_handle_t" | "*const ur_exp_command_buffer_sync_point_t" => 0,
            _ if parameter.ends_with("Properties") || parameter.ends_with("ropList") => 0,
            _ if ty.starts_with('*') => self.room.get(parameter).copied().unwrap_or_default(),
            "ur_mem_handle_t" if parameter.contains("Image") => good("image"),
            "ur_mem_handle_t" => good("buffer"),
            "ur_exp_command_buffer_handle_t" => good("commands"),
            "u8" if parameter.starts_with("blocking") => 1,
            ty if ty.ends_with("_handle_t") => {
                good(ty.trim_start_matches("ur_").trim_end_matches("_handle_t"))
            }
            _ => 0,
        };
        [one, 0, 0]
    }
}
