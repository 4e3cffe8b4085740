//! The binary format of an item's two files. Anything that does not match exactly is [`Damage`]; the sizes are checked
//! before the body is read.
//!
//! | `.src` | bytes | | `.bin` | bytes |
//! | --- | --- | --- | --- | --- |
//! | magic `SYPI.src` | 8 | | magic `SYPI.bin` | 8 |
//! | format version | 8 | | format version | 8 |
//! | length of the key | 8 | | digest of the key | 16 |
//! | length of the notes | 8 | | length of the binary | 8 |
//! | checksum of all but itself | 16 | | checksum of all but itself | 16 |
//! | key, notes | | | binary | |
//!
//! Numbers are little-endian. The file has exactly the length that its header states.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sycl_pi_host_process::copy_of;

use super::wire::{FieldReader, FieldWriter};
use crate::Digest;

/// Incremented with every change of the files' contents. A file of another version is a miss.
pub const FORMAT_VERSION: u64 = 1;

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Src,
    Bin,
}

impl Form {
    fn magic(self) -> [u8; 8] {
        match self {
            Form::Src => *b"SYPI.src",
            Form::Bin => *b"SYPI.bin",
        }
    }

    /// Returns the size of the header in bytes, including the checksum at its end.
    pub(super) fn head_size(self) -> usize {
        let fields = match self {
            Form::Src => 32,
            Form::Bin => 40,
        };
        fields + Digest::SIZE
    }

    /// Returns the size that the body after a header must have, in bytes.
    pub(super) fn body_size(self, head: &[u8]) -> Result<u64, Damage> {
        let mut reader = FieldReader::new(head);
        if reader.array() != Some(self.magic()) {
            return Err(if head.len() < self.head_size() { Damage::Length } else { Damage::Magic });
        }
        match reader.number() {
            Some(FORMAT_VERSION) => {}
            Some(other) => return Err(Damage::Version(other)),
            None => return Err(Damage::Length),
        }
        let size = match self {
            Form::Src => reader.number().zip(reader.number()).and_then(|(key, notes)| key.checked_add(notes)),
            Form::Bin => reader.bytes(Digest::SIZE as u64).and_then(|_| reader.number()),
        };
        size.ok_or(Damage::Length)
    }
}

/// Parses and checks a complete `.src`. Returns the key's bytes and the notes.
///
/// # Errors
/// Returns the damage.
pub fn parse_src(file: &[u8]) -> Result<(Vec<u8>, Notes), Damage> {
    let raw = FileParts::split(Form::Src, file)?;
    let (key, notes) = decode_src(&raw)?;
    Ok((copy_of(key).map_err(|_| Damage::Memory)?, notes))
}

/// Parses and checks a complete `.bin`, which must belong to the `.src` with this key. Returns the binary.
///
/// # Errors
/// Returns the damage.
pub fn parse_bin(file: &[u8], key: Digest) -> Result<Vec<u8>, Damage> {
    decode_bin(FileParts::split(Form::Bin, file)?, key)
}

/// A file that was read: header and body, with valid sizes.
#[derive(Debug)]
pub(super) struct FileParts {
    pub(super) head: Vec<u8>,
    pub(super) body: Vec<u8>,
}

/// The damage of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// It is shorter than its header, or shorter or longer than the header states.
    #[error("its length differs from its header")]
    Length,
    /// It does not start like a file of this cache.
    #[error("it is not a file of this cache")]
    Magic,
    /// There is no memory for a copy of it.
    #[error("there is no memory for a copy of it")]
    Memory,
    /// It was written by another version of this cache.
    #[error("it has format version {0}, not {FORMAT_VERSION}")]
    Version(u64),
    /// The checksum differs.
    #[error("its checksum differs: it was damaged")]
    Checksum,
    /// The checksum is right, but the fields cannot be decoded.
    #[error("its fields cannot be read")]
    Fields,
    /// The `.bin` was not built from its `.src`.
    #[error("it belongs to another .src file")]
    Pair,
}

/// The information in an item's `.src` other than the key. It is for people and is never compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Names of the kernels in the program.
    pub kernels: Vec<String>,
    /// The duration of the build.
    pub build_time: Duration,
    /// The time of the build, or `None` if the clock was before 1970.
    pub built_at: Option<SystemTime>,
}

