//! Enumerators in structures and property lists: every number, and some of no version.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::arguments::{Attempt, all};
use super::list::{enumeration, flags};
use crate::case::{Case, case};
use crate::env::{Env, Owned};
use crate::outcome::{Failure, Verdict};
use crate::skip;

pub(super) const CASES: &[Case] = &[case("ENU-03", "piMemImageCreate", every_member)];

const IMAGE: &[pi_result] = &[
    PI_ERROR_INVALID_VALUE,
    PI_ERROR_INVALID_OPERATION,
    PI_ERROR_UNSUPPORTED_FEATURE,
    PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
    PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED,
    PI_ERROR_INVALID_IMAGE_SIZE,
    PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
    // No buffer is given here for an image over a buffer.
    PI_ERROR_INVALID_MEM_OBJECT,
];
const SAMPLER: &[pi_result] =
    &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE];
const PROPERTY: &[pi_result] = &[
    PI_ERROR_INVALID_VALUE,
    PI_ERROR_INVALID_OPERATION,
    PI_ERROR_UNSUPPORTED_FEATURE,
    PI_ERROR_INVALID_PROPERTY,
];
const QUEUE: &[pi_result] = &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_QUEUE_PROPERTIES];
const PARTITION: &[pi_result] = &[
    PI_ERROR_INVALID_VALUE,
    PI_ERROR_INVALID_OPERATION,
    PI_ERROR_UNSUPPORTED_FEATURE,
    PI_ERROR_DEVICE_PARTITION_FAILED,
    PI_ERROR_INVALID_DEVICE_PARTITION_COUNT,
];

const RGBA: pi_image_format = pi_image_format {
    image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
    image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
};

fn create_image(
    f: &Env,
    context: pi_context,
    format: &pi_image_format,
    image_type: pi_mem_type,
) -> Result<pi_mem, CallError> {
    let desc = pi_image_desc {
        image_type,
        image_width: 4,
        image_height: 4,
        image_depth: 4,
        image_array_size: 4,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    };
    let mut made = null_mut();
    call!(f, piMemImageCreate(context, PI_MEM_FLAGS_ACCESS_RW, format, &desc, null_mut(), &mut made))?;
    Ok(made)
}

/// An image, if the device has images.
pub(super) fn image(f: &Env) -> Verdict<Owned<'_, pi_mem>> {
    f.need_images()?;
    let context = f.context()?;
    Ok(f.own_mem(create_image(f, context, &RGBA, PI_MEM_TYPE_IMAGE2D)?))
}

/// A sampler, if the device has images.
pub(super) fn sampler(f: &Env) -> Verdict<Owned<'_, pi_sampler>> {
    f.need_images()?;
    let (context, list) = (f.context()?, [0_u64]);
    Ok(f.own_sampler(made!(f, |out| piSamplerCreate(context, list.as_ptr(), out))))
}

