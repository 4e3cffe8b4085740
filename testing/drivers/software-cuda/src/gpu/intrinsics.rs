//! NVVM's intrinsics: registers, barriers, votes, shuffles, spaces.

use super::group::{active, barrier, machine, meet};

macro_rules! registers {
    ($($axis:literal $tid:ident $ntid:ident $ctaid:ident $nctaid:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $tid() -> u32 {
            // SAFETY: a kernel's call.
            unsafe { machine() }.me().local[$axis]
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $ntid() -> u32 {
            // SAFETY: a kernel's call.
            unsafe { machine() }.launch.as_ref().map_or(0, |launch| launch.size[$axis])
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $ctaid() -> u32 {
            // SAFETY: a kernel's call.
            unsafe { machine() }.group[$axis]
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $nctaid() -> u32 {
            // SAFETY: a kernel's call.
            unsafe { machine() }.launch.as_ref().map_or(0, |launch| launch.groups[$axis])
        }
    )* };
}
registers! {
    0 nvvm_read_ptx_sreg_tid_x nvvm_read_ptx_sreg_ntid_x nvvm_read_ptx_sreg_ctaid_x nvvm_read_ptx_sreg_nctaid_x;
    1 nvvm_read_ptx_sreg_tid_y nvvm_read_ptx_sreg_ntid_y nvvm_read_ptx_sreg_ctaid_y nvvm_read_ptx_sreg_nctaid_y;
    2 nvvm_read_ptx_sreg_tid_z nvvm_read_ptx_sreg_ntid_z nvvm_read_ptx_sreg_ctaid_z nvvm_read_ptx_sreg_nctaid_z;
}

fn lane() -> u32 {
    // SAFETY: a kernel's call.
    unsafe { machine() }.me().linear as u32 % 32
}

#[unsafe(no_mangle)]
pub extern "C" fn nvvm_read_ptx_sreg_laneid() -> u32 {
    lane()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_barrier0() {
    // SAFETY: a kernel's call.
    unsafe { barrier(0) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_barrier0_or(value: u32) -> u32 {
    // SAFETY: a kernel's call.
    let (_, some) = unsafe { barrier(value.into()) };
    (some != 0).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_barrier0_and(value: u32) -> u32 {
    // SAFETY: a kernel's call.
    let (all, some) = unsafe { barrier(value.into()) };
    (some == all).into()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_barrier0_popc(value: u32) -> u32 {
    // SAFETY: a kernel's call.
    unsafe { barrier(value.into()) }.1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_bar_warp_sync(mask: u32) {
    // SAFETY: a kernel's call.
    unsafe { meet(mask, 0) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn nvvm_vote_ballot_sync(mask: u32, condition: u32) -> u32 {
    // SAFETY: a kernel's call.
    let (values, present) = unsafe { meet(mask, (condition & 1).into()) };
    let lanes = values.iter().enumerate().filter(|(lane, _)| present >> lane & 1 == 1);
    lanes.fold(0, |bits, (lane, value)| bits | (*value as u32) << lane)
}

/// Lanes that come from the same instruction are at the same position, which is the call's return address.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn ptx_activemask_b32() -> u32 {
    core::arch::naked_asm!("mov rdi, [rsp]", "jmp {active}", active = sym active_at)
}

unsafe extern "C" fn active_at(place: usize) -> u32 {
    // SAFETY: a kernel's call.
    unsafe { active(place) }
}

/// Returns the source lane of a shuffle, as described in PTX's manual.
fn source(how: Shuffle, b: u32, c: u32) -> u32 {
    let (lane, near, clamp, segment) =
        (lane() as i32, (b & 31) as i32, (c & 31) as i32, (c >> 8 & 31) as i32);
    let (most, least) = ((lane & segment) | (clamp & !segment), lane & segment);
    let (from, inside) = match how {
        Shuffle::Index => {
            let from = least | (near & !segment);
            (from, from <= most)
        }
        Shuffle::Up => (lane - near, lane - near >= most),
        Shuffle::Down => (lane + near, lane + near <= most),
        Shuffle::Butterfly => (lane ^ near, lane ^ near <= most),
    };
    (if inside { from } else { lane }) as u32
}

enum Shuffle {
    Index,
    Up,
    Down,
    Butterfly,
}

macro_rules! shuffles {
    ($($name:ident $how:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(mask: u32, value: u32, b: u32, c: u32) -> u32 {
            // SAFETY: a kernel's call.
            let (values, _) = unsafe { meet(mask, value.into()) };
            values[source(Shuffle::$how, b, c) as usize] as u32
        }
    )* };
}
shuffles! {
    nvvm_shfl_sync_idx_i32 Index;
    nvvm_shfl_sync_up_i32 Up;
    nvvm_shfl_sync_down_i32 Down;
    nvvm_shfl_sync_bfly_i32 Butterfly;
}

#[unsafe(no_mangle)]
pub extern "C" fn nvvm_isspacep_shared(address: usize) -> u32 {
    // SAFETY: a kernel's call.
    unsafe { machine() }.is_local(address).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn nvvm_isspacep_local(address: usize) -> u32 {
    // SAFETY: a kernel's call.
    unsafe { machine() }.is_private(address).into()
}

#[unsafe(no_mangle)]
pub extern "C" fn nvvm_isspacep_global(address: usize) -> u32 {
    (nvvm_isspacep_shared(address) == 0 && nvvm_isspacep_local(address) == 0).into()
}
