//! The handles that are alive: what calls gave out, less what was released.

use std::collections::VecDeque;

use crate::random::Random;

/// The kinds of handles that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Platform,
    Device,
    Context,
    Queue,
    Mem,
    Program,
    Kernel,
    Event,
    Sampler,
    CommandBuffer,
}

impl Kind {
    pub(crate) const ALL: [Kind; 10] = [
        Kind::Platform,
        Kind::Device,
        Kind::Context,
        Kind::Queue,
        Kind::Mem,
        Kind::Program,
        Kind::Kernel,
        Kind::Event,
        Kind::Sampler,
        Kind::CommandBuffer,
    ];

    /// The kind of a C type, with or without a pointer in front.
    pub(crate) fn of(ty: &str) -> Option<Self> {
        Some(match bare(ty) {
            "pi_platform" => Kind::Platform,
            "pi_device" => Kind::Device,
            "pi_context" => Kind::Context,
            "pi_queue" => Kind::Queue,
            "pi_mem" => Kind::Mem,
            "pi_program" => Kind::Program,
            "pi_kernel" => Kind::Kernel,
            "pi_event" => Kind::Event,
            "pi_sampler" => Kind::Sampler,
            "pi_ext_command_buffer" => Kind::CommandBuffer,
            _ => return None,
        })
    }

    /// The call that gives a reference back.
    pub(crate) fn release(self) -> Option<&'static str> {
        Some(match self {
            Kind::Platform => return None,
            Kind::Device => "piDeviceRelease",
            Kind::Context => "piContextRelease",
            Kind::Queue => "piQueueRelease",
            Kind::Mem => "piMemRelease",
            Kind::Program => "piProgramRelease",
            Kind::Kernel => "piKernelRelease",
            Kind::Event => "piEventRelease",
            Kind::Sampler => "piSamplerRelease",
            Kind::CommandBuffer => "piextCommandBufferRelease",
        })
    }
}

/// A type without `*const` and `*mut`.
pub(crate) fn bare(ty: &str) -> &str {
    ty.rsplit(['*', ' ']).next().unwrap_or(ty)
}

/// A handle that is alive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) handle: u64,
    /// References that are ours.
    pub(crate) references: u32,
    /// Something else needs it without counting: the last reference is kept.
    pub(crate) pinned: bool,
    /// For kernels: which of the known ones.
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

/// Something of the driver's that has no count: an image's memory, a bindless handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    /// The C type.
    pub(crate) ty: &'static str,
    pub(crate) value: u64,
    pub(crate) pinned: bool,
}

/// How many released handles are remembered; plugins that own their handles keep more apart.
const STALE: usize = 32;

/// Everything that is alive.
#[derive(Default)]
pub(crate) struct Pools {
    objects: [Vec<Object>; 10],
    stale: [VecDeque<u64>; 10],
    pub(crate) blocks: Vec<Block>,
    /// Mapped memory: the object and the address.
    pub(crate) maps: Vec<(u64, u64)>,
    pub(crate) plain: Vec<Plain>,
    /// Native handles: of which kind, the handle, what came beside it.
    pub(crate) native: Vec<(Kind, u64, u64)>,
    /// Events that complete only when they are told to.
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

    /// One reference more, to a handle that may be there already.
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

    /// One reference less.
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

    /// A live handle, the first ones more often: they belong together.
    pub(crate) fn pick(&self, kind: Kind, random: &mut Random) -> Option<Object> {
        let all = self.of(kind);
        let few = if random.one_in(3) { all } else { all.get(..2).unwrap_or(all) };
        random.of(few)
    }

    /// A handle that was released for the last time.
    pub(crate) fn pick_stale(&self, kind: Kind, random: &mut Random) -> Option<u64> {
        let stale = &self.stale[kind as usize];
        stale.get(random.below(stale.len())).copied()
    }

    /// Whether the handle was released for the last time.
    pub(crate) fn is_stale(&self, kind: Kind, handle: u64) -> bool {
        self.stale[kind as usize].contains(&handle)
    }

    /// A handle of which a reference may be given back.
    pub(crate) fn pick_releasable(&self, kind: Kind, random: &mut Random) -> Option<u64> {
        let free = |object: &&Object| object.references > 1 || !object.pinned;
        let all: Vec<u64> = self.of(kind).iter().filter(free).map(|object| object.handle).collect();
        random.of(&all)
    }

    /// A kind of which there is too much.
    pub(crate) fn crowded(&self) -> Option<Kind> {
        const ENOUGH: usize = 24;
        let too_many = |kind: &Kind| self.of(*kind).iter().filter(|object| !object.pinned).count() > ENOUGH;
        Kind::ALL.into_iter().filter(|kind| kind.release().is_some()).find(too_many)
    }
}
