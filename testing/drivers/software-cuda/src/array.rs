//! Arrays, and surfaces of them.

use std::ffi::c_uint;

use cudarc::driver::sys::*;

use crate::{Code, INVALID_HANDLE, INVALID_VALUE, context, entries, faults, put, stream};

/// An array's rows.
pub(crate) struct Array {
    shape: CUDA_ARRAY3D_DESCRIPTOR,
    bytes: Vec<u8>,
}

impl Array {
    fn pixel(&self) -> usize {
        let unit = match self.shape.Format as u32 {
            1 | 8 => 1,
            2 | 9 | 16 => 2,
            _ => 4,
        };
        unit * self.shape.NumChannels as usize
    }

    /// Start, bytes of a row, rows of a slice, bytes in all.
    ///
    /// # Safety
    ///
    /// `raw` is a live array.
    pub(crate) unsafe fn place(raw: CUarray) -> Result<(usize, usize, usize, Option<usize>), Code> {
        // SAFETY: as demanded.
        let array = unsafe { raw.cast::<Self>().as_mut() }.ok_or(INVALID_HANDLE)?;
        let row = array.shape.Width * array.pixel();
        let start = array.bytes.as_mut_ptr().expose_provenance();
        Ok((start, row, array.shape.Height.max(1), Some(array.bytes.len())))
    }
}

entries! {
    cuArray3DCreate_v2(out: *mut CUarray, shape: *const CUDA_ARRAY3D_DESCRIPTOR) {
        context::current()?;
        let mut array = Array { shape: *shape, bytes: Vec::new() };
        if array.shape.Width == 0 || ![1, 2, 4].contains(&array.shape.NumChannels) {
            return Err(INVALID_VALUE);
        }
        let pixels = array.shape.Width * array.shape.Height.max(1) * array.shape.Depth.max(1);
        array.bytes = vec![0; pixels * array.pixel()];
        faults::live(1);
        put(out, Box::into_raw(Box::new(array)).cast())
    };
    cuArray3DGetDescriptor_v2(shape: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray)
        put(shape, array.cast::<Array>().as_ref().ok_or(INVALID_HANDLE)?.shape);
    cuArrayDestroy(array: CUarray) {
        stream::finish_all();
        drop(Box::from_raw(array.cast::<Array>()));
        faults::live(-1);
        Ok(())
    };
    cuSurfObjectCreate(surface: *mut CUsurfObject, desc: *const CUDA_RESOURCE_DESC) {
        faults::live(1);
        put(surface, (*desc).res.array.hArray.expose_provenance() as u64)
    };
    cuSurfObjectDestroy(_surface: CUsurfObject) {
        faults::live(-1);
        Ok(())
    };
    cuTexObjectCreate(texture: *mut CUtexObject, desc: *const CUDA_RESOURCE_DESC, _sampling: *const CUDA_TEXTURE_DESC,
        _view: *const CUDA_RESOURCE_VIEW_DESC) {
        faults::live(1);
        put(texture, (*desc).res.array.hArray.expose_provenance() as u64)
    };
    cuTexObjectDestroy(_texture: CUtexObject) {
        faults::live(-1);
        Ok(())
    };
    cuMipmappedArrayCreate(_array: *mut CUmipmappedArray, _shape: *const CUDA_ARRAY3D_DESCRIPTOR, _levels: c_uint)
        Err(801);
}
