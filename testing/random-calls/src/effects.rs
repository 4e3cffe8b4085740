//! Tracks what a successful call changed: which handles became live, and which were released.

use sycl_pi_loader::Backend;

use crate::arguments::Call;
use crate::fixture::Fixture;
use crate::pools::{Block, Kind, Plain, bare};

/// Types of handles without a reference count.
const PLAIN: [&str; 4] =
    ["pi_image_mem_handle", "pi_image_handle", "pi_interop_mem_handle", "pi_interop_semaphore_handle"];

impl Fixture {
    /// Returns whether the call may wait for something, and whether it frees something that commands may still use.
    pub(crate) fn needs_rest(&self, call: &Call) -> (bool, bool) {
        let name = call.entry.name;
        let blocking =
            call.params.iter().any(|(param, _)| param.starts_with("blocking") && call.get(param) != 0);
        // In OpenCL, the caller ensures that a mapping is complete before it is unmapped. PoCL would write into a
        // freed one.
        let overtakes = name == "piEnqueueMemUnmap" && !self.owns_objects;
        let takes_away = overtakes
            || name.contains("Free")
            || name.contains("Destroy")
            || name == "piextMemReleaseInterop"
            // A context frees its USM, even if queues of other contexts use it. Nobody can wait for a released
            // queue, whose commands use memory too. Intel's CPU runtimes may also wait forever for such a queue
            // (`released_queue.c`).
            || matches!(name, "piContextRelease" | "piQueueRelease");
        // CUDA returns from a copy into the host's pageable memory only when it is complete, whatever the call
        // requests.
        let copies_back = self.backend == Backend::Cuda
            && ["Read", "Memcpy", "piextMemImageCopy"].iter().any(|part| name.contains(part));
        let asynchronous = name.contains("Enqueue") && !blocking && !copies_back;
        let harmless = name.contains("Info") || name.ends_with("Retain") || name.ends_with("Create");
        (overtakes || copies_back || !(asynchronous || harmless), takes_away)
    }

