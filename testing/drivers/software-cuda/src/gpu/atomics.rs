//! PTX's atomic instructions, all sequentially consistent. They are also visible to work-items of other launches
//! and to the host.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst, fence};

use super::half::{double_of_half, half_of_double};

#[unsafe(no_mangle)]
pub extern "C" fn ptx_fence() {
    fence(SeqCst);
}

macro_rules! loads_and_stores {
    ($($load:ident $store:ident $atomic:ident $type:ty, $back:ty, $from:expr, $to:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $load(at: *const $atomic) -> $back {
            // SAFETY: the kernel's address.
            $from(unsafe { (*at).load(SeqCst) })
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $store(at: *const $atomic, value: $back) {
            let bits: $type = $to(value);
            // SAFETY: the kernel's address.
            unsafe { (*at).store(bits, SeqCst) }
        }
    )* };
}
loads_and_stores! {
    ptx_ld_u8 ptx_st_u8 AtomicU8 u8, u32, u32::from, |value| value as u8;
    ptx_ld_u16 ptx_st_u16 AtomicU16 u16, u32, u32::from, |value| value as u16;
    ptx_ld_u32 ptx_st_u32 AtomicU32 u32, u32, |bits| bits, |value| value;
    ptx_ld_u64 ptx_st_u64 AtomicU64 u64, u64, |bits| bits, |value| value;
    ptx_ld_f32 ptx_st_f32 AtomicU32 u32, f32, f32::from_bits, f32::to_bits;
    ptx_ld_f64 ptx_st_f64 AtomicU64 u64, f64, f64::from_bits, f64::to_bits;
}

macro_rules! updates {
    ($($name:ident $atomic:ident $type:ty, $update:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(at: *const $atomic, value: $type) -> $type {
            let update: fn(&$atomic, $type) -> $type = $update;
            // SAFETY: the kernel's address.
            update(unsafe { &*at }, value)
        }
    )* };
}
updates! {
    ptx_atom_exch_b32 AtomicU32 u32, |at, value| at.swap(value, SeqCst);
    ptx_atom_exch_b64 AtomicU64 u64, |at, value| at.swap(value, SeqCst);
    ptx_atom_and_b32 AtomicU32 u32, |at, value| at.fetch_and(value, SeqCst);
    ptx_atom_and_b64 AtomicU64 u64, |at, value| at.fetch_and(value, SeqCst);
    ptx_atom_or_b32 AtomicU32 u32, |at, value| at.fetch_or(value, SeqCst);
    ptx_atom_or_b64 AtomicU64 u64, |at, value| at.fetch_or(value, SeqCst);
    ptx_atom_xor_b32 AtomicU32 u32, |at, value| at.fetch_xor(value, SeqCst);
    ptx_atom_xor_b64 AtomicU64 u64, |at, value| at.fetch_xor(value, SeqCst);
    ptx_atom_add_u32 AtomicU32 u32, |at, value| at.fetch_add(value, SeqCst);
    ptx_atom_add_s32 AtomicU32 u32, |at, value| at.fetch_add(value, SeqCst);
    ptx_atom_add_u64 AtomicU64 u64, |at, value| at.fetch_add(value, SeqCst);
    ptx_atom_min_u32 AtomicU32 u32, |at, value| at.fetch_min(value, SeqCst);
    ptx_atom_max_u32 AtomicU32 u32, |at, value| at.fetch_max(value, SeqCst);
    ptx_atom_min_u64 AtomicU64 u64, |at, value| at.fetch_min(value, SeqCst);
    ptx_atom_max_u64 AtomicU64 u64, |at, value| at.fetch_max(value, SeqCst);
    ptx_atom_min_s32 AtomicU32 u32, |at, value| change32(at, |old| (old as i32).min(value as i32) as u32);
    ptx_atom_max_s32 AtomicU32 u32, |at, value| change32(at, |old| (old as i32).max(value as i32) as u32);
    ptx_atom_min_s64 AtomicU64 u64, |at, value| change64(at, |old| (old as i64).min(value as i64) as u64);
    ptx_atom_max_s64 AtomicU64 u64, |at, value| change64(at, |old| (old as i64).max(value as i64) as u64);
    ptx_atom_add_f32 AtomicU32 f32, |at, value| {
        f32::from_bits(change32(at, |old| (f32::from_bits(old) + value).to_bits()))
    };
    ptx_atom_add_f64 AtomicU64 f64, |at, value| {
        f64::from_bits(change64(at, |old| (f64::from_bits(old) + value).to_bits()))
    };
}

/// Changes a word, and returns the old one.
fn change32(at: &AtomicU32, change: impl Fn(u32) -> u32) -> u32 {
    let mut old = at.load(SeqCst);
    while let Err(seen) = at.compare_exchange(old, change(old), SeqCst, SeqCst) {
        old = seen;
    }
    old
}

fn change64(at: &AtomicU64, change: impl Fn(u64) -> u64) -> u64 {
    let mut old = at.load(SeqCst);
    while let Err(seen) = at.compare_exchange(old, change(old), SeqCst, SeqCst) {
        old = seen;
    }
    old
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_atom_add_noftz_f16(at: *const AtomicU16, value: u32) -> u32 {
    // SAFETY: the kernel's address.
    let at = unsafe { &*at };
    let mut old = at.load(SeqCst);
    loop {
        let new = half_of_double(double_of_half(old) + double_of_half(value as u16));
        match at.compare_exchange(old, new, SeqCst, SeqCst) {
            Ok(old) => return old.into(),
            Err(seen) => old = seen,
        }
    }
}

macro_rules! exchanges_if {
    ($($name:ident $atomic:ident $type:ty, $register:ty;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(at: *const $atomic, expected: $register, value: $register) -> $register {
            // SAFETY: the kernel's address.
            let seen = unsafe { (*at).compare_exchange(expected as $type, value as $type, SeqCst, SeqCst) };
            match seen {
                Ok(old) | Err(old) => <$register>::from(old),
            }
        }
    )* };
}
exchanges_if! {
    ptx_atom_cas_b16 AtomicU16 u16, u32;
    ptx_atom_cas_b32 AtomicU32 u32, u32;
    ptx_atom_cas_b64 AtomicU64 u64, u64;
}
