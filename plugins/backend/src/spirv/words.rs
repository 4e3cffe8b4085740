//! The words of a module.

/// The bytes of a text, without the NUL that ends it, that begins at one word and ends before another.
pub(super) fn literal(il: &[u8], start: usize, end: usize) -> &[u8] {
    let words = il.get(4 * start..4 * end).unwrap_or_default();
    words.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A word; 0 beyond the module's end.
pub(super) fn word(il: &[u8], index: usize) -> u32 {
    match il.get(4 * index..4 * index + 4) {
        Some(bytes) => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        None => 0,
    }
}
