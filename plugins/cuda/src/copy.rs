//! Box copies between any two kinds of memory.

pub(crate) mod enqueue_copy;
pub(crate) mod pageable_copy;
pub(crate) mod rect;

use core::ffi::c_void;
use std::fmt;

use sycl_pi_backend::{Error, Result};

use crate::memory::pointer::is_device_memory;
use crate::sys::{CUDA_MEMCPY3D, CUarray, CUdeviceptr, CUmemorytype};

/// One end of a box copy.
#[derive(Clone, Copy)]
pub(crate) enum CopyEnd {
    Device {
        start: CUdeviceptr,
        row: usize,
        slice: usize,
    },
    Host {
        start: *mut c_void,
        row: usize,
        slice: usize,
    },
    /// The memory layout is determined by the array itself.
    Array(CUarray),
}

/// A box copy: the corners in (bytes, rows, slices), and its size.
pub(crate) struct BoxCopy {
    pub(crate) src: CopyEnd,
    pub(crate) src_origin: [usize; 3],
    pub(crate) dst: CopyEnd,
    pub(crate) dst_origin: [usize; 3],
    pub(crate) region: [usize; 3],
}

impl BoxCopy {
    /// Returns the driver's descriptor. Corners in memory are added to the addresses, because the driver would count
    /// them in the length of a row, which the interface does not.
    pub(crate) fn descriptor(&self) -> Result<CUDA_MEMCPY3D> {
        type Parts = (CUmemorytype, *mut c_void, CUdeviceptr, CUarray, usize, usize, [usize; 3]);
        let parts = |end: &CopyEnd, origin: [usize; 3]| -> Result<Parts> {
            let [width, height, _] = self.region;
            // Returns the offset in bytes from `start` to the corner.
            let corner = |start: usize, row: usize, slice: usize| -> Result<usize> {
                let corner = || {
                    let (rows, slices) = (origin[1].checked_mul(row)?, origin[2].checked_mul(slice)?);
                    let corner = rows.checked_add(slices)?.checked_add(origin[0])?;
                    start.checked_add(corner).map(|_| corner)
                };
                corner().ok_or_else(|| {
                    Error::invalid_value(format!("the origin or offset {origin:?} lies beyond any memory"))
                })
            };
            let pitches = |row: usize, slice: usize| -> Result<(usize, usize)> {
                let row = if row == 0 { width } else { row };
                let least = row.saturating_mul(height);
                let slice = if slice == 0 { least } else { slice };
                if row == 0 || row < width || slice < least || !slice.is_multiple_of(row) {
                    return Err(Error::invalid_value(format!(
                        "a row pitch of {row} and a slice pitch of {slice} do not suit the region or format: rows of {width} bytes, {height} to a slice: a slice \
                         is a whole number of rows"
                    )));
                }
                Ok((row, slice))
            };
            let (none, no_array) = (std::ptr::null_mut(), std::ptr::null_mut());
            Ok(match *end {
                CopyEnd::Device { start, row, slice } => {
                    let (row, slice) = pitches(row, slice)?;
                    let start = start + corner(start as usize, row, slice)? as CUdeviceptr;
                    (CUmemorytype::CU_MEMORYTYPE_DEVICE, none, start, no_array, row, slice / row, [0; 3])
                }
                CopyEnd::Host { start, row, slice } => {
                    let (row, slice) = pitches(row, slice)?;
                    let start = start.wrapping_byte_add(corner(start.addr(), row, slice)?);
                    (CUmemorytype::CU_MEMORYTYPE_HOST, start, 0, no_array, row, slice / row, [0; 3])
                }
                CopyEnd::Array(array) => (CUmemorytype::CU_MEMORYTYPE_ARRAY, none, 0, array, 0, 0, origin),
            })
        };
        let (src_type, src_host, src_device, src_array, src_pitch, src_height, src_origin) =
            parts(&self.src, self.src_origin)?;
        let (dst_type, dst_host, dst_device, dst_array, dst_pitch, dst_height, dst_origin) =
            parts(&self.dst, self.dst_origin)?;
        Ok(CUDA_MEMCPY3D {
            srcXInBytes: src_origin[0],
            srcY: src_origin[1],
            srcZ: src_origin[2],
            srcLOD: 0,
            srcMemoryType: src_type,
            srcHost: src_host.cast_const(),
            srcDevice: src_device,
            srcArray: src_array,
            reserved0: std::ptr::null_mut(),
            srcPitch: src_pitch,
            srcHeight: src_height,
            dstXInBytes: dst_origin[0],
            dstY: dst_origin[1],
            dstZ: dst_origin[2],
            dstLOD: 0,
            dstMemoryType: dst_type,
            dstHost: dst_host,
            dstDevice: dst_device,
            dstArray: dst_array,
            reserved1: std::ptr::null_mut(),
            dstPitch: dst_pitch,
            dstHeight: dst_height,
            WidthInBytes: self.region[0],
            Height: self.region[1],
            Depth: self.region[2],
        })
    }
}

