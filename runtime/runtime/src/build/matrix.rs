//! Joint matrices: whether a device multiplies matrices of the types and sizes that an image needs.
//!
//! Compilers write a kernel's needs as text into `SYCL/device requirements`: `joint_matrix` has items
//! `type,use,rows,columns`, and `joint_matrix_mad` has items `type,type,type,type,M,K,N`, both separated by semicolons.

use sycl_pi_image::property::Requirements;
use sycl_pi_image::{Property, Value};

/// The names of `matrix_type`, by their numbers.
const TYPES: [&str; 13] = [
    "bf16", "fp16", "tf32", "fp32", "fp64", "sint8", "sint16", "sint32", "sint64", "uint8", "uint16",
    "uint32", "uint64",
];

/// A size that a device supports: exactly this one, or any up to a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    most: u64,
    only: u64,
}

/// A multiplication that a device supports (`PI_EXT_ONEAPI_DEVICE_INFO_MATRIX_COMBINATIONS`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combination {
    /// M, N, K
    sizes: [Size; 3],
    /// The types of A, B, C and D.
    types: [u32; 4],
}

impl Combination {
    /// Reads the device's answer: six `size_t` (the greatest M, N, K; M, N, K) and four types each.
    pub(crate) fn read(bytes: &[u8]) -> Vec<Self> {
        let (all, _) = bytes.as_chunks::<64>();
        all.iter()
            .map(|one| {
                let (words, _) = one.as_chunks::<8>();
                let (halves, _) = one.as_chunks::<4>();
                let word = |at: usize| words.get(at).map_or(0, |word| u64::from_le_bytes(*word));
                let half = |at: usize| halves.get(at).map_or(0, |half| u32::from_le_bytes(*half));
                let size = |at: usize| Size { most: word(at), only: word(at + 3) };
                Self { sizes: [size(0), size(1), size(2)], types: [half(12), half(13), half(14), half(15)] }
            })
            .collect()
    }
}

impl Size {
    fn has(self, size: u64) -> bool {
        if self.most == 0 { self.only == size } else { size <= self.most }
    }
}

/// Fails with DPC++'s message for the first matrix that the device does not support.
pub(crate) fn check(needs: &Requirements, device: &[Combination]) -> Result<(), String> {
    for (name, fields) in [("joint_matrix", 4), ("joint_matrix_mad", 7)] {
        let Some(property) = needs.other.iter().find(|property| property.name == name) else { continue };
        let text = text(property);
        for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
            let parts: Vec<&str> = item.split(',').map(str::trim).collect();
            if parts.len() != fields {
                return Err(format!(
                    "{name} \"{item}\" has {} fields, where {fields} are known",
                    parts.len()
                ));
            }
            if device.is_empty() {
                return Err("no matrix hardware on the target device, joint_matrix is not supported".into());
            }
            if !device.iter().any(|combination| fits(&parts, combination)) {
                return Err(format!("{name} with parameters {item} is not supported on this device"));
            }
        }
    }
    Ok(())
}

fn fits(parts: &[&str], device: &Combination) -> bool {
    let [m, n, k] = device.sizes;
    let [a, b, c, d] = device.types;
    let number = |text: &str| text.parse::<u64>().ok();
    let has = |size: Size, text: &str| number(text).is_some_and(|wanted| size.has(wanted));
    match *parts {
        [kind, usage, rows, columns] => {
            let kind = type_number(kind);
            match usage.rsplit(':').next() {
                Some("a") => kind == Some(a) && has(m, rows) && has(k, columns),
                Some("b") => kind == Some(b) && has(k, rows) && has(n, columns),
                Some("accumulator") => {
                    (kind == Some(c) || kind == Some(d)) && has(m, rows) && has(n, columns)
                }
                _ => false,
            }
        }
        [ta, tb, tc, td, rows, inner, columns] => {
            [ta, tb, tc, td].map(type_number) == [a, b, c, d].map(Some)
                && has(m, rows)
                && has(k, inner)
                && has(n, columns)
        }
        _ => false,
    }
}

