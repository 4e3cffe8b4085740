//! Pages of this process that others map too. They are moved to a memory file at the first request.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::os::unix::fs::FileExt;

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::caller;
use crate::entry::Answer;

/// Bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// Pages that are backed by a file.
struct Shared {
    size: usize,
    file: File,
    /// The file for other processes while its number is in use, and the number of its users.
    given_out: Option<(OwnedFd, u32)>,
    /// Whether clients get their own descriptors of the file.
    exportable: bool,
}

/// By the first address.
static SHARED: Mutex<BTreeMap<usize, Shared>> = Mutex::new(BTreeMap::new());

/// Returns the number of the file that backs pages. No command may write to them during the call.
pub(crate) fn give_out(start: usize, size: usize) -> Answer<c_int> {
    let mut all = SHARED.lock();
    let shared = match all.entry(start) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => place.insert(share(start, size.next_multiple_of(PAGE)).map_err(no_memory)?),
    };
    let (file, holders) = match shared.given_out.take() {
        Some(given_out) => given_out,
        None => (OwnedFd::from(shared.file.try_clone().map_err(no_memory)?), 0),
    };
    let number = file.as_raw_fd();
    shared.given_out = Some((file, holders + 1));
    Ok(number)
}

/// Backs newly allocated pages with a file, so that descriptors of it can be exported.
pub(crate) fn make_exportable(start: usize, size: usize) -> Answer {
    let shared = share(start, size.next_multiple_of(PAGE)).map_err(no_memory)?;
    SHARED.lock().insert(start, Shared { exportable: true, ..shared });
    Ok(())
}

/// Returns a new descriptor of the file of exportable pages, which the client has to close.
pub(crate) fn export(start: usize) -> Answer<c_int> {
    let all = SHARED.lock();
    let shared =
        all.get(&start).filter(|shared| shared.exportable).ok_or(ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
    Ok(OwnedFd::from(shared.file.try_clone().map_err(no_memory)?).into_raw_fd())
}

/// Releases a number. The last release closes the file, but the pages remain.
pub(crate) fn put_back(number: c_int) -> Answer {
    for shared in SHARED.lock().values_mut() {
        if let Some((file, holders)) = &mut shared.given_out
            && file.as_raw_fd() == number
        {
            *holders -= 1;
            if *holders == 0 {
                shared.given_out = None;
            }
            return Ok(());
        }
    }
    Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
}

/// Makes pages private to this process again, if they are backed by a file. Their content is lost.
pub(crate) fn end(start: usize) -> Answer {
    let Some(shared) = SHARED.lock().remove(&start) else { return Ok(()) };
    map(address(start), shared.size, None).map(drop).map_err(no_memory)
}

/// Maps the file of another process, which is open here as `number`. Returns its address and size.
pub(crate) fn open(number: c_int) -> Answer<(usize, usize)> {
    // SAFETY: queries a number. A wrong one is an error.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if copy < 0 {
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    // SAFETY: just created, and not owned elsewhere.
    let file = unsafe { File::from_raw_fd(copy) };
    let size = file.metadata().map_err(no_memory)?.len() as usize;
    if size == 0 {
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    let start = map(std::ptr::null_mut(), size, Some(&file)).map_err(no_memory)?;
    Ok((start, size))
}

/// Unmaps such a mapping.
pub(crate) fn close(start: usize, size: usize) -> Answer {
    // SAFETY: a mapping of `open`, which the caller has just removed.
    match unsafe { libc::munmap(address(start), size) } {
        0 => Ok(()),
        _ => Err(ZE_RESULT_ERROR_UNKNOWN),
    }
}

fn share(start: usize, size: usize) -> io::Result<Shared> {
    // SAFETY: a name and flags.
    let number = unsafe { libc::memfd_create(c"software-level-zero".as_ptr(), libc::MFD_CLOEXEC) };
    if number < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just created, and not owned elsewhere.
    let file = unsafe { File::from_raw_fd(number) };
    let bytes = caller::bytes(address(start), size).map_err(|_| io::ErrorKind::InvalidInput)?;
    file.write_all_at(bytes, 0)?;
    map(address(start), size, Some(&file))?;
    Ok(Shared { size, file, given_out: None, exportable: false })
}

/// Maps pages of a file, or new ones, anywhere or at `place`, where they replace any others.
fn map(place: *mut c_void, size: usize, file: Option<&File>) -> io::Result<usize> {
    let fixed = if place.is_null() { 0 } else { libc::MAP_FIXED };
    let (kind, number) = match file {
        Some(file) => (libc::MAP_SHARED, file.as_raw_fd()),
        None => (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1),
    };
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, or one that replaces whole pages of this driver's allocation.
    let start = unsafe { libc::mmap(place, size, access, kind | fixed, number, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start.expose_provenance()) }
}

fn address(start: usize) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(start)
}

fn no_memory(_: io::Error) -> ze_result_t {
    ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
}
