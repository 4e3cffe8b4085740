//! Images from native handles, sizes of physical memory, and patterns longer than the memory.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::structures;

use super::features::need;
use super::handles::calls;
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same, same_code};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("UR-82", "urMemImageCreateWithNativeHandle", image_of_a_native_handle),
    case("UR-83", "urPhysicalMemCreate", physical_memory),
    case("UR-84", "urEnqueueUSMFill", pattern_that_is_not_read),
];

const WIDTH: usize = 16;
const HEIGHT: usize = 8;

/// An image created from another one's native handle without owning it uses the same memory, and does not free it.
fn image_of_a_native_handle(f: &Env) -> Verdict {
    f.need_images()?;
    let (calls, context, queue) = (calls(f)?, f.context()?.cast(), f.queue()?.cast());
    let format = ur_image_format_t {
        channelOrder: UR_IMAGE_CHANNEL_ORDER_RGBA,
        channelType: UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    let desc = ur_image_desc_t { width: WIDTH, height: HEIGHT, ..structures::IMAGE };
    let not_owned = ur_mem_native_properties_t {
        stype: UR_STRUCTURE_TYPE_MEM_NATIVE_PROPERTIES,
        pNext: null_mut(),
        isNativeHandleOwned: 0,
    };
    let (mut image, mut native, mut again) = (null_mut(), 0, null_mut());
    let (at, size) = (
        ur_rect_offset_t { x: 0, y: 0, z: 0 },
        ur_rect_region_t { width: WIDTH as u64, height: HEIGHT as u64, depth: 1 },
    );
    let mut content: Vec<u8> = crate::env::ramp(4 * WIDTH * HEIGHT);
    let mut back = vec![0_u8; content.len()];
    // SAFETY: live handles, room for the results, and as many bytes as the image has.
    unsafe {
        let flags = UR_MEM_FLAG_READ_WRITE;
        let code = calls.urMemImageCreate(context, flags, &format, &desc, null_mut(), &mut image);
        same_code("urMemImageCreate", UR_RESULT_SUCCESS, code)?;
        same_code(
            "urMemGetNativeHandle",
            UR_RESULT_SUCCESS,
            calls.urMemGetNativeHandle(image, f.device.cast(), &mut native),
        )?;
        let code =
            calls.urMemImageCreateWithNativeHandle(native, context, &format, &desc, &not_owned, &mut again);
        same_code("urMemImageCreateWithNativeHandle", UR_RESULT_SUCCESS, code)?;
        let from = content.as_mut_ptr().cast();
        let code = calls.urEnqueueMemImageWrite(queue, image, 1, at, size, 0, 0, from, 0, null(), null_mut());
        same_code("urEnqueueMemImageWrite", UR_RESULT_SUCCESS, code)?;
        let to = back.as_mut_ptr().cast();
        let code = calls.urEnqueueMemImageRead(queue, again, 1, at, size, 0, 0, to, 0, null(), null_mut());
        same_code("urEnqueueMemImageRead of the second", UR_RESULT_SUCCESS, code)?;
        same("pixels", &content, &back)?;
        same_code("urMemRelease of the second", UR_RESULT_SUCCESS, calls.urMemRelease(again))?;
        back.fill(0);
        let code = calls.urEnqueueMemImageRead(queue, image, 1, at, size, 0, 0, to, 0, null(), null_mut());
        same_code("urEnqueueMemImageRead of the first", UR_RESULT_SUCCESS, code)?;
        same("pixels", &content, &back)?;
        same_code("urMemRelease", UR_RESULT_SUCCESS, calls.urMemRelease(image))
    }
}

fn physical_memory(f: &Env) -> Verdict {
    need(f, "urPhysicalMemCreate")?;
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    // Not multiples of any granularity.
    for size in [0, 1, 4095, (2 << 20) + 1] {
        let mut memory = null_mut();
        // SAFETY: live handles, and room for the memory.
        let code = unsafe { calls.urPhysicalMemCreate(context, device, size, null(), &mut memory) };
        if code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            // Level Zero has no query for it.
            return Err(Failure::skip(skip::NO_FEATURE));
        }
        same_code(&format!("{size} bytes"), UR_RESULT_ERROR_INVALID_SIZE, code)?;
        check(&format!("{size} bytes"), memory.is_null(), "no memory", "some")?;
    }
    Ok(())
}

/// The pattern is in memory that must not be read.
fn pattern_that_is_not_read(f: &Env) -> Verdict {
    const SIZE: usize = 1 << 20;
    let (calls, usm) = (calls(f)?, f.shared(4096)?);
    // SAFETY: new memory, which is unmapped again. The call has to be refused before it reads there.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let pattern = libc::mmap(null_mut(), SIZE, libc::PROT_NONE, flags, -1, 0);
        check("mmap", pattern != libc::MAP_FAILED, "an address", "none")?;
        let queue = f.queue()?.cast();
        let code = calls.urEnqueueUSMFill(queue, usm.ptr, SIZE, pattern, SIZE, 0, null(), null_mut());
        libc::munmap(pattern, SIZE);
        same_code("a fill of more than the memory", UR_RESULT_ERROR_INVALID_SIZE, code)
    }
}