fn type_number(text: &str) -> Option<u32> {
    let name = text.rsplit(':').next().unwrap_or(text);
    TYPES.iter().position(|known| *known == name).and_then(|at| u32::try_from(at).ok())
}

/// Returns the text, without its length prefix and the terminating zero.
fn text(property: &Property<'_>) -> String {
    match &property.value {
        Value::ByteArray(bytes) => {
            let text = bytes.get(8..).unwrap_or_default();
            String::from_utf8_lossy(text).trim_end_matches('\0').to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(name: &'static str, text: &str) -> Requirements {
        let property = Property::new(name, Value::byte_array(text.as_bytes()));
        Requirements { other: vec![property], ..Requirements::default() }
    }

    /// M up to 8, N 16, K 32; sint8 times sint8 plus sint32.
    fn device() -> Vec<Combination> {
        let words = [8_u64, 0, 0, 0, 16, 32].iter().flat_map(|word| word.to_le_bytes());
        let types = [5_u32, 5, 7, 7].iter().flat_map(|kind| kind.to_le_bytes());
        Combination::read(&words.chain(types).collect::<Vec<u8>>())
    }

    #[test]
    fn what_the_device_has_is_taken() {
        let matrix = "matrix_type::sint8,use::a,8,32;matrix_type::sint8,use::b,32,16;matrix_type::sint32,use::accumulator,3,16";
        assert_eq!(check(&needs("joint_matrix", matrix), &device()), Ok(()));
        let mad = "matrix_type::sint8,matrix_type::sint8,matrix_type::sint32,matrix_type::sint32,8,32,16";
        assert_eq!(check(&needs("joint_matrix_mad", mad), &device()), Ok(()));
        assert_eq!(check(&Requirements::default(), &[]), Ok(()));
    }

    #[test]
    fn an_accumulator_has_the_type_of_the_sum_or_of_the_result() {
        let words = [8_u64, 0, 0, 0, 16, 32].iter().flat_map(|word| word.to_le_bytes());
        // fp16 times fp16 plus fp32, as fp16.
        let types = [1_u32, 1, 3, 1].iter().flat_map(|kind| kind.to_le_bytes());
        let device = Combination::read(&words.chain(types).collect::<Vec<u8>>());
        let is_there =
            |kind: &str| check(&needs("joint_matrix", &format!("{kind},accumulator,8,16")), &device).is_ok();
        assert_eq!(["fp32", "fp16", "fp64"].map(is_there), [true, true, false]);
    }

    #[test]
    fn each_side_has_the_size_of_its_own_dimension() {
        let is_there = |name: &'static str, text: &str| check(&needs(name, text), &device()).is_ok();
        let cases = [("sint8,a,8,32", true), ("sint8,a,8,16", false), ("sint8,a,32,8", false)];
        let more = [("sint8,b,32,16", true), ("sint8,b,16,32", false), ("sint32,accumulator,16,8", false)];
        for (text, wanted) in cases.into_iter().chain(more) {
            assert_eq!(is_there("joint_matrix", text), wanted, "{text}");
        }
        // A size that is the only one is no upper limit.
        assert!(!is_there("joint_matrix", "sint8,b,32,8"));
        for (sizes, wanted) in [("8,32,16", true), ("8,16,16", false), ("9,32,16", false), ("8,32,8", false)]
        {
            let text = format!("sint8,sint8,sint32,sint32,{sizes}");
            assert_eq!(is_there("joint_matrix_mad", &text), wanted, "{text}");
        }
    }

    #[test]
    fn what_it_lacks_is_refused_with_its_parameters() {
        let wide = needs("joint_matrix", "matrix_type::sint8,use::a,12,32");
        assert_eq!(
            check(&wide, &device()).unwrap_err(),
            "joint_matrix with parameters matrix_type::sint8,use::a,12,32 is not supported on this device"
        );
        assert!(check(&wide, &[]).unwrap_err().starts_with("no matrix hardware on the target device"));
        let kind = needs("joint_matrix_mad", "bf16,bf16,fp32,fp32,8,32,16");
        assert!(check(&kind, &device()).is_err());
        assert!(check(&needs("joint_matrix", "sint8,use::a,8"), &device()).unwrap_err().contains("3 fields"));
    }
}