    /// Replaces the call's handle if releasing the reference would free what something else still needs.
    pub(crate) fn must_not(&mut self, call: &mut Call) {
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.release() == Some(call.entry.name)) else {
            return;
        };
        let Some(word) = call.words.first().copied() else { return };
        // Children may keep an object alive beyond our last reference. One release too many would take their
        // reference, and no plugin can detect that.
        if self.pools.is_stale(kind, word) {
            call.words = vec![0];
            return;
        }
        let kept = self.pools.find(kind, word).is_some_and(|object| object.pinned && object.references <= 1);
        if kept {
            let other = self.pools.pick_releasable(kind, &mut self.random);
            call.words = vec![other.unwrap_or(0)];
        }
    }

    /// Records the results of a successful call.
    pub(crate) fn take_in(&mut self, call: &Call) {
        let name = call.entry.name;
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.release() == Some(name)) {
            let word = call.words.first().copied().unwrap_or(0);
            self.pools.remove(kind, word);
            if self.pools.find(kind, word).is_none() {
                // A buffer's mappings and a context's memory are freed with it.
                self.pools.maps.retain(|(mem, _)| *mem != word);
                self.pools.blocks.retain(|block| block.context != word);
            }
            return;
        }
        if let Some((_, ty)) = call.params.first()
            && name.ends_with("Retain")
            && let Some(kind) = Kind::of(ty)
        {
            return self.pools.add(kind, call.words.first().copied().unwrap_or(0), false);
        }
        if name.ends_with("GetNativeHandle") {
            return self.native_handle(call);
        }
        // The device takes over the caller's reference. OpenCL's devices are those references, so it is already
        // counted.
        if name == "piextDeviceCreateWithNativeHandle" && !self.owns_objects {
            return;
        }
        match name {
            "piextUSMFree" => self.pools.blocks.retain(|block| block.start != call.get("ptr")),
            "piEnqueueMemUnmap" => {
                let gone = (call.get("memobj"), call.get("mapped_ptr"));
                if let Some(at) = self.pools.maps.iter().position(|map| *map == gone) {
                    self.pools.maps.remove(at);
                }
            }
            "piextMemImageFree"
            | "piextMemMipmapFree"
            | "piextMemReleaseInterop"
            | "piextDestroyExternalSemaphore"
            | "piextMemUnsampledImageHandleDestroy"
            | "piextMemSampledImageHandleDestroy" => {
                let gone = call.words.get(2).copied().unwrap_or(0);
                self.pools.plain.retain(|plain| plain.value != gone);
            }
            _ => {}
        }
        if name.starts_with("piextCommandBuffer") {
            // Each run uses the recorded memory again.
            for address in ["ptr", "dst_ptr", "src_ptr"].map(|name| call.get(name)) {
                self.pools
                    .blocks
                    .iter_mut()
                    .filter(|block| block.start == address)
                    .for_each(|block| block.pinned = true);
            }
        }
        self.results(call);
    }

    fn results(&mut self, call: &Call) {
        let name = call.entry.name;
        for (index, (param, ty)) in call.params.iter().enumerate() {
            let word = call.words.get(index).copied().unwrap_or(0);
            if !self.memory.is_out(word) || !ty.starts_with("*mut") && !ty.starts_with("* mut") {
                continue;
            }
            let value = self.memory.read(word, 0);
            if let Some(kind) = Kind::of(ty) {
                let listed = matches!(*param, "platforms" | "devices" | "out_devices");
                let borrowed = matches!(*param, "platforms" | "devices") || name.contains("PlatformCreate");
                let count = if listed {
                    (0..64).take_while(|at| self.memory.read(word, *at) != 0).count()
                } else {
                    1
                };
                for at in 0..count {
                    self.pools.add(kind, self.memory.read(word, at), borrowed);
                }
                match name {
                    // Contexts and queues of PoCL hold no reference to their sub-devices, so the caller keeps one.
                    "piDevicePartition" if !self.owns_objects => {
                        (0..count).for_each(|at| self.pools.pin(kind, self.memory.read(word, at)));
                    }
                    "piKernelCreate" => self.known_kernel(call, value),
                    "piEventCreate" => {
                        self.pools.pin(Kind::Event, value);
                        self.pools.open_events.push(value);
                    }
                    _ => {}
                }
            } else if *param == "result_ptr" {
                // The memory is freed with its context, which may be one that only its objects keep alive.
                if self.pools.find(Kind::Context, call.get("context")).is_none() {
                    continue;
                }
                let size = if name.contains("Pitched") { 0 } else { call.get("size") };
                self.pools.blocks.push(Block {
                    start: value,
                    size,
                    context: call.get("context"),
                    pinned: false,
                });
            } else if *param == "ret_map" {
                self.pools.maps.push((call.get("buffer"), value));
            } else if let Some(ty) = PLAIN.into_iter().find(|known| *known == bare(ty)) {
                // A level lives as long as its mipmap, but nothing counts references to it. So leave both.
                if value != 0 && name != "piextMemMipmapGetLevel" {
                    self.pools.plain.push(Plain { ty, value, pinned: false });
                }
            }
        }
    }

    fn known_kernel(&mut self, call: &Call, kernel: u64) {
        let name = call.get("kernel_name");
        let spelled = |known: &str| {
            known.bytes().chain([0]).enumerate().all(|(at, byte)| {
                let word = self.memory.read(name + (at as u64 & !7), 0);
                word.to_ne_bytes()[at % 8] == byte
            })
        };
        let number = crate::fixture::KERNELS.iter().position(|(known, _)| spelled(known));
        if let Some(object) = self.pools.find(Kind::Kernel, kernel) {
            object.kernel = number;
        }
    }

    fn native_handle(&mut self, call: &Call) {
        let Some((_, ty)) = call.params.first() else { return };
        let (Some(kind), place) = (Kind::of(ty), call.get("nativeHandle")) else { return };
        let desc = call.get("nativeHandleDesc");
        let beside = if desc == 0 { 0 } else { self.memory.read(desc, 0) & 0xffff_ffff };
        let source = call.words.first().copied().unwrap_or(0);
        // An object that only its children keep alive may be freed before its native handle is used.
        if self.pools.find(kind, source).is_none() {
            return;
        }
        self.pools.pin(kind, source);
        let native = (kind, self.memory.read(place, 0), beside);
        if !self.pools.native.contains(&native) {
            self.pools.native.push(native);
        }
    }
}
