//! Numbers in a kernel's buffers.

/// A number type of a buffer.
pub trait Scalar: Copy {
    /// Returns its bytes, little-endian.
    fn bytes(self) -> Vec<u8>;
    /// Converts the bytes to the number.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! scalars {
    ($($ty:ty)*) => {$(
        impl Scalar for $ty {
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }

            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().unwrap_or_default())
            }
        }
    )*};
}

scalars! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

/// Converts numbers to bytes.
pub fn bytes<T: Scalar>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.bytes()).collect()
}

/// Converts bytes to numbers.
pub fn numbers<T: Scalar>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(T::read).collect()
}
