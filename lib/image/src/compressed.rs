//! Compressed code: since 2025 compilers can put code into images as a Zstandard frame (`--offload-compress`).
//!
//! A frame of a few kilobytes can stand for gigabytes. [`Allowance`] says how much may come out of the frames of one file.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// The number of the format of compressed code, `PI_DEVICE_BINARY_TYPE_COMPRESSED_NONE`. What is inside tells its own format.
pub const FORMAT: u8 = 4;

/// The most bytes that code may have: damaged files claim any size.
const LIMIT: u64 = 1 << 32;

/// Code is rarely compressed to less than this part of its size.
const RATIO: u64 = 128;

/// What may come out of any file, however small: tables of equal values shrink to almost nothing.
const AT_LEAST: u64 = 64 << 20;

/// How many bytes may still come out of the Zstandard frames of one file or library. What was decompressed counts, also if
/// its frame turns out to be damaged: a file can name the same frame again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    left: u64,
}

impl Allowance {
    /// The allowance of a file, or of compressed code, of this many bytes.
    pub fn of(bytes: usize) -> Self {
        let ratio = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(RATIO);
        Self { left: ratio.clamp(AT_LEAST, LIMIT) }
    }

    /// Whether nothing more may come out.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Whether these are the first bytes of a Zstandard frame.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// The code in a Zstandard frame; `Err` is the problem.
///
/// # Errors
/// The bytes are no complete frame, or hold more than is allowed. Nothing is left of the allowance then.
pub fn decompress(bytes: &[u8], allowance: &mut Allowance) -> Result<Vec<u8>, String> {
    let problem = |problem: &dyn std::fmt::Display| format!("the compressed code is damaged: {problem}");
    let decoder = StreamingDecoder::new(bytes).map_err(|error| problem(&error))?;
    let most = allowance.left;
    let mut code = Vec::new();
    // One byte more than is allowed, to see that there is more.
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

    /// A frame of blocks that each say "128 KiB of zeros" in four bytes (RFC 8878, 3.1.1): its header gives a window of
    /// 2 MiB and no size.
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
