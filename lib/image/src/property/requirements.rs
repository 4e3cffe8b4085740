//! `SYCL/device requirements` ("Behavior for optional kernel features", Create the "SYCL/device requirements" property
//! set): what a device must support to run an image.
//!
//! The design document and the compilers differ in names and layout. Both forms are read:
//!
//! | design | compilers |
//! | --- | --- |
//! | `aspect`: numbers | `aspects`: numbers, present even if empty |
//! | `reqd_sub_group_size`: byte array of numbers | `reqd_sub_group_size`: byte array, or one number (type 1) |
//! | `reqd_work_group_size`: entries of a count of dimensions and the dimensions, as in the attribute | up to 2023.1 `reqd_work_group_size`: the dimensions as 4-byte numbers; later `reqd_work_group_size_uint64_t` with 8-byte numbers; fastest dimension first, padded with 1; `work_group_num_dim` (type 1) gives the number of meaningful dimensions |
//! | `fixed_target`: numbers | the same |
//!
//! DPC++ 2023.2 writes an empty `reqd_work_group_size` if a kernel requires no size.

use super::bytes::{Field, SetReader, long_numbers, numbers};
use crate::error::{Problem, PropertyError};
use crate::parts::{Property, Value};

/// A required work-group size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkGroupSize {
    /// One to three dimensions, in their stored order.
    pub dimensions: Vec<u64>,
}

impl WorkGroupSize {
    /// Returns the number of work-items, or `None` if it overflows.
    pub fn work_items(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))
    }
}

/// The encoding of required work-group sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkGroupSpelling {
    /// `reqd_work_group_size_uint64_t`: 8-byte numbers, fastest dimension first.
    #[default]
    Uint64,
    /// `reqd_work_group_size` of compilers up to 2023.1: 4-byte numbers, fastest dimension first.
    Uint32,
    /// `reqd_work_group_size` of the design document, in which each size follows its number of dimensions, in the
    /// attribute's order.
    Counted,
}

/// The features that a device must support to run an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// `aspects`, or `aspect` in the design document: the aspects that the device must have.
    pub aspects: Option<Vec<u32>>,
    /// Whether the aspects are stored under the design document's name, `aspect`.
    pub design_spelling: bool,
    /// `fixed_target`: the aspects of the only devices that the image supports.
    pub fixed_targets: Option<Vec<u32>>,
    /// Required work-group sizes; compilers write at most one.
    pub work_group_sizes: Option<Vec<WorkGroupSize>>,
    /// The encoding of the work-group sizes.
    pub work_group_spelling: WorkGroupSpelling,
    /// `reqd_sub_group_size`: sub-group sizes that the device must support.
    pub sub_group_sizes: Option<Vec<u32>>,
    /// Whether the sub-group sizes are stored as one number of type 1.
    pub sub_group_number: bool,
    /// `work_group_num_dim`: the number of meaningful dimensions of a required work-group size.
    pub work_group_num_dim: Option<u32>,
    /// Unknown properties, such as `joint_matrix`.
    pub other: Vec<Property<'static>>,
}

