//! Arrays, mipmaps, and their surfaces and textures, which store how they were created.

use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::sync::Mutex;

use cudarc::driver::sys::*;

use crate::{Code, INVALID_HANDLE, INVALID_VALUE, context, entries, faults, lock, put, stream};

/// The content of an array.
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

    /// Returns the start, the bytes of a row, the rows of a slice, and the bytes in all.
    ///
    /// # Safety
    ///
    /// `raw` is a live array.
    pub(crate) unsafe fn place(raw: CUarray) -> Result<(usize, usize, usize, Option<usize>), Code> {
        // SAFETY: guaranteed by the caller.
        let array = unsafe { raw.cast::<Self>().as_mut() }.ok_or(INVALID_HANDLE)?;
        let row = array.shape.Width * array.pixel();
        let start = array.bytes.as_mut_ptr().expose_provenance();
        Ok((start, row, array.shape.Height.max(1), Some(array.bytes.len())))
    }
}

/// A mipmap's levels, each half as large as the previous one.
struct Mipmap(Vec<CUarray>);

/// Creates an array.
pub(crate) fn create(shape: CUDA_ARRAY3D_DESCRIPTOR) -> Result<CUarray, Code> {
    context::current()?;
    let mut array = Array { shape, bytes: Vec::new() };
    if array.shape.Width == 0 || ![1, 2, 4].contains(&array.shape.NumChannels) {
        return Err(INVALID_VALUE);
    }
    let pixels = array.shape.Width * array.shape.Height.max(1) * array.shape.Depth.max(1);
    array.bytes = vec![0; pixels * array.pixel()];
    Ok(Box::into_raw(Box::new(array)).cast())
}

/// Creates a mipmap.
pub(crate) fn create_mipmap(
    mut shape: CUDA_ARRAY3D_DESCRIPTOR,
    levels: c_uint,
) -> Result<CUmipmappedArray, Code> {
    let mut arrays = Vec::new();
    for _ in 0..levels {
        arrays.push(create(shape)?);
        shape.Width = (shape.Width / 2).max(1);
        shape.Height = if shape.Height == 0 { 0 } else { (shape.Height / 2).max(1) };
        shape.Depth = if shape.Depth == 0 { 0 } else { (shape.Depth / 2).max(1) };
    }
    if arrays.is_empty() {
        return Err(INVALID_VALUE);
    }
    faults::live(1);
    Ok(Box::into_raw(Box::new(Mipmap(arrays))).cast())
}

/// The parameters of a surface or a texture. A surface has no sampling.
#[derive(Clone, Copy)]
struct View {
    resource: CUDA_RESOURCE_DESC,
    sampling: Option<CUDA_TEXTURE_DESC>,
}

// SAFETY: its addresses are only used as numbers here.
unsafe impl Send for View {}

static VIEWS: Mutex<(u64, BTreeMap<u64, View>)> = Mutex::new((0, BTreeMap::new()));

fn add_view(view: View) -> u64 {
    let (newest, views) = &mut *lock(&VIEWS);
    *newest += 1;
    views.insert(*newest, view);
    faults::live(1);
    *newest
}

fn view(handle: u64) -> Result<View, Code> {
    lock(&VIEWS).1.get(&handle).copied().ok_or(INVALID_VALUE)
}

/// The properties of a texture that a kernel reads.
pub(crate) struct Texture {
    pub(crate) size: [usize; 3],
    /// Whether coordinates between 0 and 1 cover the whole texture.
    pub(crate) normalized: bool,
    /// Whether reads interpolate between texels.
    pub(crate) linear: bool,
    pub(crate) texels: *const [u32; 4],
}

