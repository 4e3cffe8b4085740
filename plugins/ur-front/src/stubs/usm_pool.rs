//! Pools of unified shared memory.

use sycl_pi_backend::{Counted, Shared};

use super::prelude::*;
use crate::handle::{Handle, Reference};
use crate::pool::Pool;

#[entry]
pub unsafe extern "C" fn urUSMPoolCreate<B: Backend>(
    hContext: ur_context_handle_t, pPoolDesc: *mut ur_usm_pool_desc_t, ppPool: *mut ur_usm_pool_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pPoolDesc` is null or what its type says.
    let desc = unsafe { value(pPoolDesc, "pPoolDesc")? };
    // SAFETY: `ppPool` is null or writable.
    unsafe { put(ppPool, "ppPool", || create_pool::<B>(context, desc)) }
}

#[entry]
pub unsafe extern "C" fn urUSMPoolRetain<B: Backend>(pPool: ur_usm_pool_handle_t) -> Result<()> {
    // SAFETY: `pPool` is null or a live handle.
    unsafe { counted::<Pool<B>>(pPool, "pPool")? }.retain();
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urUSMPoolRelease<B: Backend>(pPool: ur_usm_pool_handle_t) -> Result<()> {
    // SAFETY: `pPool` is null or a live handle.
    unsafe { counted::<Pool<B>>(pPool, "pPool")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urUSMPoolGetInfo<B: Backend>(
    hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hPool` is null or a live handle.
    let pool = unsafe { counted::<Pool<B>>(hPool, "hPool")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    pool_info(pool, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urUSMPoolCreateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pPoolDesc: *mut ur_usm_pool_desc_t,
    pPool: *mut ur_usm_pool_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    unsafe { of_backend::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: `pPoolDesc` is null or what its type says.
    let desc = unsafe { value(pPoolDesc, "pPoolDesc")? };
    // SAFETY: `pPool` is null or writable.
    unsafe { put(pPool, "pPool", || create_pool::<B>(context, desc)) }
}

#[entry]
pub unsafe extern "C" fn urUSMPoolDestroyExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { of_context::<B>(hContext, hDevice)? };
    // SAFETY: `hPool` is null or a live handle.
    unsafe { counted::<Pool<B>>(hPool, "hPool")?.release() };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urUSMPoolSetThresholdExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t,
    newThreshold: usize,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { of_context::<B>(hContext, hDevice)? };
    // SAFETY: `hPool` is null or a live handle.
    unsafe { counted::<Pool<B>>(hPool, "hPool")? }.set_threshold(newThreshold)
}

#[entry]
pub unsafe extern "C" fn urUSMPoolGetInfoExp<B: Backend>(
    hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hPool` is null or a live handle.
    let pool = unsafe { counted::<Pool<B>>(hPool, "hPool")? };
    // The caller has room for the value that it queries: eight bytes, or four for a reference count.
    let room = match propName {
        _ if pPropValue.is_null() => 0,
        UR_USM_POOL_INFO_REFERENCE_COUNT => 4,
        _ => 8,
    };
    // SAFETY: the answer's buffer has the size that the caller states.
    pool_info(pool, propName, unsafe { Answer::new(room, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urUSMPoolSetInfoExp<B: Backend>(
    hPool: ur_usm_pool_handle_t, propName: ur_usm_pool_info_t, pPropValue: *mut c_void, propSize: usize,
) -> Result<()> {
    // SAFETY: `hPool` is null or a live handle.
    let pool = unsafe { counted::<Pool<B>>(hPool, "hPool")? };
    // SAFETY: `pPropValue` is null or has `propSize` bytes.
    let bytes = unsafe { bytes(propSize, pPropValue, "pPropValue")? };
    match propName {
        UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP => {
            let threshold = <[u8; 8]>::try_from(bytes).map(usize::from_ne_bytes);
            let wrong = |_| {
                error(UR_RESULT_ERROR_INVALID_SIZE, format!("propSize is {propSize}, the value has 8 bytes"))
            };
            pool.set_threshold(threshold.map_err(wrong)?)
        }
        UR_USM_POOL_INFO_RESERVED_HIGH_EXP | UR_USM_POOL_INFO_USED_HIGH_EXP => {
            pool.reset_high(propName == UR_USM_POOL_INFO_USED_HIGH_EXP);
            Ok(())
        }
        _ => Err(unknown_query(propName, true)),
    }
}

#[entry]
pub unsafe extern "C" fn urUSMPoolTrimToExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hPool: ur_usm_pool_handle_t,
    minBytesToKeep: usize,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { of_context::<B>(hContext, hDevice)? };
    // SAFETY: `hPool` is null or a live handle.
    unsafe { counted::<Pool<B>>(hPool, "hPool")? }.trim(minBytesToKeep)
}

#[entry]
pub unsafe extern "C" fn urUSMPoolGetDefaultDevicePoolExp<B: Backend>(
    _hContext: ur_context_handle_t, _hDevice: ur_device_handle_t, _pPool: *mut ur_usm_pool_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urUSMPoolSetDevicePoolExp<B: Backend>(
    _hContext: ur_context_handle_t, _hDevice: ur_device_handle_t, _hPool: ur_usm_pool_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

#[entry]
pub unsafe extern "C" fn urUSMPoolGetDevicePoolExp<B: Backend>(
    _hContext: ur_context_handle_t, _hDevice: ur_device_handle_t, _pPool: *mut ur_usm_pool_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

/// # Safety
///
/// The structures chained to `desc` must match their types.
unsafe fn create_pool<B: Backend>(
    context: &Handle<B::Context>, desc: &ur_usm_pool_desc_t,
) -> Result<ur_usm_pool_handle_t> {
    known_flags(desc.flags, !UR_USM_POOL_FLAGS_MASK, "pPoolDesc->flags")?;
    let limits =
        // SAFETY: guaranteed by the caller.
        unsafe { chained::<ur_usm_pool_limits_desc_t>(desc.pNext, UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC) };
    // For a native pool, the limits are the pool's size and its initial threshold, because this is how libsycl passes
    // its properties.
    let is_native = desc.flags & UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP != 0;
    let limits = limits.filter(|_| is_native);
    let limit = limits.map(|limits| limits.maxPoolableSize).filter(|limit| *limit > 0);
    let zeroes = desc.flags & UR_USM_POOL_FLAG_ZERO_INITIALIZE_BLOCK != 0;
    let context: Shared<Reference<B::Context>> = context.share();
    let word = context.front_word();
    let pool = Pool::<B>::new(context, limit, zeroes);
    pool.set_threshold(limits.map_or(0, |limits| limits.minDriverAllocSize))?;
    Ok(Counted::create_with_front_word(word, pool).into_raw())
}

/// Checks the handles of a pool's context and device. They provide no information beyond the pool's own.
///
/// # Safety
///
/// Each must be null or a handle from an adapter.
unsafe fn of_context<B: Backend>(context: ur_context_handle_t, device: ur_device_handle_t) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        object::<B::Context>(context, "hContext")?;
        object::<B::Device>(device, "hDevice")?;
    }
    Ok(())
}

fn pool_info<B: Backend>(pool: &Counted<Pool<B>>, name: ur_usm_pool_info_t, answer: Answer) -> Result<()> {
    let counts = pool.counts();
    match name {
        UR_USM_POOL_INFO_REFERENCE_COUNT => answer.value(pool.reference_count()),
        UR_USM_POOL_INFO_CONTEXT => answer.value(pool.context.handle()),
        UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP => answer.value(counts.threshold),
        UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP => answer.value(pool.limit.unwrap_or(usize::MAX)),
        UR_USM_POOL_INFO_RESERVED_CURRENT_EXP => answer.value(counts.reserved),
        UR_USM_POOL_INFO_RESERVED_HIGH_EXP => answer.value(counts.reserved_high),
        UR_USM_POOL_INFO_USED_CURRENT_EXP => answer.value(counts.used),
        UR_USM_POOL_INFO_USED_HIGH_EXP => answer.value(counts.used_high),
        _ => Err(unknown_query(name, false)),
    }
}