impl Requirements {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut found = Self::default();
        let by_compiler = set.properties().any(|field| field.name() == "aspects");
        for field in set.properties() {
            match field.name() {
                "aspects" => found.aspects = Some(field.numbers()?),
                "aspect" if by_compiler => return Err(field.value("stands beside \"aspects\"")),
                "aspect" => {
                    found.design_spelling = true;
                    found.aspects = Some(field.numbers()?);
                }
                "fixed_target" => found.fixed_targets = Some(field.numbers()?),
                "reqd_sub_group_size" => {
                    let sizes = if field.is_number() { vec![field.number()?] } else { field.numbers()? };
                    // No size is required.
                    if sizes == [0] {
                        found.other.push(field.owned()?);
                        continue;
                    }
                    if sizes.contains(&0) {
                        return Err(field.value("has a sub-group size of 0"));
                    }
                    found.sub_group_number = field.is_number();
                    found.sub_group_sizes = Some(sizes);
                }
                "reqd_work_group_size" | "reqd_work_group_size_uint64_t"
                    if found.work_group_sizes.is_some() =>
                {
                    return Err(field.value("is the second required work-group size"));
                }
                "reqd_work_group_size_uint64_t" => {
                    found.work_group_sizes = Some(one_size(&field, field.long_numbers()?)?);
                }
                "reqd_work_group_size" => {
                    let words = field.numbers()?;
                    let entries = if by_compiler { None } else { counted(&words) };
                    found.work_group_spelling = match entries {
                        Some(_) => WorkGroupSpelling::Counted,
                        None => WorkGroupSpelling::Uint32,
                    };
                    let words = words.into_iter().map(u64::from).collect();
                    found.work_group_sizes = Some(match entries {
                        Some(sizes) => sizes,
                        None => one_size(&field, words)?,
                    });
                }
                "work_group_num_dim" => {
                    let count = field.number()?;
                    // No work-group size is required.
                    if count == 0 {
                        found.other.push(field.owned()?);
                        continue;
                    }
                    if !(1..=3).contains(&count) {
                        return Err(field.value(format!("is {count}; a work-group has 1 to 3 dimensions")));
                    }
                    found.work_group_num_dim = Some(count);
                }
                _ => found.other.push(field.owned()?),
            }
        }
        Ok(found)
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let mut properties = Vec::new();
        if let Some(aspects) = &self.aspects {
            let name = if self.design_spelling { "aspect" } else { "aspects" };
            properties.push(Property::new(name, numbers(aspects)));
        }
        if let Some(targets) = &self.fixed_targets {
            properties.push(Property::new("fixed_target", numbers(targets)));
        }
        if let Some(sizes) = &self.work_group_sizes {
            properties.push(self.encode_work_group_sizes(sizes));
        }
        if let Some(sizes) = &self.sub_group_sizes {
            let value = match sizes.as_slice() {
                &[size] if self.sub_group_number => Value::Uint32(size),
                sizes => numbers(sizes),
            };
            properties.push(Property::new("reqd_sub_group_size", value));
        }
        if let Some(count) = self.work_group_num_dim {
            properties.push(Property::new("work_group_num_dim", Value::Uint32(count)));
        }
        properties.extend(self.other.iter().cloned());
        properties
    }

    fn encode_work_group_sizes(&self, sizes: &[WorkGroupSize]) -> Property<'static> {
        let all = || sizes.iter().flat_map(|size| size.dimensions.iter().copied());
        let short = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
        match self.work_group_spelling {
            WorkGroupSpelling::Uint64 => {
                Property::new("reqd_work_group_size_uint64_t", long_numbers(&all().collect::<Vec<u64>>()))
            }
            WorkGroupSpelling::Uint32 => {
                Property::new("reqd_work_group_size", numbers(&all().map(short).collect::<Vec<u32>>()))
            }
            WorkGroupSpelling::Counted => {
                let entries = sizes.iter().flat_map(|size| {
                    let count = size.dimensions.len() as u32;
                    std::iter::once(count).chain(size.dimensions.iter().map(|&size| short(size)))
                });
                Property::new("reqd_work_group_size", numbers(&entries.collect::<Vec<u32>>()))
            }
        }
    }

    /// Returns the required work-group sizes in the order of the SYCL attribute, with only the meaningful dimensions.
    pub fn work_group_sizes_in_sycl_order(&self) -> Vec<Vec<u64>> {
        let in_order = |size: &WorkGroupSize| {
            let mut dimensions = size.dimensions.clone();
            if self.work_group_spelling != WorkGroupSpelling::Counted {
                if let Some(count) = self.work_group_num_dim {
                    dimensions.truncate(count as usize);
                }
                dimensions.reverse();
            }
            dimensions
        };
        self.work_group_sizes.iter().flatten().map(in_order).collect()
    }
}

/// Checks that the value is one size of one to three nonzero dimensions, or no size.
fn one_size(field: &Field<'_>, dimensions: Vec<u64>) -> Result<Vec<WorkGroupSize>, PropertyError> {
    if dimensions.is_empty() {
        return Ok(Vec::new());
    }
    if !(1..=3).contains(&dimensions.len()) {
        let wanted = "a work-group size has 1 to 3 dimensions";
        return Err(field.error(Problem::Size { bytes: field.data()?.len(), wanted }));
    }
    if dimensions.contains(&0) {
        return Err(field.value("has a dimension of 0"));
    }
    Ok(vec![WorkGroupSize { dimensions }])
}

/// Decodes the design document's entries, or returns `None` if the words are not in that form.
fn counted(mut words: &[u32]) -> Option<Vec<WorkGroupSize>> {
    let mut sizes = Vec::new();
    while let Some((&count, rest)) = words.split_first() {
        let (dimensions, rest) = rest.split_at_checked(count as usize)?;
        if !(1..=3).contains(&count) || dimensions.contains(&0) {
            return None;
        }
        sizes.push(WorkGroupSize { dimensions: dimensions.iter().map(|&size| size.into()).collect() });
        words = rest;
    }
    (!sizes.is_empty()).then_some(sizes)
}
