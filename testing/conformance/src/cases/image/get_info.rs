//! `piMemImageGetInfo`.

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::made::{FORMAT, create, desc};
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same};

pub(super) const CASES: &[Case] = &[case("IMG-07", "piMemImageGetInfo", facts)];

fn facts(f: &Env) -> Verdict {
    f.need_images()?;
    if f.backend == Backend::LevelZero {
        return Err(Failure::skip(crate::skip::OTHER_BACKEND));
    }
    for (kind, [width, height, depth]) in [
        (PI_MEM_TYPE_IMAGE1D, [16, 0, 0]),
        (PI_MEM_TYPE_IMAGE2D, [16, 8, 0]),
        (PI_MEM_TYPE_IMAGE3D, [16, 8, 4]),
    ] {
        let image = create(f, &FORMAT, &desc(kind, width, height, depth))?;
        let format = get!(f, piMemImageGetInfo(*image, PI_IMAGE_INFO_FORMAT) as [u32; 2]);
        same("format", [FORMAT.image_channel_order, FORMAT.image_channel_data_type], format)?;
        let size = |name| -> Verdict<usize> { Ok(get!(f, piMemImageGetInfo(*image, name) as usize)) };
        same("element size", 4, size(PI_IMAGE_INFO_ELEMENT_SIZE)?)?;
        same("width", width, size(PI_IMAGE_INFO_WIDTH)?)?;
        same("height", height, size(PI_IMAGE_INFO_HEIGHT)?)?;
        same("depth", depth, size(PI_IMAGE_INFO_DEPTH)?)?;
        let (row, slice) = (size(PI_IMAGE_INFO_ROW_PITCH)?, size(PI_IMAGE_INFO_SLICE_PITCH)?);
        check("row pitch", row >= 64, "at least 64", row)?;
        check("slice pitch", depth == 0 || slice >= 8 * row, "at least eight rows", slice)?;
        bad_questions!(f, piMemImageGetInfo(*image), PI_IMAGE_INFO_WIDTH);
    }
    Ok(())
}
