//! Index spaces and rectangles, decoded.

/// An index space of 1 to 3 dimensions. All given slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct NdRange<'a> {
    /// Global offset; zero if absent.
    pub offset: Option<&'a [usize]>,
    /// Global size.
    pub global: &'a [usize],
    /// Work-group size; chosen by the driver if absent.
    pub local: Option<&'a [usize]>,
}

impl NdRange<'_> {
    /// Returns the number of dimensions, 1 to 3.
    #[inline(always)]
    pub fn dims(&self) -> u32 {
        self.global.len() as u32
    }
}

/// An owned index space.
#[derive(Clone, Copy, Debug)]
pub struct OwnedRange {
    dims: usize,
    offset: Option<[usize; 3]>,
    global: [usize; 3],
    local: Option<[usize; 3]>,
}

impl OwnedRange {
    /// Copies an index space.
    pub fn new(range: NdRange<'_>) -> Self {
        let three = |list: &[usize]| {
            let mut all = [0; 3];
            all.iter_mut().zip(list).for_each(|(to, from)| *to = *from);
            all
        };
        Self {
            dims: range.global.len().min(3),
            offset: range.offset.map(three),
            global: three(range.global),
            local: range.local.map(three),
        }
    }

    /// Returns a view of the index space.
    pub fn view(&self) -> NdRange<'_> {
        fn lend(list: &Option<[usize; 3]>, dims: usize) -> Option<&[usize]> {
            list.as_ref().map(|list| &list[..dims])
        }
        NdRange {
            offset: lend(&self.offset, self.dims),
            global: &self.global[..self.dims],
            local: lend(&self.local, self.dims),
        }
    }
}

/// A box in each of two memories. x is in bytes, y in rows and z in slices. Pitches are in bytes; 0 means that the
/// pitch is computed from the region.
#[derive(Clone, Copy, Debug)]
pub struct Rect<'a> {
    /// Corner in the first memory, which is the buffer or the source of a copy.
    pub first_origin: &'a [usize; 3],
    /// Corner in the second memory, which is host memory or the destination of a copy.
    pub second_origin: &'a [usize; 3],
    /// Width in bytes, height in rows, depth in slices.
    pub region: &'a [usize; 3],
    /// Bytes from row to row in the first memory.
    pub first_row_pitch: usize,
    /// Bytes from slice to slice in the first memory.
    pub first_slice_pitch: usize,
    /// Bytes from row to row in the second memory.
    pub second_row_pitch: usize,
    /// Bytes from slice to slice in the second memory.
    pub second_slice_pitch: usize,
}
