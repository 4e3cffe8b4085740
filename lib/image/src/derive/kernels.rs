//! The properties of kernels that their code shows.

use crate::property::{MetadataEntry, MetadataValue};
use crate::spirv::{EntryPoint, ExecutionMode, Reflection};

/// The properties of a kernel that its code shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KernelUses {
    pub(super) name: String,
    /// `LocalSize`
    pub(super) work_group_size: Option<Vec<u32>>,
    /// `MaxWorkgroupSizeINTEL`
    max_work_group_size: Option<Vec<u32>>,
    /// `SubgroupSize`
    pub(super) sub_group_size: Option<u32>,
    /// The number of dimensions of the sizes.
    pub(super) dimensions: Option<u32>,
    /// The number of registers per thread that the source requests.
    pub(super) registers: Option<u32>,
}

impl KernelUses {
    pub(super) fn new(entry: &EntryPoint, reflection: &Reflection) -> Self {
        let size = |number| entry.mode(number).filter(|size| size.len() == 3).map(<[u32]>::to_vec);
        let work_group_size = size(ExecutionMode::LocalSize).or_else(|| size(ExecutionMode::LocalSizeId));
        let max_work_group_size = size(ExecutionMode::MaxWorkgroupSizeINTEL);
        let hint = size(ExecutionMode::LocalSizeHint);
        let any = work_group_size.as_ref().or(max_work_group_size.as_ref()).or(hint.as_ref());
        // The code always has three dimensions; trailing ones of size 1 are, or may be, padding.
        let dimensions =
            any.map(|size| size.iter().rposition(|&size| size != 1).map_or(1, |last| last as u32 + 1));
        let texts = reflection.semantics.iter().filter(|(id, _)| *id == entry.id);
        let threads =
            texts.filter_map(|(_, text)| text.strip_prefix("num-thread-per-eu ")?.parse::<u32>().ok());
        Self {
            name: entry.name.clone(),
            work_group_size,
            max_work_group_size,
            sub_group_size: entry.mode(ExecutionMode::SubgroupSize).and_then(|size| size.first().copied()),
            dimensions,
            registers: threads.into_iter().find_map(registers),
        }
    }

    pub(super) fn metadata(&self) -> impl Iterator<Item = MetadataEntry> + '_ {
        let sub_group = self.sub_group_size.map(|size| ("reqd_sub_group_size", MetadataValue::Number(size)));
        let size =
            self.work_group_size.clone().map(|size| ("reqd_work_group_size", MetadataValue::Sizes(size)));
        let dimensions = self.dimensions.map(|count| ("work_group_num_dim", MetadataValue::Number(count)));
        let most =
            self.max_work_group_size.clone().map(|size| ("max_work_group_size", MetadataValue::Sizes(size)));
        let facts = [sub_group, size, dimensions, most].into_iter().flatten();
        facts.map(|(tag, value)| MetadataEntry { subject: self.name.clone(), tag: Some(tag.into()), value })
    }
}

/// Returns the registers per thread if this many threads share an execution unit.
fn registers(threads: u32) -> Option<u32> {
    const OF_A_UNIT: u32 = 1024;
    if threads == 0 {
        return Some(0);
    }
    [4, 8].contains(&threads).then_some(OF_A_UNIT / threads)
}

/// Returns the value that all kernels agree on, or `None` if some lack it or differ.
pub(super) fn agreed<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}
