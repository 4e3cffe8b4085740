//! `piMemImageCreate`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::made::{FORMAT, create, desc};
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Codes, HOST_PTR, IMAGE_DESC, VALUE, Verdict, check, codes};

pub(super) const CASES: &[Case] = &[
    case("IMG-01", "piMemImageCreate", each_dimension),
    case("IMG-02", "piMemImageCreate", too_large),
    case("IMG-03", "piMemImageCreate", bad_descriptions),
    case("IMG-04", "piMemImageCreate", host_pointers),
    case("IMG-05", "piMemImageCreate", nulls),
    case("IMG-06", "piMemImageCreate", unsupported_format),
];

const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;

fn each_dimension(f: &Env) -> Verdict {
    f.need_images()?;
    create(f, &FORMAT, &desc(PI_MEM_TYPE_IMAGE1D, 16, 0, 0))?;
    create(f, &FORMAT, &desc(PI_MEM_TYPE_IMAGE2D, 16, 8, 0))?;
    create(f, &FORMAT, &desc(PI_MEM_TYPE_IMAGE3D, 16, 8, 4))?;
    Ok(())
}

fn refuse(f: &Env, flags: pi_mem_flags, desc: &pi_image_desc, codes: Codes) -> Verdict {
    let mut out = null_mut();
    refused!(f, piMemImageCreate(f.context()?, flags, &FORMAT, desc, null_mut(), &mut out), codes);
    check("", out.is_null(), "no handle written", "one was")
}

fn too_large(f: &Env) -> Verdict {
    f.need_images()?;
    if f.backend != Backend::OpenCl {
        return Err(crate::outcome::Failure::skip(crate::skip::OTHER_BACKEND));
    }
    let codes =
        codes(&[PI_ERROR_INVALID_IMAGE_SIZE, PI_ERROR_INVALID_IMAGE_DESCRIPTOR], &[PI_ERROR_INVALID_VALUE]);
    let width = f.fact::<usize>(PI_DEVICE_INFO_IMAGE2D_MAX_WIDTH)?;
    let height = f.fact::<usize>(PI_DEVICE_INFO_IMAGE2D_MAX_HEIGHT)?;
    let depth = f.fact::<usize>(PI_DEVICE_INFO_IMAGE3D_MAX_DEPTH)?;
    refuse(f, RW, &desc(PI_MEM_TYPE_IMAGE2D, width + 1, 8, 0), codes)?;
    refuse(f, RW, &desc(PI_MEM_TYPE_IMAGE2D, 8, height + 1, 0), codes)?;
    refuse(f, RW, &desc(PI_MEM_TYPE_IMAGE3D, 8, 8, depth + 1), codes)
}

fn bad_descriptions(f: &Env) -> Verdict {
    f.need_images()?;
    let good = desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0);
    refuse(f, RW, &pi_image_desc { image_type: 0x7777, ..good }, IMAGE_DESC)?;
    refuse(f, RW, &pi_image_desc { num_mip_levels: 1, ..good }, IMAGE_DESC)?;
    refuse(f, RW, &pi_image_desc { num_samples: 1, ..good }, IMAGE_DESC)?;
    refuse(f, RW, &pi_image_desc { image_row_pitch: 64, ..good }, IMAGE_DESC)
}

fn host_pointers(f: &Env) -> Verdict {
    f.need_images()?;
    let good = desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0);
    refuse(f, RW | PI_MEM_FLAGS_HOST_PTR_USE, &good, HOST_PTR)?;
    refuse(f, RW | PI_MEM_FLAGS_HOST_PTR_COPY, &good, HOST_PTR)?;
    let (mut host, mut out) = ([0_u8; 256], null_mut());
    let start = host.as_mut_ptr().cast();
    refused!(f, piMemImageCreate(f.context()?, RW, &FORMAT, &good, start, &mut out), HOST_PTR);
    Ok(())
}

fn nulls(f: &Env) -> Verdict {
    f.need_images()?;
    let good = desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0);
    let (context, mut out) = (f.context()?, null_mut());
    let codes = codes(
        &[
            PI_ERROR_INVALID_VALUE,
            PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            PI_ERROR_INVALID_IMAGE_DESCRIPTOR,
        ],
        &[],
    );
    refused!(f, piMemImageCreate(context, RW, null(), &good, null_mut(), &mut out), codes);
    refused!(f, piMemImageCreate(context, RW, &FORMAT, null(), null_mut(), &mut out), codes);
    refused!(f, piMemImageCreate(context, RW, &FORMAT, &good, null_mut(), null_mut()), VALUE);
    Ok(())
}

fn unsupported_format(f: &Env) -> Verdict {
    f.need_images()?;
    let format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGB,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_FLOAT,
    };
    let (good, mut out) = (desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0), null_mut());
    let codes = codes(
        &[PI_ERROR_IMAGE_FORMAT_NOT_SUPPORTED, PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR],
        &[PI_ERROR_INVALID_VALUE],
    );
    refused!(f, piMemImageCreate(f.context()?, RW, &format, &good, null_mut(), &mut out), codes);
    Ok(())
}
