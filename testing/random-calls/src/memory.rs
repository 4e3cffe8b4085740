//! The caller's memory, in zones that exist for the whole process, so that late reads and writes of a call stay
//! valid.

use anyhow::{Result, bail};

/// The size of the zone for data that commands move, far larger than any buffer.
pub(crate) const HOST: usize = 32 << 20;
/// The size of the zone for answers to queries.
pub(crate) const INFO: usize = 64 << 10;
/// The size of the zone for the results of one parameter.
const OUT: usize = 1 << 10;
const OUTS: usize = 32;
/// The size of the zone for lists, texts and structures of one call.
const SMALL: usize = 32 << 20;
/// The maximum size of one of them: a program's binary.
pub(crate) const LONGEST: usize = SMALL / 2;
/// The size of the zone for program binaries, whose addresses are in the zone for answers.
pub(crate) const SCRATCH: usize = 16 << 20;

/// The zones, one after another.
pub(crate) struct Memory {
    start: *mut u8,
    used: usize,
}

impl Memory {
    /// Creates zones filled with zeros.
    pub(crate) fn new() -> Result<Self> {
        let size = HOST + INFO + OUT * OUTS + SMALL + SCRATCH;
        let (access, how) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, which is never unmapped.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, how, -1, 0) };
        if start == libc::MAP_FAILED {
            bail!("no memory: {}", std::io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), used: 0 })
    }

    fn at(&self, offset: usize) -> u64 {
        self.start as u64 + offset as u64
    }

    /// Returns the host's data.
    pub(crate) fn host(&self) -> u64 {
        self.at(0)
    }

    /// Returns a buffer for an answer. Each word in it is the address of writable memory.
    pub(crate) fn info(&self) -> u64 {
        let start = self.at(HOST);
        let scratch = self.at(HOST + INFO + OUT * OUTS + SMALL);
        self.write(start, &vec![scratch; INFO / 8]);
        start
    }

    /// Returns a zeroed buffer for the results of the parameter with that number.
    pub(crate) fn out(&self, parameter: usize) -> u64 {
        let start = self.at(HOST + INFO + OUT * (parameter % OUTS));
        self.write(start, &[0; OUT / 8]);
        start
    }

    /// Returns whether the address belongs to data of one call.
    pub(crate) fn is_small(&self, address: u64) -> bool {
        let start = self.at(HOST + INFO + OUT * OUTS);
        (start..start + SMALL as u64).contains(&address)
    }

    /// Returns whether the address belongs to a buffer for results.
    pub(crate) fn is_out(&self, address: u64) -> bool {
        let start = self.at(HOST + INFO);
        (start..start + (OUT * OUTS) as u64).contains(&address)
    }

    /// Reads a result.
    pub(crate) fn read(&self, address: u64, index: usize) -> u64 {
        // SAFETY: callers only read eight bytes at addresses in the zones.
        unsafe { (address as *const u64).add(index).read_unaligned() }
    }

    fn write(&self, address: u64, words: &[u64]) {
        // SAFETY: callers only write into the zones, within their sizes.
        unsafe { (address as *mut u64).copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    }

    /// Discards the data of the previous call.
    pub(crate) fn next_call(&mut self) {
        self.used = 0;
    }

    /// Stores bytes for one call, aligned to 16 and followed by a zero word.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> u64 {
        let size = bytes.len().next_multiple_of(16) + 16;
        if self.used + size > SMALL {
            self.used = 0;
        }
        let address = self.at(HOST + INFO + OUT * OUTS + self.used);
        self.used += size;
        // SAFETY: within the zone for small data.
        unsafe {
            (address as *mut u8).write_bytes(0, size);
            (address as *mut u8).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        address
    }

    /// Stores words for one call.
    pub(crate) fn put_words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.put(&bytes)
    }
}
