//! Compressed code: since 2025 compilers can put code into images as a Zstandard frame (`--offload-compress`).

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// The number of the format of compressed code, `PI_DEVICE_BINARY_TYPE_COMPRESSED_NONE`. What is inside tells its own format.
pub const FORMAT: u8 = 4;

/// The most bytes that code may have: damaged files claim any size.
const LIMIT: u64 = 1 << 32;

/// Whether these are the first bytes of a Zstandard frame.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// The code in a Zstandard frame; `Err` is the problem.
///
/// # Errors
/// The bytes are no complete frame, or hold more than 4 GiB.
pub fn decompress(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let problem = |problem: &dyn std::fmt::Display| format!("the compressed code is damaged: {problem}");
    let decoder = StreamingDecoder::new(bytes).map_err(|error| problem(&error))?;
    let mut code = Vec::new();
    decoder.take(LIMIT + 1).read_to_end(&mut code).map_err(|error| problem(&error))?;
    if code.len() as u64 > LIMIT {
        return Err(problem(&"it is larger than 4 GiB"));
    }
    Ok(code)
}
