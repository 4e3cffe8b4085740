//! The live handles, which calls returned and no call released.

use std::collections::VecDeque;

use sycl_pi_core::table::{ENTRY_POINTS, EntryPoint};

use crate::random::Random;

/// Declares the kinds, each with its C type.
macro_rules! kinds {
    ($($kind:ident $ty:literal)*) => {
        /// The kinds of handles with reference counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($kind),*
        }

        impl Kind {
            pub(crate) const ALL: [Kind; KINDS] = [$(Kind::$kind),*];

            /// Returns the kind of a C type, with or without a pointer in front.
            pub(crate) fn of(ty: &str) -> Option<Self> {
                Some(match bare(ty) {
                    $($ty => Kind::$kind,)*
                    _ => return None,
                })
            }
        }
    };
}

const KINDS: usize = 10;

kinds! {
    Platform "pi_platform"
    Device "pi_device"
    Context "pi_context"
    Queue "pi_queue"
    Mem "pi_mem"
    Program "pi_program"
    Kernel "pi_kernel"
    Event "pi_event"
    Sampler "pi_sampler"
    CommandBuffer "pi_ext_command_buffer"
}

impl Kind {
    /// Returns the call that releases a reference. It takes only the handle.
    pub(crate) fn release(self) -> Option<&'static str> {
        let releases = ENTRY_POINTS.iter().filter(|entry| entry.name.ends_with("Release"));
        let of_this = |entry: &&EntryPoint| matches!(entry.params, [(_, ty)] if Kind::of(ty) == Some(self));
        releases.filter(of_this).map(|entry| entry.name).next()
    }
}

/// Returns a type without `*const` and `*mut`.
pub(crate) fn bare(ty: &str) -> &str {
    ty.rsplit(['*', ' ']).next().unwrap_or(ty)
}

/// A live handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) handle: u64,
    /// The number of references that belong to this program.
    pub(crate) references: u32,
    /// Whether something else needs it without counting, so that the last reference is kept.
    pub(crate) pinned: bool,
    /// For known kernels, the index.
    pub(crate) kernel: Option<usize>,
}

/// Unified shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) start: u64,
    pub(crate) size: u64,
    pub(crate) context: u64,
    pub(crate) pinned: bool,
}

/// An object of the driver's without a reference count, such as an image's memory or a bindless handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// The C type.
    pub(crate) ty: &'static str,
    pub(crate) value: u64,
    pub(crate) pinned: bool,
}

/// How many released handles are remembered. Plugins that own their handles can tell more apart.
const STALE: usize = 32;

/// All live objects.
#[derive(Default)]
pub(crate) struct Pools {
    objects: [Vec<Object>; KINDS],
    stale: [VecDeque<u64>; KINDS],
    pub(crate) blocks: Vec<Block>,
    /// Mapped memory, as the object and the address.
    pub(crate) maps: Vec<(u64, u64)>,
    pub(crate) plain: Vec<Plain>,
    /// Native handles, each with its kind and the value that accompanies it.
    pub(crate) native: Vec<(Kind, u64, u64)>,
    /// User events, which complete only when their status is set.
    pub(crate) open_events: Vec<u64>,
}

impl Pools {
    pub(crate) fn of(&self, kind: Kind) -> &[Object] {
        &self.objects[kind as usize]
    }

    fn list(&mut self, kind: Kind) -> &mut Vec<Object> {
        &mut self.objects[kind as usize]
    }

    pub(crate) fn find(&mut self, kind: Kind, handle: u64) -> Option<&mut Object> {
        self.list(kind).iter_mut().find(|object| object.handle == handle)
    }

    /// Adds a reference to a handle, which may already be known.
    pub(crate) fn add(&mut self, kind: Kind, handle: u64, pinned: bool) {
        if handle == 0 {
            return;
        }
        self.stale[kind as usize].retain(|stale| *stale != handle);
        match self.find(kind, handle) {
            Some(object) => {
                object.references += u32::from(!pinned);
                object.pinned |= pinned;
            }
            None => self.list(kind).push(Object { handle, references: 1, pinned, kernel: None }),
        }
    }

    /// Removes a reference.
    pub(crate) fn remove(&mut self, kind: Kind, handle: u64) {
        let Some(object) = self.find(kind, handle) else { return };
        object.references -= 1;
        if object.references == 0 {
            self.list(kind).retain(|object| object.handle != handle);
            let stale = &mut self.stale[kind as usize];
            stale.push_back(handle);
            if stale.len() > STALE {
                stale.pop_front();
            }
        }
    }

    /// Keeps the last reference from now on.
    pub(crate) fn pin(&mut self, kind: Kind, handle: u64) {
        if let Some(object) = self.find(kind, handle) {
            object.pinned = true;
        }
    }

    /// Returns a live handle. Prefers the first ones, because they belong together.
    pub(crate) fn pick(&self, kind: Kind, random: &mut Random) -> Option<Object> {
        let all = self.of(kind);
        let few = if random.one_in(3) { all } else { all.get(..2).unwrap_or(all) };
        random.of(few)
    }

    /// Returns a handle whose last reference was released.
    pub(crate) fn pick_stale(&self, kind: Kind, random: &mut Random) -> Option<u64> {
        let stale = &self.stale[kind as usize];
        stale.get(random.below(stale.len())).copied()
    }

    /// Returns whether the handle's last reference was released.
    pub(crate) fn is_stale(&self, kind: Kind, handle: u64) -> bool {
        self.stale[kind as usize].contains(&handle)
    }

    /// Returns a handle with a reference that may be released.
    pub(crate) fn pick_releasable(&self, kind: Kind, random: &mut Random) -> Option<u64> {
        let free = |object: &&Object| object.references > 1 || !object.pinned;
        let all: Vec<u64> = self.of(kind).iter().filter(free).map(|object| object.handle).collect();
        random.of(&all)
    }

    /// Returns a kind with too many objects.
    pub(crate) fn crowded(&self) -> Option<Kind> {
        const ENOUGH: usize = 24;
        let too_many = |kind: &Kind| self.of(*kind).iter().filter(|object| !object.pinned).count() > ENOUGH;
        Kind::ALL.into_iter().filter(too_many).find(|kind| kind.release().is_some())
    }
}
