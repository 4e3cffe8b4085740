//! Commands on images.

use core::ffi::c_void;

use crate::Dependencies;

api! {
    /// Commands on images. Origins are (x, y, z) and regions are (width, height, depth), in pixels. Pitches are in
    /// bytes.
    trait EnqueueImageApi {
        /// Enqueues a read from an image to the host.
        #[doc(alias = "piEnqueueMemImageRead")]
        #[doc(alias = "urEnqueueMemImageRead")]
        fn enqueue_mem_image_read(queue: &Self::Queue, image: &Self::Mem, blocking: bool, origin: &[usize; 3],
            region: &[usize; 3], pitches: (usize, usize), ptr: *mut c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a write from the host to an image.
        #[doc(alias = "piEnqueueMemImageWrite")]
        #[doc(alias = "urEnqueueMemImageWrite")]
        fn enqueue_mem_image_write(queue: &Self::Queue, image: &Self::Mem, blocking: bool, origin: &[usize; 3],
            region: &[usize; 3], pitches: (usize, usize), ptr: *const c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a copy between images.
        #[doc(alias = "piEnqueueMemImageCopy")]
        #[doc(alias = "urEnqueueMemImageCopy")]
        fn enqueue_mem_image_copy(queue: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, src_origin: &[usize; 3],
            dst_origin: &[usize; 3], region: &[usize; 3], dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a fill of part of an image with one color. `color` has four 4-byte components.
        #[doc(alias = "piEnqueueMemImageFill")]
        fn enqueue_mem_image_fill(queue: &Self::Queue, image: &Self::Mem, color: *const c_void, origin: &[usize; 3],
            region: &[usize; 3], dependencies: Dependencies<'_, Self::Event>);
    }
}
