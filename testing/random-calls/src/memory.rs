//! The caller's memory: zones that stay for the whole process, so that whatever a call still reads or writes later is there.

use anyhow::{Result, bail};

/// For data that commands move; far more than any buffer has.
pub(crate) const HOST: usize = 32 << 20;
/// For answers to queries.
pub(crate) const INFO: usize = 64 << 10;
/// For the places that one parameter's results go to.
const OUT: usize = 1 << 10;
const OUTS: usize = 32;
/// For lists, texts and structures of one call.
const SMALL: usize = 32 << 20;
/// The longest of them: a program's binary.
pub(crate) const LONGEST: usize = SMALL / 2;
/// For program binaries, whose places are in the answer's room.
pub(crate) const SCRATCH: usize = 16 << 20;

/// The zones, one behind the other.
pub(crate) struct Memory {
    start: *mut u8,
    used: usize,
}

impl Memory {
    /// New zones, filled with zeros.
    pub(crate) fn new() -> Result<Self> {
        let size = HOST + INFO + OUT * OUTS + SMALL + SCRATCH;
        let (access, how) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, never given back.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, how, -1, 0) };
        if start == libc::MAP_FAILED {
            bail!("no memory: {}", std::io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), used: 0 })
    }

    fn at(&self, offset: usize) -> u64 {
        self.start as u64 + offset as u64
    }

    /// The host's data.
    pub(crate) fn host(&self) -> u64 {
        self.at(0)
    }

    /// Room for an answer; each word of it is the address of memory that may be written.
    pub(crate) fn info(&self) -> u64 {
        let start = self.at(HOST);
        let scratch = self.at(HOST + INFO + OUT * OUTS + SMALL);
        self.write(start, &vec![scratch; INFO / 8]);
        start
    }

    /// Room for the results of the parameter of that number, all zeros.
    pub(crate) fn out(&self, parameter: usize) -> u64 {
        let start = self.at(HOST + INFO + OUT * (parameter % OUTS));
        self.write(start, &[0; OUT / 8]);
        start
    }

    /// Whether the address is of something that was put for one call.
    pub(crate) fn is_small(&self, address: u64) -> bool {
        let start = self.at(HOST + INFO + OUT * OUTS);
        (start..start + SMALL as u64).contains(&address)
    }

    /// Whether the address is of the room for a result.
    pub(crate) fn is_out(&self, address: u64) -> bool {
        let start = self.at(HOST + INFO);
        (start..start + (OUT * OUTS) as u64).contains(&address)
    }

    /// A result.
    pub(crate) fn read(&self, address: u64, index: usize) -> u64 {
        // SAFETY: callers ask for addresses in the zones only, and eight bytes of them.
        unsafe { (address as *const u64).add(index).read_unaligned() }
    }

    fn write(&self, address: u64, words: &[u64]) {
        // SAFETY: callers write into the zones only, within their sizes.
        unsafe { (address as *mut u64).copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    }

    /// Forgets what was put for the call before.
    pub(crate) fn next_call(&mut self) {
        self.used = 0;
    }

    /// Puts bytes for one call, aligned to 16 and with a zero word behind.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> u64 {
        let size = bytes.len().next_multiple_of(16) + 16;
        if self.used + size > SMALL {
            self.used = 0;
        }
        let address = self.at(HOST + INFO + OUT * OUTS + self.used);
        self.used += size;
        // SAFETY: within the zone for small things.
        unsafe {
            (address as *mut u8).write_bytes(0, size);
            (address as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        address
    }

    /// Puts words for one call.
    pub(crate) fn put_words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.put(&bytes)
    }
}
