//! Work-groups, which run one after the other, and the synchronization of their work-items.

use std::cell::UnsafeCell;
use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

use super::fiber::{Place, Stack, switch};
use crate::{Code, lock};

/// The lanes of a warp.
pub(super) const WARP: usize = 32;
/// The most work-items of a work-group.
const MOST: usize = 1024;
/// The launch failed because its work-items wait forever.
const LAUNCH_FAILED: Code = 719;

/// The state of a work-item, or what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum State {
    #[default]
    Runs,
    /// All lanes of its mask.
    AtMask,
    /// The whole work-group.
    AtBarrier,
    /// Lanes at the same place, as soon as no other lane of the warp runs.
    AtActive,
    Gone,
}

/// A work-item.
#[derive(Clone)]
pub(super) struct Item {
    state: State,
    /// The position in the code where it waits for others at the same position.
    key: usize,
    mask: u32,
    input: u64,
    output: u64,
    /// The values of the lanes of its mask.
    others: [u64; WARP],
    pub(super) local: [u32; 3],
    pub(super) linear: usize,
    stack: usize,
    place: Place,
}

/// A part of a work-group's local memory in an image: its start and its size in bytes. The last one of a list
/// starts at null.
#[repr(C)]
pub(crate) struct Room {
    start: *const u8,
    bytes: c_uint,
}

/// A kernel of an image that the fake libnvvm compiled, with the parameters of its launch.
pub(crate) struct Launch {
    pub(crate) kernel: unsafe extern "C" fn(*mut *mut c_void),
    pub(crate) arguments: *mut *mut c_void,
    pub(crate) groups: [c_uint; 3],
    pub(crate) size: [c_uint; 3],
    pub(crate) rooms: *const Room,
}

/// The current launch. Work-items run on the only thread that holds [`RUNNING`].
pub(super) struct Machine {
    pub(super) launch: Option<Launch>,
    pub(super) group: [c_uint; 3],
    items: Vec<Item>,
    /// The running work-item.
    me: usize,
    /// The next work-item that has not started, and the number of work-items.
    next: usize,
    count: usize,
    stacks: Vec<Stack>,
    free: Vec<usize>,
    /// The running stack, and the scheduler's place.
    running: usize,
    scheduler: Place,
}

struct TheMachine(UnsafeCell<Machine>);
// SAFETY: only the thread that holds `RUNNING` uses it.
unsafe impl Sync for TheMachine {}

static MACHINE: TheMachine = TheMachine(UnsafeCell::new(Machine {
    launch: None,
    group: [0; 3],
    items: Vec::new(),
    me: 0,
    next: 0,
    count: 0,
    stacks: Vec::new(),
    free: Vec::new(),
    running: 0,
    scheduler: null_mut(),
}));
/// Launches run one after the other because an image's local memory exists only once.
static RUNNING: Mutex<()> = Mutex::new(());

/// Returns the machine, for a function that a kernel calls.
///
/// # Safety
///
/// This thread holds `RUNNING`, and no other reference is in use until the next switch.
#[inline]
pub(super) unsafe fn machine() -> &'static mut Machine {
    // SAFETY: guaranteed by the caller.
    unsafe { &mut *MACHINE.0.get() }
}

/// Runs a kernel over its whole grid.
///
/// # Safety
///
/// The arguments match the kernel.
pub(crate) unsafe fn run(launch: Launch) -> Result<(), Code> {
    let _running = lock(&RUNNING);
    let groups = launch.groups;
    let count = launch.size.iter().product::<c_uint>() as usize;
    // SAFETY: this thread holds the lock.
    let machine = unsafe { machine() };
    machine.launch = Some(launch);
    machine.count = count.min(MOST);
    let every =
        (0..groups[2]).flat_map(|z| (0..groups[1]).flat_map(move |y| (0..groups[0]).map(move |x| [x, y, z])));
    for group in every {
        // SAFETY: this thread holds the lock.
        unsafe { run_group(group)? };
    }
    Ok(())
}

