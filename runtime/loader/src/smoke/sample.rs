//! The data and kernels of the device tests, and the expected results.

/// The size of the buffer that is written and read.
pub const BYTES: usize = 16;

/// Returns the bytes of that buffer.
pub fn bytes() -> [u8; BYTES] {
    std::array::from_fn(|index| index as u8 ^ 0x5a)
}

/// `add.cl` in SPIR-V: `pi image compile add.cl -o add.spv` makes it. Its kernel `add` adds two vectors.
pub static ADD: &[u8] = include_bytes!("add.spv");

/// The numbers in a vector.
pub const COUNT: usize = 64;

/// Returns the kernel's arguments: two vectors, and the place for the sums.
pub fn vectors() -> [[i32; COUNT]; 3] {
    let numbers = std::array::from_fn(|index| index as i32);
    [numbers, numbers.map(|number| 1000 * number), [0; COUNT]]
}

/// Returns the sums that the kernel computes.
pub fn sums() -> [i32; COUNT] {
    std::array::from_fn(|index| 1001 * index as i32)
}
