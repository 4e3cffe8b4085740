//! Registers, finds and removes 10,000 images with 100,000 symbols.

use std::time::Instant;

use sycl_pi_image::{ImageParts, Property, PropertySet, Value};
use sycl_pi_runtime::Registry;

use crate::Measured;

const IMAGES: usize = 10_000;
const ROUNDS: usize = 5;

fn image(number: usize) -> ImageParts<'static> {
    let name = |symbol: usize| format!("_ZTSN7library6moduleI{number}E6symbol{symbol}E");
    let mut exports = PropertySet::new("SYCL/exported symbols");
    exports.properties = (5..10).map(|symbol| Property::new(name(symbol), Value::Uint32(1))).collect();
    let mut image = ImageParts::new(format!("image {number}"), "spir64", vec![3, 2, 0x23, 7, 0, 0, 1, 0]);
    image.entries = (0..10).map(|symbol| name(symbol).into()).collect();
    image.property_sets = vec![exports];
    image
}

/// Measures the nanoseconds for registering all, and for finding one kernel among them.
pub(crate) fn run() -> Vec<Measured> {
    let names: Vec<String> =
        (0..IMAGES).map(|number| format!("_ZTSN7library6moduleI{number}E6symbol{}E", number % 5)).collect();
    let (mut registered, mut found, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let images: Vec<ImageParts<'static>> = (0..IMAGES).map(image).collect();
        let registry = Registry::new();
        let start = Instant::now();
        // SAFETY: the images are never built.
        let (module, errors) = unsafe { registry.add_module(images.into_iter().map(|image| (image, None))) };
        registered.push(start.elapsed().as_nanos() as f64);
        assert!(errors.is_empty());
        let start = Instant::now();
        let count = names.iter().filter(|name| !registry.images_with_kernel(name).is_empty()).count();
        found.push(start.elapsed().as_nanos() as f64 / IMAGES as f64);
        assert_eq!(count, IMAGES);
        let start = Instant::now();
        registry.remove(module);
        removed.push(start.elapsed().as_nanos() as f64);
    }
    vec![
        Measured::of("10,000 images with 100,000 symbols registered", registered),
        Measured::of("a kernel found among them", found),
        Measured::of("all of them removed", removed),
    ]
}
