//! `SYCL/specialization constants` and their default values ("Specialization constants", 3. Collecting spec constants
//! info and communicating it to DPC++ RT).

use super::bytes::{SetReader, numbers};
use crate::error::{Problem, PropertyError};
use crate::parts::{Property, Value};

/// The id of a [`Leaf`] that is padding at the end of a structure: nothing to set, but its bytes count.
pub const PADDING: u32 = u32::MAX;

/// A descriptor: a scalar in a specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Its `SpecId` in the SPIR-V module, or [`PADDING`].
    pub id: u32,
    /// Where it is in the constant, in bytes.
    pub offset: u32,
    /// How many bytes it has.
    pub size: u32,
}

impl Leaf {
    /// The first byte after it.
    pub fn end(&self) -> u64 {
        u64::from(self.offset) + u64::from(self.size)
    }
}

/// A specialization constant: a scalar, or a composite flattened depth first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    /// Its symbolic id, the property's name.
    pub name: String,
    /// Its scalars, by ascending offset.
    pub leaves: Vec<Leaf>,
    /// Where its value is in the default values and in the buffer for emulation: the sum of the sizes of all constants with
    /// smaller ids.
    pub blob_offset: u64,
}

impl SpecConstant {
    /// The size of its value in bytes, padding at the end included.
    pub fn size(&self) -> u64 {
        self.leaves.iter().map(Leaf::end).max().unwrap_or(0)
    }

    /// What to set for a value of this constant: ids with their bytes. A value that is too short gives the leaves that it
    /// has; compare its length with [`size`](Self::size) first.
    pub fn scalars<'v>(&self, value: &'v [u8]) -> impl Iterator<Item = (u32, &'v [u8])> {
        let scalars = self.leaves.iter().filter(|leaf| leaf.id != PADDING);
        scalars.filter_map(move |leaf| {
            let to = usize::try_from(leaf.end()).ok()?;
            Some((leaf.id, value.get(leaf.offset as usize..to)?))
        })
    }
}

/// The specialization constants of an image, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecConstants {
    constants: Vec<SpecConstant>,
}

impl SpecConstants {
    /// Constants in this order; each `blob_offset` is computed here, by ascending ids.
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

    /// The constants.
    pub fn iter(&self) -> std::slice::Iter<'_, SpecConstant> {
        self.constants.iter()
    }

    /// The constant of this symbolic id. Takes time in proportion to their number.
    pub fn get(&self, name: &str) -> Option<&SpecConstant> {
        self.constants.iter().find(|constant| constant.name == name)
    }

    /// The size of all values together: of the default values, and of the buffer for emulation.
    pub fn size(&self) -> u64 {
        let end = |constant: &SpecConstant| constant.blob_offset.saturating_add(constant.size());
        self.constants.iter().map(end).max().unwrap_or(0)
    }

    /// Whether there is no constant.
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }
}

/// The default values of all specialization constants, one after another without alignment between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecConstantDefaults {
    /// The property `all`.
    pub all: Option<Vec<u8>>,
    /// Properties that are not known here.
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