impl Notes {
    fn encode(&self) -> Vec<u8> {
        let mut writer = FieldWriter::default();
        let at = self.built_at.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        writer.number(at.map_or(0, |at| at.as_secs()));
        writer.number(u64::try_from(self.build_time.as_micros()).unwrap_or(u64::MAX));
        writer.number(self.kernels.len() as u64);
        self.kernels.iter().for_each(|kernel| writer.field(kernel.as_bytes()));
        writer.into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = FieldReader::new(bytes);
        let (at, micros, count) = (reader.number()?, reader.number()?, reader.number()?);
        let mut kernels = Vec::new();
        for _ in 0..count {
            kernels.push(String::from_utf8_lossy(reader.field()?).into_owned());
        }
        reader.end()?;
        let built_at = UNIX_EPOCH.checked_add(Duration::from_secs(at)).filter(|_| at > 0);
        Some(Self { kernels, build_time: Duration::from_micros(micros), built_at })
    }
}

impl FileParts {
    fn split(form: Form, file: &[u8]) -> Result<Self, Damage> {
        let (head, body) = file.split_at_checked(form.head_size()).ok_or(Damage::Length)?;
        Ok(Self { head: head.to_vec(), body: copy_of(body).map_err(|_| Damage::Memory)? })
    }
}

/// Encodes a `.src`. Returns the bytes before the key, and those after it.
pub(super) fn encode_src(key: &[u8], notes: &Notes) -> (Vec<u8>, Vec<u8>) {
    let notes = notes.encode();
    let mut head = Form::Src.magic().to_vec();
    for number in [FORMAT_VERSION, key.len() as u64, notes.len() as u64] {
        head.extend_from_slice(&number.to_le_bytes());
    }
    let sum = Digest::of_parts(&[&head, key, &notes]).to_bytes();
    head.extend_from_slice(&sum);
    (head, notes)
}

/// Decodes a `.src` to the key's bytes and the notes.
pub(super) fn decode_src(file: &FileParts) -> Result<(&[u8], Notes), Damage> {
    let (key, notes) = split_src(file)?;
    Ok((key, Notes::decode(notes).ok_or(Damage::Fields)?))
}

/// Splits a `.src` into the bytes of the key and those of the notes.
pub(super) fn split_src(file: &FileParts) -> Result<(&[u8], &[u8]), Damage> {
    check(Form::Src, file)?;
    let mut reader = FieldReader::new(&file.head);
    let key_length = reader.bytes(16).and_then(|_| reader.number()).ok_or(Damage::Length)?;
    let key_length = usize::try_from(key_length).map_err(|_| Damage::Length)?;
    file.body.split_at_checked(key_length).ok_or(Damage::Length)
}

/// Encodes the header of a `.bin`, which the binary follows.
pub(super) fn encode_bin_head(key: Digest, binary: &[u8]) -> Vec<u8> {
    let mut head = Form::Bin.magic().to_vec();
    head.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    head.extend_from_slice(&key.to_bytes());
    head.extend_from_slice(&(binary.len() as u64).to_le_bytes());
    let sum = Digest::of_parts(&[&head, binary]).to_bytes();
    head.extend_from_slice(&sum);
    head
}

/// Returns the binary in a `.bin` that was built from the `.src` with this key.
pub(super) fn decode_bin(file: FileParts, key: Digest) -> Result<Vec<u8>, Damage> {
    check(Form::Bin, &file)?;
    if file.head.get(16..16 + Digest::SIZE) != Some(key.to_bytes().as_slice()) {
        return Err(Damage::Pair);
    }
    Ok(file.body)
}

/// Checks header, sizes and checksum.
fn check(form: Form, file: &FileParts) -> Result<(), Damage> {
    if form.body_size(&file.head)? != file.body.len() as u64 {
        return Err(Damage::Length);
    }
    let fields = form.head_size() - Digest::SIZE;
    let (fields, sum) = file.head.split_at_checked(fields).ok_or(Damage::Length)?;
    let right = Digest::of_parts(&[fields, &file.body]).to_bytes() == sum;
    right.then_some(()).ok_or(Damage::Checksum)
}
