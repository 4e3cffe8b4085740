//! Commands on images.

stubs! {
    piEnqueueMemImageRead(queue: pi_queue, image: pi_mem, blocking_read: pi_bool, origin: pi_image_offset,
        region: pi_image_region, row_pitch: usize, slice_pitch: usize, ptr: *mut c_void, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event) {
        let (queue, image) = (object(queue, "command_queue")?, object(image, "image")?);
        let (origin, region) = (triple(origin, "origin")?, triple(region, "region")?);
        B::enqueue_mem_image_read(queue, image, blocking_read != 0, origin, region, (row_pitch, slice_pitch),
            address(ptr, "ptr")?, dependencies(num_events, events, event)?)
    };

    piEnqueueMemImageWrite(queue: pi_queue, image: pi_mem, blocking_write: pi_bool, origin: pi_image_offset,
        region: pi_image_region, input_row_pitch: usize, input_slice_pitch: usize, ptr: *const c_void,
        num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, image) = (object(queue, "command_queue")?, object(image, "image")?);
        let (origin, region) = (triple(origin, "origin")?, triple(region, "region")?);
        B::enqueue_mem_image_write(queue, image, blocking_write != 0, origin, region,
            (input_row_pitch, input_slice_pitch), address(ptr, "ptr")?, dependencies(num_events, events, event)?)
    };

    piEnqueueMemImageCopy(queue: pi_queue, src_image: pi_mem, dst_image: pi_mem, src_origin: pi_image_offset,
        dst_origin: pi_image_offset, region: pi_image_region, num_events: pi_uint32, events: *const pi_event,
        event: *mut pi_event) {
        let queue = object(queue, "command_queue")?;
        let (src, dst) = (object(src_image, "src_image")?, object(dst_image, "dst_image")?);
        B::enqueue_mem_image_copy(queue, src, dst, triple(src_origin, "src_origin")?,
            triple(dst_origin, "dst_origin")?, triple(region, "region")?, dependencies(num_events, events, event)?)
    };

    piEnqueueMemImageFill(queue: pi_queue, image: pi_mem, fill_color: *const c_void, origin: *const usize,
        region: *const usize, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let (queue, image) = (object(queue, "command_queue")?, object(image, "image")?);
        let color = address(fill_color, "fill_color")?;
        B::enqueue_mem_image_fill(queue, image, color, triple(origin, "origin")?, triple(region, "region")?,
            dependencies(num_events, events, event)?)
    };
}
