//! The protocol between a process and its workers: requests on the worker's standard input, answers on its standard
//! output.
//!
//! A message consists of [`MAGIC`], the number of its parts, and the parts, each preceded by its length in bytes.
//! Numbers are 32 bits, little endian.

use std::io::{self, Read, Write};
use std::time::Duration;

/// The first word of a message, which changes with the protocol.
pub const MAGIC: u32 = u32::from_le_bytes(*b"nvv2");
/// A worker sends this as soon as it has read a request. From then on, it keeps the time itself.
pub const TAKEN: u32 = u32::from_le_bytes(*b"took");
/// More parts than any message has.
const MAX_PARTS: u32 = 256;
/// An upper limit for the total size of a message's parts in bytes. Larger lengths are garbage.
pub const MOST_BYTES: usize = 1 << 30;

/// The time that a worker waits for a request before it exits.
pub const IDLE_LIMIT: Duration = Duration::from_secs(60);

/// NVVM IR to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvvmRequest {
    /// NVVM IR as text or bitcode.
    pub ir: Vec<u8>,
    /// libnvvm's options.
    pub options: Vec<String>,
    /// Whether libnvvm's verifier checks the IR first.
    pub verify: bool,
    /// The worker exits after this much processor time, rounded up to seconds, or after as long without any progress.
    /// Time in which it is stopped or waits for the processor does not count.
    pub limit: Duration,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NvvmAnswer {
    /// PTX, with the warnings in libnvvm's log.
    Ptx {
        /// The text without a NUL.
        ptx: Vec<u8>,
        /// Warnings; usually empty.
        log: String,
    },
    /// libnvvm refused the IR or an option.
    Refused {
        /// The failed call, its error and the log.
        log: String,
    },
    /// The worker has no usable libnvvm.
    NoLibrary {
        /// The reason.
        why: String,
    },
}

const PTX: u8 = 0;
const REFUSED: u8 = 1;
const NO_LIBRARY: u8 = 2;

impl NvvmRequest {
    /// Writes the request.
    ///
    /// # Errors
    ///
    /// The errors of `out`, and `InvalidInput` for more than 1 GiB.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let seconds = (self.limit.as_millis().div_ceil(1000) as u32).to_le_bytes();
        let mut parts = vec![&self.ir[..], &seconds, if self.verify { &[1] } else { &[0] }];
        parts.extend(self.options.iter().map(String::as_bytes));
        write_parts(out, &parts)
    }

    /// Reads a request. Returns `None` if the input ends before one.
    ///
    /// # Errors
    ///
    /// The errors of `input`, and `InvalidData` if it is not a request.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(parts) = read_parts(input)? else { return Ok(None) };
        let mut parts = parts.into_iter();
        let mut next = || parts.next().ok_or_else(|| garbage("a request without its parts"));
        let (ir, seconds, verify) = (next()?, next()?, next()?);
        let seconds = seconds.try_into().map(u32::from_le_bytes).map_err(|_| garbage("no time limit"))?;
        let options = parts.map(text).collect();
        let limit = Duration::from_secs(seconds.into());
        Ok(Some(Self { ir, options, verify: verify == [1], limit }))
    }
}

