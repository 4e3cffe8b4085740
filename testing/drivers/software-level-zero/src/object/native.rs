//! Native binaries: the inputs of a module, and the OpenCL runtime's binary.

use crate::cl::Input;

const MAGIC: &[u8; 8] = b"\x7fSOFTZE1";

/// A module read from a native binary.
pub(crate) struct Saved {
    pub(crate) inputs: Vec<Input>,
    pub(crate) flags: String,
    pub(crate) binary: Vec<u8>,
}

/// Writes a native binary.
pub(crate) fn write(inputs: &[Input], flags: &str, binary: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let mut put = |bytes: &[u8]| {
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    };
    put(flags.as_bytes());
    put(binary);
    for input in inputs {
        put(&input.spirv);
        put(input.options.as_bytes());
        let mut constants = Vec::new();
        for (id, value) in &input.constants {
            constants.extend(id.to_le_bytes());
            constants.extend((value.len() as u32).to_le_bytes());
            constants.extend(value);
        }
        put(&constants);
    }
    out
}

/// Reads a native binary. Returns `None` if it is invalid or truncated.
pub(crate) fn read(bytes: &[u8]) -> Option<Saved> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut take = || {
        let (length, behind) = rest.split_first_chunk::<8>()?;
        let (part, behind) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = behind;
        Some(part)
    };
    let flags = String::from_utf8(take()?.to_vec()).ok()?;
    let binary = take()?.to_vec();
    let mut inputs = Vec::new();
    while let Some(spirv) = take() {
        let options = String::from_utf8(take()?.to_vec()).ok()?;
        let constants = constants(take()?)?;
        inputs.push(Input { spirv: spirv.to_vec(), options, constants });
    }
    rest.is_empty().then_some(Saved { inputs, flags, binary })
}

fn constants(mut rest: &[u8]) -> Option<Vec<(u32, Vec<u8>)>> {
    let mut constants = Vec::new();
    while !rest.is_empty() {
        let (id, behind) = rest.split_first_chunk::<4>()?;
        let (length, behind) = behind.split_first_chunk::<4>()?;
        let (value, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        constants.push((u32::from_le_bytes(*id), value.to_vec()));
        rest = behind;
    }
    Some(constants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let input = Input {
            spirv: vec![1, 2, 3, 4],
            options: "-cl-mad-enable".to_owned(),
            constants: vec![(7, vec![1, 0]), (9, vec![5])],
        };
        let bytes = write(&[input], "-g", b"binary");
        let saved = read(&bytes).unwrap();
        assert_eq!((saved.flags.as_str(), saved.binary.as_slice()), ("-g", b"binary".as_slice()));
        assert_eq!(saved.inputs[0].constants, vec![(7, vec![1, 0]), (9, vec![5])]);
        assert!(
            (0..bytes.len())
                .filter(|end| *end != bytes.len())
                .all(|end| { read(&bytes[..end]).is_none_or(|saved| saved.inputs.is_empty()) })
        );
    }
}
