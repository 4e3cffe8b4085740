//! `SYCL_DEVICE_FILTER`: comma-separated `backend:type:number` triples, in which each part is optional.

use super::device_id::DeviceId;
use super::names::{BACKENDS, device_type};
use crate::DeviceType;

/// A parsed filter of the old form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFilter {
    triples: Vec<Triple>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Triple {
    backend: Option<&'static str>,
    kind: Option<DeviceType>,
    number: Option<u32>,
    /// Whether it names the host device, which no plugin has.
    host: bool,
}

/// A filter that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SYCL_DEVICE_FILTER: in \"{triple}\": \"{word}\" is {problem}")]
pub struct DeviceFilterError {
    /// The triple.
    pub triple: String,
    /// The word in it.
    pub word: String,
    /// The problem.
    pub problem: &'static str,
}

impl DeviceFilter {
    /// Parses a filter.
    ///
    /// # Errors
    /// The error names the invalid triple and the problem.
    pub fn parse(text: &str) -> Result<Self, DeviceFilterError> {
        let triples = text.split(',').map(str::trim).filter(|triple| !triple.is_empty());
        Ok(Self { triples: triples.map(read).collect::<Result<_, _>>()? })
    }

    /// Returns whether the device is visible.
    pub fn accepts(&self, id: DeviceId<'_>) -> bool {
        self.triples.iter().any(|triple| {
            !triple.host
                && triple.backend.is_none_or(|backend| backend == id.backend)
                && triple.kind.is_none_or(|kind| kind == id.kind)
                && triple.number.is_none_or(|number| number == id.number)
        })
    }
}

fn read(text: &str) -> Result<Triple, DeviceFilterError> {
    let lower = text.to_ascii_lowercase();
    let mut triple = Triple::default();
    for (index, word) in lower.split(':').enumerate() {
        let wrong = |problem| DeviceFilterError { triple: text.into(), word: word.into(), problem };
        if index > 2 {
            return Err(wrong("one part too many; a triple is backend:type:number"));
        }
        if word == "*" {
            continue;
        }
        if word == "host" {
            triple.host = true;
        } else if let Some(backend) = BACKENDS.into_iter().find(|name| *name == word) {
            triple.backend = Some(backend);
        } else if let Some(kind) = device_type(word) {
            triple.kind = Some(kind);
        } else {
            let number = word.parse().map_err(|_| wrong("no backend, device type or number"))?;
            triple.number = Some(number);
        }
    }
    Ok(triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(filter: &str, backend: &str, kind: DeviceType, number: u32) -> bool {
        DeviceFilter::parse(filter).unwrap().accepts(DeviceId { backend, kind, number })
    }

    #[test]
    fn parts_are_optional() {
        assert!(accepts("opencl", "opencl", DeviceType::Cpu, 0));
        assert!(accepts("cpu", "opencl", DeviceType::Cpu, 0));
        assert!(accepts("opencl:cpu:0,level_zero", "opencl", DeviceType::Cpu, 0));
        assert!(accepts("*:gpu", "cuda", DeviceType::Gpu, 0));
        assert!(!accepts("opencl:gpu", "opencl", DeviceType::Cpu, 0));
        assert!(!accepts("opencl:1", "opencl", DeviceType::Cpu, 0));
        assert!(!accepts("host", "opencl", DeviceType::Cpu, 0));
    }

    #[test]
    fn errors_name_the_word() {
        let error = DeviceFilter::parse("opencl:cpu,opncl").unwrap_err();
        assert_eq!(error.word, "opncl");
        assert!(DeviceFilter::parse("opencl:cpu:0:1").is_err());
        assert!(DeviceFilter::parse("opencl::0").is_err());
    }
}