unsafe fn run_group(group: [c_uint; 3]) -> Result<(), Code> {
    // SAFETY: the caller holds the lock; references end before a switch.
    unsafe {
        let m = machine();
        m.group = group;
        m.next = 0;
        if m.items.len() < m.count {
            m.items.resize_with(m.count, || Item {
                state: State::Gone,
                key: 0,
                mask: 0,
                input: 0,
                output: 0,
                others: [0; WARP],
                local: [0; 3],
                linear: 0,
                stack: 0,
                place: null_mut(),
            });
        }
        loop {
            while machine().next < machine().count {
                start_one()?;
            }
            if !settle() {
                // Stacks of work-items that wait forever are discarded with them.
                let m = machine();
                let waits = m.items.iter().take(m.count).any(|item| item.state != State::Gone);
                m.stacks.truncate(if waits { 0 } else { m.stacks.len() });
                m.free = (0..m.stacks.len()).collect();
                return if waits { Err(LAUNCH_FAILED) } else { Ok(()) };
            }
            for index in 0..machine().count {
                let m = machine();
                let item = &m.items[index];
                if item.state == State::Runs {
                    let (stack, place) = (item.stack, item.place);
                    m.me = index;
                    m.running = stack;
                    switch(&raw mut (*MACHINE.0.get()).scheduler, place);
                }
            }
        }
    }
}

/// Starts work-items on a new stack, until one of them waits or all have ended.
unsafe fn start_one() -> Result<(), Code> {
    // SAFETY: the caller holds the lock.
    unsafe {
        let m = machine();
        let stack = match m.free.pop() {
            Some(stack) => stack,
            None => {
                m.stacks.push(Stack::new().ok_or(crate::OUT_OF_MEMORY)?);
                m.stacks.len() - 1
            }
        };
        m.running = stack;
        let place = m.stacks[stack].begin(work);
        switch(&raw mut (*MACHINE.0.get()).scheduler, place);
    }
    Ok(())
}

/// Runs on every stack: executes one work-item after another.
unsafe extern "C" fn work() -> ! {
    // SAFETY: the thread holds the lock while it is on this stack. References end before the kernel runs.
    unsafe {
        loop {
            let m = machine();
            let (index, count) = (m.next, m.count);
            let Some(launch) = m.launch.as_ref().filter(|_| index < count) else {
                m.free.push(m.running);
                let mut never = null_mut();
                let scheduler = m.scheduler;
                switch(&raw mut never, scheduler);
                continue;
            };
            let (kernel, arguments) = (launch.kernel, launch.arguments);
            let [x, y, _] = launch.size.map(|size| size as usize);
            m.next += 1;
            m.me = index;
            let item = &mut m.items[index];
            item.state = State::Runs;
            item.linear = index;
            item.local = [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32];
            item.stack = m.running;
            kernel(arguments);
            let m = machine();
            let me = m.me;
            m.items[me].state = State::Gone;
        }
    }
}

/// Resumes work-items whose conditions are met. Returns false if none can run afterwards.
unsafe fn settle() -> bool {
    // SAFETY: the caller holds the lock.
    let m = unsafe { machine() };
    let items = &mut m.items[..m.count];
    let live = items.iter().filter(|item| item.state != State::Gone).count();
    let at_barrier = items.iter().filter(|item| item.state == State::AtBarrier);
    let (waiting, sum) =
        at_barrier.fold((0, 0_u64), |(count, sum), item| (count + 1, sum + u64::from(item.input != 0)));
    if live == 0 {
        return false;
    }
    if waiting == live {
        for item in items.iter_mut().filter(|item| item.state == State::AtBarrier) {
            item.output = (live as u64) << 32 | sum;
            item.state = State::Runs;
        }
        return true;
    }
    let mut runs = false;
    for warp in items.chunks_mut(WARP) {
        runs |= settle_masks(warp) || settle_active(warp);
    }
    runs
}

