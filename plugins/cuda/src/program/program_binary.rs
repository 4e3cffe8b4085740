//! A program's image (PTX text, a cubin or a fatbin), which is checked before it is passed to the driver.

use std::ffi::{CStr, CString};

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result, copy_of, room};

use crate::sys::CUjitInputType;

/// An input of the driver's linker.
pub(crate) type LinkInput<'a> = (&'a [u8], CUjitInputType);

/// An image.
pub(crate) enum ProgramBinary {
    /// PTX with its NUL.
    Ptx(CString),
    Cubin(Vec<u8>),
    Fatbin(Vec<u8>),
}

const ELF: &[u8] = b"\x7fELF";
/// The suffix of a cubin that is stored with its PTX. It is preceded by the PTX with its NUL and the length of that
/// text in 8 bytes. Drivers read a cubin only up to the end of its sections.
const WITH_PTX: &[u8] = b"with PTX";
/// The first word of a fatbin in little-endian order.
const FATBIN: &[u8] = &0xba55_ed50_u32.to_le_bytes();

impl ProgramBinary {
    /// Checks an image. Refuses one that the driver would read past its end.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self> {
        if bytes.starts_with(ELF) {
            check_elf(bytes)?;
            return Ok(Self::Cubin(copy_of(bytes)?));
        }
        if bytes.starts_with(FATBIN) {
            check_fatbin(bytes)?;
            return Ok(Self::Fatbin(copy_of(bytes)?));
        }
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let text = &bytes[..end];
        let is_text =
            text.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace() || *byte >= 0x80);
        if is_text && is_ptx(text) {
            let mut copy = room(text.len() + 1)?;
            copy.extend_from_slice(text);
            copy.push(0);
            return Ok(Self::Ptx(CString::from_vec_with_nul(copy).unwrap_or_default()));
        }
        bad(format!("no PTX, cubin or fatbin: it starts with {:02x?}", &bytes[..bytes.len().min(4)]))
    }

    pub(crate) fn ptx(&self) -> Option<&CStr> {
        match self {
            Self::Ptx(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the PTX, including that stored with a cubin.
    pub(crate) fn source(&self) -> Option<&CStr> {
        match self {
            Self::Ptx(text) => Some(text),
            Self::Cubin(bytes) => split_cubin(bytes).1,
            Self::Fatbin(_) => None,
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Ptx(text) => text.as_bytes(),
            Self::Cubin(bytes) | Self::Fatbin(bytes) => bytes,
        }
    }

    /// Returns the text, or the bytes of a binary image.
    pub(crate) fn parts(&self) -> (&CStr, Option<&[u8]>) {
        match self {
            Self::Ptx(text) => (text, None),
            Self::Cubin(bytes) | Self::Fatbin(bytes) => (c"", Some(bytes)),
        }
    }

    /// Returns the image as an input of the linker.
    pub(crate) fn input(&self) -> LinkInput<'_> {
        match self {
            Self::Ptx(text) => (text.as_bytes_with_nul(), CUjitInputType::CU_JIT_INPUT_PTX),
            Self::Cubin(bytes) => (split_cubin(bytes).0, CUjitInputType::CU_JIT_INPUT_CUBIN),
            Self::Fatbin(bytes) => (bytes, CUjitInputType::CU_JIT_INPUT_FATBINARY),
        }
    }
}

/// Returns whether a text states its PTX version.
fn is_ptx(text: &[u8]) -> bool {
    text.windows(8).any(|word| word == b".version")
}

/// Returns a cubin followed by the PTX that it was created from.
pub(crate) fn with_ptx(mut cubin: Vec<u8>, ptx: &CStr) -> Vec<u8> {
    let text = ptx.to_bytes_with_nul();
    cubin.extend_from_slice(text);
    cubin.extend_from_slice(&(text.len() as u64).to_le_bytes());
    cubin.extend_from_slice(WITH_PTX);
    cubin
}

/// Splits a cubin from the PTX stored with it.
fn split_cubin(bytes: &[u8]) -> (&[u8], Option<&CStr>) {
    let parts = || {
        let (rest, length) = bytes.strip_suffix(WITH_PTX)?.split_last_chunk()?;
        let text = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (cubin, text) = rest.split_at_checked(rest.len().checked_sub(text)?)?;
        let ptx = CStr::from_bytes_with_nul(text).ok().filter(|text| is_ptx(text.to_bytes()))?;
        Some((cubin, Some(ptx)))
    };
    parts().unwrap_or((bytes, None))
}

/// Returns whether PTX defines variables that kernels or the host may write. Variables outside of functions are at the
/// start of a statement. Variables that are constant to kernels are not counted unless other modules may refer to them.
pub(crate) fn defines_variables(ptx: &CStr) -> bool {
    let text = ptx.to_string_lossy();
    text.split([';', '{', '}', '\n']).any(|statement| {
        let mut words = statement.split_ascii_whitespace();
        let (mut word, mut is_visible) = (words.next(), false);
        while let Some(".visible" | ".weak" | ".common" | ".extern") = word {
            is_visible = true;
            word = words.next();
        }
        word == Some(".global") || (word == Some(".const") && is_visible)
    })
}

fn bad<T>(what: String) -> Result<T> {
    Err(Error::new(ErrorCode::INVALID_BINARY, format!("the program's binary: {what}")))
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut number = [0; 8];
    number[..N].copy_from_slice(bytes.get(at..at + N)?);
    Some(u64::from_le_bytes(number))
}

/// Checks that headers and sections are inside of the image, because the driver gets no length.
fn check_elf(bytes: &[u8]) -> Result<()> {
    let fits = || -> Option<bool> {
        let end =
            |start: u64, size: u64| start.checked_add(size).is_some_and(|end| end <= bytes.len() as u64);
        let (segments, sections) = (word::<8>(bytes, 0x20)?, word::<8>(bytes, 0x28)?);
        let (segment_size, segment_count) = (word::<2>(bytes, 0x36)?, word::<2>(bytes, 0x38)?);
        let (section_size, section_count) = (word::<2>(bytes, 0x3a)?, word::<2>(bytes, 0x3c)?);
        if !end(segments, segment_size * segment_count) || !end(sections, section_size * section_count) {
            return Some(false);
        }
        const NO_BITS: u64 = 8;
        for index in 0..section_count {
            let at = (sections + index * section_size) as usize;
            let (kind, start, size) =
                (word::<4>(bytes, at + 4)?, word::<8>(bytes, at + 0x18)?, word::<8>(bytes, at + 0x20)?);
            if kind != NO_BITS && !end(start, size) {
                return Some(false);
            }
        }
        Some(true)
    };
    if fits() == Some(true) {
        Ok(())
    } else {
        bad(format!("a cubin of {} bytes ends before its sections do: truncated?", bytes.len()))
    }
}

fn check_fatbin(bytes: &[u8]) -> Result<()> {
    let header = word::<2>(bytes, 6).unwrap_or(u64::MAX);
    let size = word::<8>(bytes, 8).unwrap_or(u64::MAX);
    if header.checked_add(size).is_some_and(|end| end <= bytes.len() as u64) {
        return Ok(());
    }
    bad(format!("a fatbin of {} bytes says that it is longer: truncated?", bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the header of an ELF file without sections.
    fn cubin() -> Vec<u8> {
        let mut bytes = ELF.to_vec();
        bytes.resize(0x40, 0);
        bytes
    }

    #[test]
    fn a_cubin_comes_back_with_its_ptx() {
        let kept = ProgramBinary::new(&with_ptx(cubin(), c".version 8.0")).unwrap();
        assert_eq!(kept.source(), Some(c".version 8.0"));
        assert_eq!(kept.input().0, cubin());
        let again = ProgramBinary::new(kept.bytes()).unwrap();
        assert_eq!(again.source(), Some(c".version 8.0"));
        assert_eq!(ProgramBinary::new(&cubin()).unwrap().source(), None);
    }

    #[test]
    fn a_length_that_cannot_be_is_no_ptx() {
        for length in [0, 1, 0x41, u64::MAX] {
            let bytes = [&cubin()[..], &length.to_le_bytes(), WITH_PTX].concat();
            assert_eq!(ProgramBinary::new(&bytes).unwrap().source(), None, "{length}");
        }
    }

    /// Returns an ELF file of 0x140 bytes with the given sections (type, start and size of each), and their headers at
    /// 0x80.
    fn elf(sections: &[(u32, u64, u64)]) -> Vec<u8> {
        let mut bytes = cubin();
        bytes.resize(0x140, 0);
        bytes[0x28..0x30].copy_from_slice(&0x80_u64.to_le_bytes());
        bytes[0x3a..0x3c].copy_from_slice(&0x40_u16.to_le_bytes());
        bytes[0x3c..0x3e].copy_from_slice(&(sections.len() as u16).to_le_bytes());
        for ((kind, start, size), header) in sections.iter().zip(bytes[0x80..].chunks_mut(0x40)) {
            header[4..8].copy_from_slice(&kind.to_le_bytes());
            header[0x18..0x20].copy_from_slice(&start.to_le_bytes());
            header[0x20..0x28].copy_from_slice(&size.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn headers_and_sections_end_with_the_file() {
        let is_taken = |bytes: &[u8]| ProgramBinary::new(bytes).is_ok();
        const BITS: u32 = 1;
        const NO_BITS: u32 = 8;
        for (section, expected) in [
            ((BITS, 0x40, 0x100), true),
            ((BITS, 0x40, 0x101), false),
            ((BITS, 0x141, 0), false),
            ((BITS, u64::MAX, 1), false),
            ((NO_BITS, 0x40, 0x1000), true),
        ] {
            assert_eq!(is_taken(&elf(&[section])), expected, "{section:x?}");
            assert_eq!(is_taken(&elf(&[(BITS, 0, 0), (BITS, 0x40, 4), section])), expected, "{section:x?}");
        }
        // Three headers fill the file, and four do not fit. The same applies to segments.
        let most = elf(&[(BITS, 0, 0); 3]);
        assert!(is_taken(&most) && !is_taken(&most[..0x13f]));
        let mut segments = elf(&[]);
        segments[0x20] = 0x40;
        segments[0x36] = 0x40;
        for (count, expected) in [(4, true), (5, false)] {
            segments[0x38] = count;
            assert_eq!(is_taken(&segments), expected, "{count} segments");
        }
        assert!(!is_taken(&elf(&[])[..0x3d]) && is_taken(&cubin()));
    }

    #[test]
    fn a_fatbin_ends_where_it_says() {
        let mut bytes = [FATBIN, &[1, 0, 16, 0], &8_u64.to_le_bytes(), &[0; 8]].concat();
        for (size, expected) in [(8_u64, true), (7, true), (9, false), (u64::MAX, false)] {
            bytes[8..16].copy_from_slice(&size.to_le_bytes());
            let taken = ProgramBinary::new(&bytes);
            assert_eq!(taken.is_ok(), expected, "{size}");
            if let Ok(fatbin) = taken {
                assert_eq!((fatbin.bytes(), fatbin.parts()), (&bytes[..], (c"", Some(&bytes[..]))));
                assert_eq!(fatbin.input(), (&bytes[..], CUjitInputType::CU_JIT_INPUT_FATBINARY));
                assert_eq!((fatbin.source(), fatbin.ptx()), (None, None));
            }
        }
        assert!(ProgramBinary::new(FATBIN).is_err());
    }

    #[test]
    fn ptx_is_text_that_says_its_version() {
        let text = c".version 8.0\n\t// \u{fc}\r\n";
        for bytes in [text.to_bytes(), text.to_bytes_with_nul(), &[text.to_bytes(), b"\0\x01rest"].concat()] {
            let ptx = ProgramBinary::new(bytes).unwrap();
            assert_eq!((ptx.ptx(), ptx.source(), ptx.parts()), (Some(text), Some(text), (text, None)));
            assert_eq!((ptx.bytes(), ptx.input().0), (text.to_bytes(), text.to_bytes_with_nul()));
            assert_eq!(ptx.input().1, CUjitInputType::CU_JIT_INPUT_PTX);
        }
        for bytes in [&b".version \x01"[..], b"version 8.0", b".target sm_90", b"", b"\x7fEL"] {
            assert!(ProgramBinary::new(bytes).is_err(), "{bytes:?}");
        }
        let whole = ProgramBinary::new(&cubin()).unwrap();
        assert_eq!((whole.bytes(), whole.ptx(), whole.parts().1), (&cubin()[..], None, Some(&cubin()[..])));
        assert_eq!(whole.input().1, CUjitInputType::CU_JIT_INPUT_CUBIN);
    }

    #[test]
    fn variables_of_a_module_are_found_in_its_ptx() {
        for with in [
            c"\t.visible .global .align 4 .u32 counter = 7;",
            c".version 8.0\n.global .align 1 .b8 table[64];",
            c"} .weak .global .u32 late;",
            c".visible .const .align 8 .b8 named[16] = {1};",
        ] {
            assert!(defines_variables(with), "{with:?}");
        }
        for without in [
            c".visible .entry k(\n.param .u64 .ptr .global .align 4 k_param_0\n)\n{\nld.global.u32 %r1, [%rd1];\n}",
            c"// .globl k\n.const .align 8 .b8 table[16] = {1, 2};",
            c".shared .align 4 .b8 room[64];",
        ] {
            assert!(!defines_variables(without), "{without:?}");
        }
    }
}
