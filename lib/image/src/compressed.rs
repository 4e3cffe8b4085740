//! Compressed code: compilers since 2025 can store an image's code as a Zstandard frame (`--offload-compress`).
//!
//! A frame of a few kilobytes can expand to gigabytes. [`Allowance`] limits how many bytes the frames of one file may
//! expand to.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// The format number of compressed code, `PI_DEVICE_BINARY_TYPE_COMPRESSED_NONE`. The decompressed code identifies its
/// own format.
pub const FORMAT: u8 = 4;

/// The largest size of decompressed code in bytes. A damaged file can claim any size.
const LIMIT: u64 = 1 << 32;

/// Code rarely compresses by more than this ratio.
const RATIO: u64 = 128;

/// The least that any file may expand to, however small it is, because tables of equal values shrink to almost nothing.
const AT_LEAST: u64 = 64 << 20;

/// The number of bytes that the Zstandard frames of one file or library may still expand to. Decompressed bytes count
/// even if their frame turns out to be damaged, because a file can name the same frame again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    left: u64,
}

impl Allowance {
    /// Returns the allowance for a file, or for compressed code, of this many bytes.
    pub fn of(bytes: usize) -> Self {
        let ratio = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(RATIO);
        Self { left: ratio.clamp(AT_LEAST, LIMIT) }
    }

    /// Returns whether the allowance is used up.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Returns whether these bytes start a Zstandard frame.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// Decompresses the code in a Zstandard frame; `Err` describes the problem.
///
/// # Errors
/// Fails if the bytes are not a complete frame, or if the frame expands to more than the allowance, which is then used
/// up.
pub fn decompress(bytes: &[u8], allowance: &mut Allowance) -> Result<Vec<u8>, String> {
    let problem = |problem: &dyn std::fmt::Display| format!("the compressed code is damaged: {problem}");
    let decoder = StreamingDecoder::new(bytes).map_err(|error| problem(&error))?;
    let most = allowance.left;
    let mut code = Vec::new();
    // Reads one byte beyond the limit to detect that there is more.
    let read = decoder.take(most.saturating_add(1)).read_to_end(&mut code);
    allowance.left = most.saturating_sub(code.len() as u64);
    read.map_err(|error| problem(&error))?;
    if code.len() as u64 > most {
        return Err(format!(
            "its code is too large: more than {most} bytes come out of {} compressed ones",
            bytes.len()
        ));
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a frame of blocks that each say "128 KiB of zeros" in four bytes (RFC 8878, 3.1.1). Its header gives a
    /// window of 2 MiB and no size.
    fn zeros(mebibytes: usize) -> Vec<u8> {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
        for left in (0..mebibytes * 8).rev() {
            let header = (128 << 10 << 3) | (1 << 1) | u32::from(left == 0);
            frame.extend(header.to_le_bytes().iter().take(3));
            frame.push(0);
        }
        frame
    }

    #[test]
    fn small_frames_may_hold_tables_of_zeros() {
        let frame = zeros(64);
        let mut allowance = Allowance::of(frame.len());
        assert_eq!(decompress(&frame, &mut allowance).map(|code| code.len()), Ok(64 << 20));
        assert!(allowance.is_spent());
    }

    #[test]
    fn a_frame_stops_at_the_allowance() {
        let frame = zeros(65);
        let mut allowance = Allowance::of(frame.len());
        let text = decompress(&frame, &mut allowance).unwrap_err();
        assert_eq!(text, "its code is too large: more than 67108864 bytes come out of 2086 compressed ones");
        assert!(allowance.is_spent());
        assert!(decompress(&zeros(1), &mut allowance).is_err(), "and the next frame gets nothing");
    }

    #[test]
    fn frames_of_one_file_share_its_allowance() {
        let frame = zeros(40);
        let mut allowance = Allowance::of(2 * frame.len());
        assert!(decompress(&frame, &mut allowance).is_ok());
        assert!(decompress(&frame, &mut allowance).is_err());
    }

    /// Otherwise a file could name one damaged frame for each of its images.
    #[test]
    fn what_came_out_of_a_damaged_frame_counts() {
        let whole = zeros(40);
        let cut = whole.get(..whole.len() - 2).unwrap_or_default();
        let mut allowance = Allowance::of(cut.len());
        assert!(decompress(cut, &mut allowance).unwrap_err().contains("damaged"));
        assert!(decompress(cut, &mut allowance).is_err() && allowance.is_spent());
    }

    #[test]
    fn large_files_may_hold_a_hundred_times_as_much() {
        assert_eq!(Allowance::of(1 << 20).left, 128 << 20);
        assert_eq!(Allowance::of(usize::MAX).left, 4 << 30);
    }
}
