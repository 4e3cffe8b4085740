//! Ranges of work-items.

use crate::error::{Error, Result};

/// A `sycl::nd_range` of one to three dimensions in SYCL's order, in which the last dimension is the fastest.
///
/// ```
/// use sycl_pi_runtime::NdRange;
/// let range = NdRange::new(&[64, 32])?.with_local_size(&[8, 8])?;
/// assert_eq!((range.global(), range.local()), (&[64, 32][..], Some(&[8, 8][..])));
/// let error = NdRange::linear(65).with_local_size(&[16]).unwrap_err();
/// assert_eq!(error.to_string(), "groups of 16 do not divide 65 work-items in [65]");
/// # Ok::<(), sycl_pi_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdRange {
    dimensions: u8,
    global: [usize; 3],
    local: Option<[usize; 3]>,
    offset: Option<[usize; 3]>,
}

impl NdRange {
    /// Creates a range of one to three dimensions; the driver chooses the group sizes.
    ///
    /// # Errors
    /// Fails with errc::nd_range unless there are one to three dimensions.
    pub fn new(global: &[usize]) -> Result<Self> {
        Ok(Self { dimensions: global.len() as u8, global: padded(global)?, local: None, offset: None })
    }

    /// Creates a range of one work-item.
    pub const fn single() -> Self {
        Self { dimensions: 1, global: [1, 1, 1], local: None, offset: None }
    }

    /// Creates a range of one dimension.
    pub const fn linear(global: usize) -> Self {
        Self { dimensions: 1, global: [global, 1, 1], local: None, offset: None }
    }

    /// Sets the group size.
    ///
    /// # Errors
    /// Fails with errc::nd_range if the number of dimensions differs, or if a size is 0 or does not divide the range's.
    pub fn with_local_size(mut self, local: &[usize]) -> Result<Self> {
        if local.len() != usize::from(self.dimensions) {
            let text = format!("{local:?} has other dimensions than {:?}", self.global());
            return Err(Error::NdRange(text));
        }
        let local = padded(local)?;
        for (global, local) in self.global.iter().zip(local) {
            if local == 0 || !global.is_multiple_of(local) {
                return Err(Error::NdRange(format!(
                    "groups of {local} do not divide {global} work-items in {:?}",
                    self.global()
                )));
            }
        }
        self.local = Some(local);
        Ok(self)
    }

    /// Sets the offset of the first work-item.
    ///
    /// # Errors
    /// Fails with errc::nd_range if the number of dimensions differs.
    pub fn with_offset(mut self, offset: &[usize]) -> Result<Self> {
        if offset.len() != usize::from(self.dimensions) {
            let text = format!("{offset:?} has other dimensions than {:?}", self.global());
            return Err(Error::NdRange(text));
        }
        let mut padded = [0; 3];
        padded.iter_mut().zip(offset).for_each(|(to, from)| *to = *from);
        self.offset = Some(padded);
        Ok(self)
    }

    /// Returns the number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.dimensions.into()
    }

    /// Returns the number of work-items in each dimension.
    pub fn global(&self) -> &[usize] {
        self.global.get(..self.dimensions()).unwrap_or(&self.global)
    }

    /// Returns the group size in each dimension, if it is set.
    pub fn local(&self) -> Option<&[usize]> {
        self.local.as_ref().map(|local| local.get(..self.dimensions()).unwrap_or(local))
    }

    pub(crate) fn in_driver_order(&self) -> ([usize; 3], Option<[usize; 3]>, Option<[usize; 3]>) {
        let reversed = |mut sizes: [usize; 3]| {
            if let Some(used) = sizes.get_mut(..usize::from(self.dimensions)) {
                used.reverse();
            }
            sizes
        };
        (reversed(self.global), self.local.map(reversed), self.offset.map(reversed))
    }
}

fn padded(sizes: &[usize]) -> Result<[usize; 3]> {
    match *sizes {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(Error::NdRange(format!("{sizes:?} does not have one to three dimensions"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes_must_divide() {
        assert!(NdRange::linear(64).with_local_size(&[16]).is_ok());
        let error = NdRange::linear(65).with_local_size(&[16]).unwrap_err();
        assert_eq!(error.to_string(), "groups of 16 do not divide 65 work-items in [65]");
        assert!(NdRange::linear(64).with_local_size(&[0]).is_err());
        assert!(NdRange::linear(64).with_local_size(&[8, 8]).is_err());
        assert!(NdRange::new(&[]).is_err());
        assert!(NdRange::new(&[1, 2, 3, 4]).is_err());
    }

    #[test]
    fn the_drivers_order_is_the_other_way_round() {
        let range = NdRange::new(&[2, 4]).unwrap().with_local_size(&[1, 2]).unwrap();
        assert_eq!(range.in_driver_order(), ([4, 2, 1], Some([2, 1, 1]), None));
    }

    #[test]
    fn an_offset_turns_with_the_sizes() {
        let flat = NdRange::new(&[2, 4]).unwrap().with_offset(&[8, 16]).unwrap();
        assert_eq!(flat.in_driver_order(), ([4, 2, 1], None, Some([16, 8, 0])));
        let deep = NdRange::new(&[2, 4, 6]).unwrap().with_offset(&[1, 3, 5]).unwrap();
        assert_eq!(deep.in_driver_order(), ([6, 4, 2], None, Some([5, 3, 1])));
        for offset in [&[1][..], &[1, 3, 5]] {
            let error = NdRange::new(&[2, 4]).unwrap().with_offset(offset).unwrap_err();
            assert_eq!(error.to_string(), format!("{offset:?} has other dimensions than [2, 4]"));
            assert_eq!(error.kind(), crate::ErrorKind::NdRange);
        }
    }
}