/// Resumes lanes whose complete mask has arrived. As on a GPU, lanes that have ended the kernel are not waited for.
fn settle_masks(warp: &mut [Item]) -> bool {
    let mut released = false;
    for lane in 0..warp.len() {
        if warp[lane].state != State::AtMask {
            continue;
        }
        let mask = warp[lane].mask;
        let is_in = |other: &usize| mask >> other & 1 == 1;
        let is_there = |other: &Item| other.state == State::AtMask && other.mask == mask;
        let complete = (0..WARP)
            .filter(is_in)
            .all(|other| warp.get(other).is_some_and(|other| is_there(other) || other.state == State::Gone));
        if !complete {
            continue;
        }
        let mut values = [0xdead_beef; WARP];
        let mut present = 0_u64;
        for other in (0..WARP).filter(is_in).filter(|&other| is_there(&warp[other])) {
            values[other] = warp[other].input;
            present |= 1 << other;
        }
        for other in (0..WARP).filter(|other| present >> other & 1 == 1) {
            warp[other].others = values;
            warp[other].output = present;
            warp[other].state = State::Runs;
        }
        released = true;
    }
    released
}

/// Resumes the lanes at the same position while all others wait.
fn settle_active(warp: &mut [Item]) -> bool {
    let Some(first) = warp.iter().find(|item| item.state == State::AtActive) else { return false };
    let key = first.key;
    let is_there = |item: &Item| item.state == State::AtActive && item.key == key;
    let together = warp.iter().enumerate().filter(|(_, item)| is_there(item));
    let together = together.fold(0_u64, |mask, (lane, _)| mask | 1 << lane);
    for item in warp.iter_mut().filter(|item| is_there(item)) {
        item.output = together;
        item.state = State::Runs;
    }
    true
}

impl Machine {
    /// Returns the running work-item.
    #[inline]
    pub(super) fn me(&mut self) -> &mut Item {
        &mut self.items[self.me]
    }

    /// Returns whether an address is on a work-item's stack.
    pub(super) fn is_private(&self, address: usize) -> bool {
        self.stacks.iter().any(|stack| stack.contains(address))
    }

    /// Returns whether an address is in the work-group's local memory.
    pub(super) fn is_local(&self, address: usize) -> bool {
        let Some(launch) = &self.launch else { return false };
        let mut at = launch.rooms;
        // SAFETY: null, or an image's list, which ends with null.
        unsafe {
            while let Some(room) = at.as_ref().filter(|room| !room.start.is_null()) {
                if (room.start.addr()..room.start.addr() + room.bytes as usize).contains(&address) {
                    return true;
                }
                at = at.add(1);
            }
        }
        false
    }
}

/// Suspends the work-item until its condition is met.
unsafe fn wait_as(state: State) {
    // SAFETY: only kernels call this, so this thread holds the lock and is on the work-item's stack.
    unsafe {
        let m = machine();
        let scheduler = m.scheduler;
        let item = m.me();
        item.state = state;
        let place = &raw mut item.place;
        switch(place, scheduler);
    }
}

/// Meets the lanes of a mask, each with a value. Returns the values of all, and which of them took part.
///
/// # Safety
///
/// Called by a kernel.
pub(super) unsafe fn meet(mask: u32, value: u64) -> (&'static [u64; WARP], u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let item = machine().me();
        item.mask = mask;
        item.input = value;
        wait_as(State::AtMask);
        let item = machine().me();
        (&item.others, item.output as u32)
    }
}

/// Meets the whole work-group. Returns how many work-items there are and how many of them passed a value other than
/// 0.
///
/// # Safety
///
/// Called by a kernel.
pub(super) unsafe fn barrier(value: u64) -> (u32, u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        machine().me().input = value;
        wait_as(State::AtBarrier);
        let output = machine().me().output;
        ((output >> 32) as u32, output as u32)
    }
}

/// Returns the lanes that arrive at the same position together.
///
/// # Safety
///
/// Called by a kernel.
pub(super) unsafe fn active(key: usize) -> u32 {
    // SAFETY: guaranteed by the caller.
    unsafe {
        machine().me().key = key;
        wait_as(State::AtActive);
        machine().me().output as u32
    }
}