fn every_member(f: &Env) -> Verdict {
    if skip::is_through_ur() {
        // The bridge knows the numbers that it converts. UR-80 and UR-81 try an adapter's.
        return Err(Failure::skip(skip::NO_COUNTERPART));
    }
    let (context, device) = (f.context()?, f.device);
    type Alloc<'a> = Box<dyn Fn([u64; 3]) -> Result<(), CallError> + 'a>;
    macro_rules! alloc {
        ($name:ident($($arg:expr),*)) => {{
            let alloc: Alloc<'_> = Box::new(move |mut list| {
                let mut start = null_mut();
                call!(f, $name(&mut start, context, $($arg,)* list.as_mut_ptr(), 64, 0))?;
                call!(f, piextUSMFree(context, start))
            });
            (stringify!($name), alloc)
        }};
    }
    let allocs = [
        alloc!(piextUSMHostAlloc()),
        alloc!(piextUSMDeviceAlloc(device)),
        alloc!(piextUSMSharedAlloc(device)),
    ];
    let mut attempts: Vec<Attempt<'_>> = Vec::new();
    let mut add = |name, numbers, refusals, call| attempts.push(Attempt { name, numbers, refusals, call });

    for (order_name, order) in enumeration(f, "_pi_image_channel_order")?.known {
        let name: &'static str = Box::leak(format!("piMemImageCreate, {order_name}").into_boxed_str());
        let images = move |kind: i64| {
            let (order, kind) = (order as u32, kind as u32);
            let format = pi_image_format { image_channel_order: order, image_channel_data_type: kind };
            let made = create_image(f, context, &format, PI_MEM_TYPE_IMAGE2D)?;
            call!(f, piMemRelease(made))
        };
        add(name, enumeration(f, "_pi_image_channel_type")?, IMAGE, Box::new(images) as Box<_>);
    }
    let orders = move |order: i64| {
        let format = pi_image_format { image_channel_order: order as u32, ..RGBA };
        let made = create_image(f, context, &format, PI_MEM_TYPE_IMAGE2D)?;
        call!(f, piMemRelease(made))
    };
    add("piMemImageCreate, order", enumeration(f, "_pi_image_channel_order")?, IMAGE, Box::new(orders));
    let types = move |kind: i64| {
        let made = create_image(f, context, &RGBA, kind as pi_mem_type)?;
        call!(f, piMemRelease(made))
    };
    add("piMemImageCreate, type", enumeration(f, "_pi_mem_type")?, IMAGE, Box::new(types));

    let samplers = |key: u64| {
        move |value: i64| {
            let (list, mut made) = ([key, value as u64, 0], null_mut());
            call!(f, piSamplerCreate(context, list.as_ptr(), &mut made))?;
            call!(f, piSamplerRelease(made))
        }
    };
    for (name, key, group) in [
        ("piSamplerCreate, addressing", PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, "_pi_sampler_addressing_mode"),
        ("piSamplerCreate, filter", PI_SAMPLER_PROPERTIES_FILTER_MODE, "_pi_sampler_filter_mode"),
    ] {
        add(name, enumeration(f, group)?, SAMPLER, Box::new(samplers(key)));
    }
    let keys = move |key: i64| {
        // A value that each key has.
        let value = match key as u64 {
            PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS => 1,
            PI_SAMPLER_PROPERTIES_ADDRESSING_MODE => PI_SAMPLER_ADDRESSING_MODE_CLAMP.into(),
            _ => PI_SAMPLER_FILTER_MODE_NEAREST.into(),
        };
        samplers(key as u64)(value)
    };
    add("piSamplerCreate, key", enumeration(f, "pi_sampler_properties")?, SAMPLER, Box::new(keys));

    for (name, alloc) in &allocs {
        let bits = move |bits: i64| alloc([PI_MEM_ALLOC_FLAGS, bits as u64, 0]);
        add(name, flags(f, "pi_usm_mem_alloc_flag_bits", 40)?, PROPERTY, Box::new(bits));
        let keys = move |key: i64| alloc([key as u64, 0, 0]);
        add(name, enumeration(f, "pi_usm_mem_property_keys")?, PROPERTY, Box::new(keys));
    }

    if f.pi.piextQueueCreate.is_some() {
        let keys = move |key: i64| {
            let (mut list, mut made) = ([key as u64, 0, 0], null_mut());
            call!(f, piextQueueCreate(context, device, list.as_mut_ptr(), &mut made))?;
            call!(f, piQueueRelease(made))
        };
        add("piextQueueCreate, key", enumeration(f, "pi_queue_property_keys")?, QUEUE, Box::new(keys));
    }
    let partition = move |list: [isize; 4]| {
        let mut count = 0;
        call!(f, piDevicePartition(device, list.as_ptr(), 0, null_mut(), &mut count))?;
        let mut parts = vec![null_mut(); count as usize];
        call!(f, piDevicePartition(device, list.as_ptr(), count, parts.as_mut_ptr(), null_mut()))?;
        parts.into_iter().try_for_each(|part| call!(f, piDeviceRelease(part)))
    };
    let schemes = move |scheme: i64| partition([scheme as isize, 1, 0, 0]);
    let mut known = enumeration(f, "pi_device_partition_property")?;
    // The end of a list is no scheme.
    known.known.retain(|(_, value)| *value != 0);
    add("piDevicePartition", known, PARTITION, Box::new(schemes));
    let domains =
        move |domain: i64| partition([PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain as isize, 0, 0]);
    let known = flags(f, "pi_device_affinity_domain", 40)?;
    add("piDevicePartition, affinity", known, PARTITION, Box::new(domains));

    all(&attempts, 250)
}
