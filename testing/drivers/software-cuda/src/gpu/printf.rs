//! CUDA's `vprintf`.

use std::ffi::{CStr, CString, c_char, c_int};
use std::io::Write;

/// Prints. The arguments are contiguous, and those of 8 bytes are at multiples of 8.
///
/// # Safety
///
/// `format` is NUL-terminated, and `values` contains the values for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vprintf_of_gpu(format: *const c_char, values: *const u8) -> c_int {
    // SAFETY: guaranteed by the caller.
    let format = unsafe { CStr::from_ptr(format) }.to_bytes();
    let (mut out, mut at, mut rest) = (Vec::new(), 0, format);
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        out.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with(b"%%") {
            out.push(b'%');
            rest = &rest[2..];
            continue;
        }
        let Some(end) = rest.iter().position(|byte| b"diouxXcfFeEgGaAsp".contains(byte)) else { break };
        let (part, more) = rest.split_at(end + 1);
        rest = more;
        // SAFETY: the values match the format.
        unsafe { print_one(part, values, &mut at, &mut out) };
    }
    out.extend_from_slice(rest);
    let _ = std::io::stdout().write_all(&out);
    0
}

/// Prints one conversion, e.g. `%5d`, with the next value.
unsafe fn print_one(part: &[u8], values: *const u8, at: &mut usize, out: &mut Vec<u8>) {
    let kind = part.last().copied().unwrap_or_default();
    let size = if part.contains(&b'l') || b"fFeEgGaAsp".contains(&kind) { 8 } else { 4 };
    *at = at.next_multiple_of(size);
    let Ok(text) = CString::new(part) else { return };
    let mut room = [0_u8; 512];
    // SAFETY: the value exists and has the type of the conversion. The room's size is passed.
    let length = unsafe {
        let value = values.add(*at);
        let (start, space) = (room.as_mut_ptr().cast(), room.len());
        match (kind, size) {
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', _) => {
                libc::snprintf(start, space, text.as_ptr(), value.cast::<f64>().read_unaligned())
            }
            (_, 8) => libc::snprintf(start, space, text.as_ptr(), value.cast::<u64>().read_unaligned()),
            _ => libc::snprintf(start, space, text.as_ptr(), value.cast::<u32>().read_unaligned()),
        }
    };
    *at += size;
    out.extend_from_slice(&room[..(length.max(0) as usize).min(room.len() - 1)]);
}
