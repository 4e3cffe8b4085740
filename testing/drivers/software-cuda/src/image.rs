//! Images: shared objects, as they are or in the text that the fake libnvvm produces.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_void};
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Once;

use crate::{Code, INVALID_IMAGE, INVALID_PTX};

/// Precedes a shared object in a comment of PTX.
const MARK: &str = "\n// software-cuda: ";
const ELF: &[u8] = b"\x7fELF";

/// Returns the shared object of an image.
///
/// # Safety
///
/// `image` is a complete ELF file, or a NUL-terminated text.
pub(crate) unsafe fn bytes_of<'a>(image: *const u8) -> Result<Cow<'a, [u8]>, Code> {
    // SAFETY: at least the headers are readable.
    unsafe {
        if std::slice::from_raw_parts(image, 1) == b"\x7f" && std::slice::from_raw_parts(image, 4) == ELF {
            let number = |at: usize| image.add(at).cast::<u16>().read_unaligned() as usize;
            let sections = image.add(0x28).cast::<u64>().read_unaligned() as usize;
            let size = sections + number(0x3a) * number(0x3c);
            return Ok(Cow::Borrowed(std::slice::from_raw_parts(image, size)));
        }
        of_text(CStr::from_ptr(image.cast()).to_bytes()).map(Cow::Owned).ok_or(INVALID_PTX)
    }
}

/// Links one input: returns its shared object.
pub(crate) fn linked(input: &[u8]) -> Cow<'_, [u8]> {
    let text = input.strip_suffix(&[0]).unwrap_or(input);
    of_text(text).map_or(Cow::Borrowed(input), Cow::Owned)
}

fn of_text(text: &[u8]) -> Option<Vec<u8>> {
    let (_, rest) = std::str::from_utf8(text).ok()?.split_once(MARK)?;
    let digits = rest.lines().next()?.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|value| value as u8);
    digits.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

/// Opens a shared object.
pub(crate) fn open(bytes: &[u8]) -> Result<*mut c_void, Code> {
    offer_functions();
    // A new file each time, because every module has separate variables. SAFETY: a NUL-terminated name.
    let file = unsafe { libc::memfd_create(c"module".as_ptr(), 0) };
    if file < 0 {
        return Err(INVALID_IMAGE);
    }
    // SAFETY: a new descriptor.
    let mut file = unsafe { std::fs::File::from_raw_fd(file) };
    file.write_all(bytes).map_err(|_| INVALID_IMAGE)?;
    let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).map_err(|_| INVALID_IMAGE)?;
    // SAFETY: a path. The image's initializers belong to the test.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        return Err(INVALID_IMAGE);
    }
    // The file stays open, because its number, and thus the path, could be used again otherwise.
    std::mem::forget(file);
    Ok(library)
}

/// Makes this library's functions available to images, which call them by name.
fn offer_functions() {
    static ONCE: Once = Once::new();
    // SAFETY: queries the library that contains this code, which is loaded.
    ONCE.call_once(|| unsafe {
        let mut own: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr((offer_functions as fn()) as *const c_void, &raw mut own) != 0 {
            libc::dlopen(own.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_GLOBAL);
        }
    });
}