/// Returns the texture of a handle if its texels, in an array or a mipmap's first level, have four words.
pub(crate) fn texture(handle: u64) -> Option<Texture> {
    const NORMALIZED: c_uint = 2;
    let View { resource, sampling } = view(handle).ok()?;
    let sampling = sampling?;
    // SAFETY: the type determines the member. The client guarantees that its arrays live as long as the texture.
    let array = unsafe {
        let raw = match resource.resType {
            CUresourcetype::CU_RESOURCE_TYPE_ARRAY => resource.res.array.hArray,
            CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
                *resource.res.mipmap.hMipmappedArray.cast::<Mipmap>().as_ref()?.0.first()?
            }
            _ => return None,
        };
        raw.cast::<Array>().as_ref()?
    };
    let shape = &array.shape;
    (array.pixel() == 16).then(|| Texture {
        size: [shape.Width, shape.Height.max(1), shape.Depth.max(1)],
        normalized: sampling.flags & NORMALIZED != 0,
        linear: sampling.filterMode == CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
        texels: array.bytes.as_ptr().cast(),
    })
}

fn remove_view(handle: u64, is_texture: bool) -> Result<(), Code> {
    if view(handle)?.sampling.is_some() != is_texture {
        return Err(INVALID_VALUE);
    }
    lock(&VIEWS).1.remove(&handle);
    faults::live(-1);
    Ok(())
}

entries! {
    cuArray3DCreate_v2(out: *mut CUarray, shape: *const CUDA_ARRAY3D_DESCRIPTOR) {
        let array = create(*shape)?;
        faults::live(1);
        put(out, array)
    };
    cuArray3DGetDescriptor_v2(shape: *mut CUDA_ARRAY3D_DESCRIPTOR, array: CUarray)
        put(shape, array.cast::<Array>().as_ref().ok_or(INVALID_HANDLE)?.shape);
    cuArrayDestroy(array: CUarray) {
        stream::finish_all();
        drop(Box::from_raw(array.cast::<Array>()));
        faults::live(-1);
        Ok(())
    };
    cuSurfObjectCreate(surface: *mut CUsurfObject, desc: *const CUDA_RESOURCE_DESC)
        put(surface, add_view(View { resource: *desc, sampling: None }));
    cuSurfObjectDestroy(surface: CUsurfObject) remove_view(surface, false);
    cuSurfObjectGetResourceDesc(desc: *mut CUDA_RESOURCE_DESC, surface: CUsurfObject) put(desc, view(surface)?.resource);
    cuTexObjectCreate(texture: *mut CUtexObject, desc: *const CUDA_RESOURCE_DESC, sampling: *const CUDA_TEXTURE_DESC,
        _view: *const CUDA_RESOURCE_VIEW_DESC)
        put(texture, add_view(View { resource: *desc, sampling: Some(*sampling) }));
    cuTexObjectDestroy(texture: CUtexObject) remove_view(texture, true);
    cuTexObjectGetResourceDesc(desc: *mut CUDA_RESOURCE_DESC, texture: CUtexObject) put(desc, view(texture)?.resource);
    cuTexObjectGetTextureDesc(sampling: *mut CUDA_TEXTURE_DESC, texture: CUtexObject)
        put(sampling, view(texture)?.sampling.ok_or(INVALID_VALUE)?);
    cuMipmappedArrayCreate(mipmap: *mut CUmipmappedArray, shape: *const CUDA_ARRAY3D_DESCRIPTOR, levels: c_uint)
        put(mipmap, create_mipmap(*shape, levels)?);
    cuMipmappedArrayGetLevel(array: *mut CUarray, mipmap: CUmipmappedArray, level: c_uint) {
        let Mipmap(levels) = mipmap.cast::<Mipmap>().as_ref().ok_or(INVALID_HANDLE)?;
        put(array, *levels.get(level as usize).ok_or(INVALID_VALUE)?)
    };
    cuMipmappedArrayDestroy(mipmap: CUmipmappedArray) {
        stream::finish_all();
        let Mipmap(levels) = *Box::from_raw(mipmap.cast::<Mipmap>());
        levels.into_iter().for_each(|array| drop(Box::from_raw(array.cast::<Array>())));
        faults::live(-1);
        Ok(())
    };
}
