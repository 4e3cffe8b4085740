//! `SYCL/specialization constants` and their default values ("Specialization constants", 3. Collecting spec constants
//! info and communicating it to DPC++ RT).

use super::bytes::{SetReader, numbers};
use crate::error::{Problem, PropertyError};
use crate::parts::{Property, Value};

/// The id of a [`Leaf`] that is padding at the end of a structure. There is nothing to set, but its bytes count.
pub const PADDING: u32 = u32::MAX;

/// A descriptor, which is one scalar of a specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Its `SpecId` in the SPIR-V module, or [`PADDING`].
    pub id: u32,
    /// Its offset in the constant, in bytes.
    pub offset: u32,
    /// Its size in bytes.
    pub size: u32,
}

impl Leaf {
    /// Returns the offset of the first byte after it.
    pub fn end(&self) -> u64 {
        u64::from(self.offset) + u64::from(self.size)
    }
}

/// A specialization constant: a scalar, or a composite that is flattened depth first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    /// Its symbolic id, the property's name.
    pub name: String,
    /// Its scalars, in ascending order of their offsets.
    pub leaves: Vec<Leaf>,
    /// The offset of its value in the default values and in the emulation buffer: the sum of the sizes of all constants
    /// with smaller ids.
    pub blob_offset: u64,
}

impl SpecConstant {
    /// Returns the size of its value in bytes, including padding at the end.
    pub fn size(&self) -> u64 {
        self.leaves.iter().map(Leaf::end).max().unwrap_or(0)
    }

    /// Returns the ids and bytes to set for a value of this constant. If the value is too short, only the leaves that
    /// it covers are returned; compare its length with [`size`](Self::size) first.
    pub fn scalars<'v>(&self, value: &'v [u8]) -> impl Iterator<Item = (u32, &'v [u8])> {
        let scalars = self.leaves.iter().filter(|leaf| leaf.id != PADDING);
        scalars.filter_map(move |leaf| {
            let to = usize::try_from(leaf.end()).ok()?;
            Some((leaf.id, value.get(leaf.offset as usize..to)?))
        })
    }
}

/// The specialization constants of an image, in the image's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecConstants {
    constants: Vec<SpecConstant>,
}

impl SpecConstants {
    /// Stores constants in this order and computes each `blob_offset` in ascending order of the ids.
    pub fn new(constants: impl IntoIterator<Item = (String, Vec<Leaf>)>) -> Self {
        let constant = |(name, leaves)| SpecConstant { name, leaves, blob_offset: 0 };
        let mut constants: Vec<SpecConstant> = constants.into_iter().map(constant).collect();
        let mut by_id: Vec<&mut SpecConstant> = constants.iter_mut().collect();
        by_id.sort_by_cached_key(|constant| constant.leaves.iter().map(|leaf| leaf.id).min());
        let mut blob_offset = 0_u64;
        for constant in by_id {
            constant.blob_offset = blob_offset;
            blob_offset = blob_offset.saturating_add(constant.size());
        }
        Self { constants }
    }

    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut constants = Vec::new();
        let mut ids = std::collections::HashSet::new();
        for field in set.properties() {
            let words = field.numbers()?;
            let (triples, rest) = words.as_chunks::<3>();
            if triples.is_empty() || !rest.is_empty() {
                let wanted = "descriptors of 12 bytes (id, offset, size) were expected";
                return Err(field.error(Problem::Size { bytes: words.len() * 4, wanted }));
            }
            let mut leaves: Vec<Leaf> = Vec::with_capacity(triples.len());
            for &[id, offset, size] in triples {
                let leaf = Leaf { id, offset, size };
                let free = leaves.last().map_or(0, Leaf::end);
                if size == 0 {
                    return Err(field.value(format!("the scalar at offset {offset} has size 0")));
                }
                if u64::from(offset) < free {
                    return Err(
                        field.value(format!("the scalar at offset {offset} overlaps the one before it"))
                    );
                }
                if leaf.end() > u64::from(u32::MAX) {
                    return Err(field.value(format!("offset {offset} and size {size} are beyond 4 GiB")));
                }
                if id != PADDING && !ids.insert(id) {
                    return Err(field.value(format!("id {id} is used twice")));
                }
                leaves.push(leaf);
            }
            constants.push((field.name().to_owned(), leaves));
        }
        Ok(Self::new(constants))
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let property = |constant: &SpecConstant| {
            let words = constant.leaves.iter().flat_map(|leaf| [leaf.id, leaf.offset, leaf.size]);
            Property::new(constant.name.clone(), numbers(&words.collect::<Vec<u32>>()))
        };
        self.constants.iter().map(property).collect()
    }

    /// Iterates over the constants.
    pub fn iter(&self) -> std::slice::Iter<'_, SpecConstant> {
        self.constants.iter()
    }

    /// Returns the constant with this symbolic id. Takes time proportional to the number of constants.
    pub fn get(&self, name: &str) -> Option<&SpecConstant> {
        self.constants.iter().find(|constant| constant.name == name)
    }

    /// Returns the size in bytes of all values together, which is that of the default values and of the emulation
    /// buffer.
    pub fn size(&self) -> u64 {
        let end = |constant: &SpecConstant| constant.blob_offset.saturating_add(constant.size());
        self.constants.iter().map(end).max().unwrap_or(0)
    }

    /// Returns whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }
}

/// The default values of all specialization constants, consecutive and without alignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecConstantDefaults {
    /// The property `all`.
    pub all: Option<Vec<u8>>,
    /// Unknown properties.
    pub other: Vec<Property<'static>>,
}

impl SpecConstantDefaults {
    pub(super) fn decode(set: &SetReader<'_>) -> Result<Self, PropertyError> {
        let mut defaults = Self::default();
        for field in set.properties() {
            match field.name() {
                "all" => defaults.all = Some(field.copy(field.data()?)?),
                _ => defaults.other.push(field.owned()?),
            }
        }
        Ok(defaults)
    }

    pub(super) fn encode(&self) -> Vec<Property<'static>> {
        let all = self.all.iter().map(|all| Property::new("all", Value::byte_array(all)));
        all.chain(self.other.iter().cloned()).collect()
    }
}
