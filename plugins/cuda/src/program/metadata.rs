//! A program's metadata: work-group sizes and names of variables that its image declares.

use std::ffi::{CStr, CString};

use sycl_pi_backend::api::ProgramMetadata;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

/// The metadata of a device image, to the extent that this backend needs it.
#[derive(Default)]
pub(crate) struct ImageMetadata {
    /// For kernels: the required work-group size.
    required: Vec<(CString, [usize; 3])>,
    /// For kernels: the maximum number of work-items in a work-group.
    largest: Vec<(CString, usize)>,
    /// For variables: unique id and symbol.
    variables: Vec<(CString, CString)>,
}

/// Size of the prefix of byte arrays, which is their length in bits.
const LENGTH: usize = 8;

impl ImageMetadata {
    /// Reads the properties of an image.
    pub(crate) fn read(properties: &[ProgramMetadata<'_>]) -> Result<Self> {
        let mut metadata = Self::default();
        for property in properties {
            let Some(at) = property.name.iter().rposition(|byte| *byte == b'@') else { continue };
            let (name, tag) = property.name.split_at(at);
            let name = CString::new(name).unwrap_or_default();
            let payload = property.bytes.get(LENGTH..).unwrap_or_default();
            match tag {
                b"@reqd_work_group_size" => metadata.required.push((name.clone(), sizes(&name, payload)?)),
                b"@max_work_group_size" => {
                    let threads = sizes(&name, payload)?.iter().product();
                    metadata.largest.push((name, threads));
                }
                b"@max_linear_work_group_size" => {
                    let bytes = payload.get(..8).and_then(|bytes| bytes.try_into().ok());
                    if let Some(bytes) = bytes {
                        metadata.largest.push((name, u64::from_le_bytes(bytes) as usize));
                    }
                }
                b"@global_id_mapping" => {
                    let end = payload.iter().position(|byte| *byte == 0).unwrap_or(payload.len());
                    let symbol = CString::new(&payload[..end]).unwrap_or_default();
                    metadata.variables.push((name, symbol));
                }
                _ => {}
            }
        }
        Ok(metadata)
    }

    /// Returns the required work-group size of a kernel.
    pub(crate) fn required(&self, kernel: &CStr) -> Option<[usize; 3]> {
        find(&self.required, kernel).copied()
    }

    /// Returns the maximum number of threads in a kernel's work-group.
    pub(crate) fn largest(&self, kernel: &CStr) -> Option<usize> {
        find(&self.largest, kernel).copied()
    }

    /// Returns the symbol of the variable with the given unique id.
    pub(crate) fn symbol(&self, id: &CStr) -> Option<&CStr> {
        find(&self.variables, id).map(CString::as_c_str)
    }
}

fn find<'a, T>(list: &'a [(CString, T)], name: &CStr) -> Option<&'a T> {
    list.iter().find(|(known, _)| known.as_c_str() == name).map(|(_, value)| value)
}

/// Reads one to three numbers. Missing ones count as 1.
fn sizes(kernel: &CStr, payload: &[u8]) -> Result<[usize; 3]> {
    let numbers: Vec<usize> = payload
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
        .collect();
    if !(1..=3).contains(&numbers.len()) || !payload.len().is_multiple_of(4) {
        return Err(Error::new(
            ErrorCode::INVALID_WORK_GROUP_SIZE,
            format!(
                "metadata: kernel {kernel:?}: its work-group size has {} bytes; one to three numbers are possible",
                payload.len()
            ),
        ));
    }
    let mut sizes = [1; 3];
    sizes[..numbers.len()].copy_from_slice(&numbers);
    Ok(sizes)
}

impl ImageMetadata {
    /// Merges the declarations of this and another image.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.required.extend_from_slice(&other.required);
        self.largest.extend_from_slice(&other.largest);
        self.variables.extend_from_slice(&other.variables);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property<'a>(name: &'a [u8], bytes: &'a [u8]) -> ProgramMetadata<'a> {
        ProgramMetadata { name, bytes }
    }

    /// Byte arrays start with their length, in 8 bytes.
    fn words(numbers: &[u32]) -> Vec<u8> {
        [0; 8].into_iter().chain(numbers.iter().flat_map(|number| number.to_le_bytes())).collect()
    }

    #[test]
    fn kernels_and_variables_have_what_their_image_declares() {
        let (three, two) = (words(&[2, 3, 4]), words(&[5, 6]));
        let linear = [&[0; 8][..], &77_u64.to_le_bytes()].concat();
        let symbol = [&[0; 8][..], b"_Z1v\0rest"].concat();
        let read = ImageMetadata::read(&[
            property(b"one@reqd_work_group_size", &three),
            property(b"two@max_work_group_size", &two),
            property(b"three@max_linear_work_group_size", &linear),
            property(b"a@b@global_id_mapping", &symbol),
            property(b"one@unknown", &three),
            property(b"nothing", &three),
        ]);
        let read = read.unwrap();
        assert_eq!((read.required(c"one"), read.required(c"two")), (Some([2, 3, 4]), None));
        assert_eq!([c"one", c"two", c"three"].map(|name| read.largest(name)), [None, Some(30), Some(77)]);
        assert_eq!((read.symbol(c"a@b"), read.symbol(c"a")), (Some(c"_Z1v"), None));
        let other_symbol = [&[0; 8][..], b"_Z1w\0"].concat();
        let other = ImageMetadata::read(&[
            property(b"four@reqd_work_group_size", &two),
            property(b"five@max_linear_work_group_size", &linear),
            property(b"c@global_id_mapping", &other_symbol),
        ]);
        let both = read.and(&other.unwrap());
        assert_eq!((both.required(c"one"), both.required(c"four")), (Some([2, 3, 4]), Some([5, 6, 1])));
        assert_eq!((both.largest(c"three"), both.largest(c"five")), (Some(77), Some(77)));
        assert_eq!((both.symbol(c"a@b"), both.symbol(c"c")), (Some(c"_Z1v"), Some(c"_Z1w")));
    }

    #[test]
    fn work_group_sizes_have_one_to_three_numbers() {
        for (count, bytes, expected) in
            [(0, 0, false), (1, 0, true), (3, 0, true), (4, 0, false), (2, 1, false)]
        {
            let payload = [words(&vec![1; count]), vec![0; bytes]].concat();
            let read = ImageMetadata::read(&[property(b"k@reqd_work_group_size", &payload)]);
            assert_eq!(read.is_ok(), expected, "{count} numbers and {bytes} bytes");
        }
    }
}