/// Converts an address to the driver's type.
#[inline]
pub(crate) fn device_address(address: *const c_void) -> CUdeviceptr {
    address.expose_provenance() as CUdeviceptr
}

/// Returns one end of a copy, at an address of any kind. A context must be current.
pub(crate) fn end_at(address: *const c_void, row: usize) -> CopyEnd {
    let start = device_address(address);
    if is_device_memory(start) {
        CopyEnd::Device { start, row, slice: 0 }
    } else {
        CopyEnd::Host { start: address.cast_mut(), row, slice: 0 }
    }
}

/// Refuses a range that is not inside `total` bytes.
#[inline]
pub(crate) fn check_range(offset: usize, size: usize, total: usize, what: impl fmt::Display) -> Result<()> {
    if offset > total || size > total - offset {
        return Err(Error::outside(what, offset, size, total));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_with_the_memory_at_the_latest() {
        for (offset, size, fits) in
            [(0, 8, true), (3, 5, true), (8, 0, true), (9, 0, false), (3, 6, false), (4, usize::MAX, false)]
        {
            assert_eq!(check_range(offset, size, 8, "memory").is_ok(), fits, "{offset} {size}");
        }
    }

    #[test]
    fn corners_become_addresses_and_slices_whole_numbers_of_rows() {
        let copy = |row, slice, src_origin, region| {
            let src = CopyEnd::Device { start: 0x1000, row, slice };
            let dst = CopyEnd::Host { start: std::ptr::without_provenance_mut(0x9000), row, slice };
            BoxCopy { src, src_origin, dst, dst_origin: [0; 3], region }.descriptor()
        };
        let tight = copy(0, 0, [1, 2, 3], [16, 4, 2]).unwrap();
        assert_eq!((tight.srcPitch, tight.srcHeight, tight.srcDevice), (16, 4, 0x1000 + 1 + 2 * 16 + 3 * 64));
        assert_eq!((tight.srcXInBytes, tight.srcY, tight.srcZ, tight.dstHost.addr()), (0, 0, 0, 0x9000));
        let wide = copy(20, 100, [1, 2, 3], [16, 4, 2]).unwrap();
        assert_eq!((wide.srcPitch, wide.srcHeight, wide.srcDevice), (20, 5, 0x1000 + 1 + 2 * 20 + 3 * 100));
        assert_eq!((wide.WidthInBytes, wide.Height, wide.Depth), (16, 4, 2));
        // In order: rows as wide as the box and slices as high as it are the minimum; the slice is not a whole number
        // of rows; the box is empty; it exceeds the address space.
        assert!(copy(16, 64, [0; 3], [16, 4, 1]).is_ok());
        for (row, slice, origin, region) in [
            (15, 64, [0; 3], [16, 4, 1]),
            (16, 48, [0; 3], [16, 4, 1]),
            (16, 72, [0; 3], [16, 4, 1]),
            (0, 0, [0; 3], [0, 4, 1]),
            (16, 64, [0, usize::MAX, 0], [16, 4, 1]),
        ] {
            assert!(copy(row, slice, origin, region).is_err(), "{row} {slice} {origin:?} {region:?}");
        }
    }
}