impl NvvmAnswer {
    /// Writes the answer.
    ///
    /// # Errors
    ///
    /// The errors of `out`, and `InvalidInput` for more than 1 GiB.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Ptx { ptx, log } => write_parts(out, &[&[PTX], log.as_bytes(), ptx]),
            Self::Refused { log } => write_parts(out, &[&[REFUSED], log.as_bytes()]),
            Self::NoLibrary { why } => write_parts(out, &[&[NO_LIBRARY], why.as_bytes()]),
        }
    }

    /// Reports that a request was read.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn take(out: &mut impl Write) -> io::Result<()> {
        out.write_all(&TAKEN.to_le_bytes())?;
        out.flush()
    }

    /// Reads the report that the request was read, and then the answer. Returns `None` if the input ends first.
    ///
    /// # Errors
    ///
    /// The errors of `input`, and `InvalidData` if it is not an answer.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(parts) = read_parts(input)? else { return Ok(None) };
        let mut parts = parts.into_iter();
        let mut next = || parts.next().ok_or_else(|| garbage("an answer without its parts"));
        let (kind, log) = (next()?, text(next()?));
        match kind[..] {
            [PTX] => Ok(Some(Self::Ptx { log, ptx: next()? })),
            [REFUSED] => Ok(Some(Self::Refused { log })),
            [NO_LIBRARY] => Ok(Some(Self::NoLibrary { why: log })),
            _ => Err(garbage("an answer of an unknown kind")),
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn garbage(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn write_parts(out: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    let bytes = parts.iter().map(|part| part.len()).fold(0, usize::saturating_add);
    if bytes > MOST_BYTES || parts.len() > MAX_PARTS as usize {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a message of more than 1 GiB"));
    }
    let mut heads = vec![MAGIC, parts.len() as u32];
    heads.extend(parts.iter().map(|part| part.len() as u32));
    let heads: Vec<u8> = heads.iter().flat_map(|word| word.to_le_bytes()).collect();
    out.write_all(&heads)?;
    parts.iter().try_for_each(|part| out.write_all(part))?;
    out.flush()
}

fn read_parts(input: &mut impl Read) -> io::Result<Option<Vec<Vec<u8>>>> {
    let mut first = [0; 4];
    match some_of(input, &mut first)? {
        0 => return Ok(None),
        got => input.read_exact(first.get_mut(got..).unwrap_or_default())?,
    }
    if u32::from_le_bytes(first) == TAKEN {
        return read_parts(input);
    }
    if u32::from_le_bytes(first) != MAGIC {
        return Err(garbage("a message of another protocol"));
    }
    let count = word(input)?;
    if count > MAX_PARTS {
        return Err(garbage("a message of too many parts"));
    }
    let lengths = (0..count).map(|_| word(input)).collect::<io::Result<Vec<_>>>()?;
    if lengths.iter().map(|length| u64::from(*length)).sum::<u64>() > MOST_BYTES as u64 {
        return Err(garbage("a message of more than 1 GiB"));
    }
    let mut parts = Vec::with_capacity(lengths.len());
    for length in lengths {
        let mut part = Vec::new();
        input.by_ref().take(length.into()).read_to_end(&mut part)?;
        if part.len() < length as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        parts.push(part);
    }
    Ok(Some(parts))
}

/// Returns the result of one read, which is 0 at the end of the input. A signal that the program handles does not end
/// the input.
fn some_of(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn word(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> NvvmRequest {
        let options = vec!["-arch=compute_90".to_owned(), "-opt=3".to_owned()];
        NvvmRequest { ir: b"define".to_vec(), options, verify: true, limit: Duration::from_millis(1500) }
    }

    #[test]
    fn messages_come_back_as_they_were() {
        let mut bytes = Vec::new();
        request().write(&mut bytes).unwrap();
        let read = NvvmRequest::read(&mut &bytes[..]).unwrap().unwrap();
        assert_eq!(read, NvvmRequest { limit: Duration::from_secs(2), ..request() });
        for answer in [
            NvvmAnswer::Ptx { ptx: b".version 8.8".to_vec(), log: "a warning".to_owned() },
            NvvmAnswer::Refused { log: "m (5, 37): parse".to_owned() },
            NvvmAnswer::NoLibrary { why: "no such file".to_owned() },
        ] {
            let mut bytes = Vec::new();
            answer.write(&mut bytes).unwrap();
            assert_eq!(NvvmAnswer::read(&mut &bytes[..]).unwrap(), Some(answer));
        }
    }

    #[test]
    fn the_end_of_the_input_is_no_message_and_a_cut_one_is_an_error() {
        let mut bytes = Vec::new();
        request().write(&mut bytes).unwrap();
        assert_eq!(NvvmRequest::read(&mut &b""[..]).unwrap(), None);
        for length in 1..bytes.len() {
            assert!(NvvmRequest::read(&mut &bytes[..length]).is_err(), "{length} bytes");
        }
    }

    /// An input that is interrupted by a signal before each byte.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let one = bytes.len().min(1);
            self.0.read(&mut bytes[..one])
        }
    }

    #[test]
    fn signals_between_the_bytes_change_no_message() {
        let mut bytes = Vec::new();
        let answer = NvvmAnswer::Ptx { ptx: b".version 8.8".to_vec(), log: "a warning".to_owned() };
        answer.write(&mut bytes).unwrap();
        assert_eq!(NvvmAnswer::read(&mut Interrupted(&bytes, false)).unwrap(), Some(answer));
        assert_eq!(NvvmAnswer::read(&mut Interrupted(b"", false)).unwrap(), None);
    }

    #[test]
    fn a_message_of_more_than_a_gigabyte_is_not_sent() {
        let ir = vec![0; MOST_BYTES];
        let error = NvvmRequest { ir, ..request() }.write(&mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn garbage_is_refused_before_memory_is_taken_for_it() {
        let head = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        for bytes in [
            b"hello, world".to_vec(),
            head(&[MAGIC, u32::MAX]),
            head(&[MAGIC, 1, u32::MAX]),
            head(&[MAGIC, 1, MOST_BYTES as u32]),
            head(&[MAGIC, 2, MOST_BYTES as u32, 1]),
            head(&[MAGIC, 0]),
            head(&[MAGIC, 2, 1, 0, 9]),
        ] {
            assert!(NvvmAnswer::read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
