//! Keeps calls within the contract. Lengths that only the caller can know are made true, and arguments that belong
//! together are made consistent. The remaining errors are those that a plugin or its driver can detect.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::arguments::Call;
use crate::fixture::{CONSTANTS, Fixture, GLOBALS, KERNELS, LARGE, SPIRV};
use crate::memory::{INFO, SCRATCH};
use crate::pools::Kind;

/// The maximum moved to or from memory whose size a plugin cannot check.
const PAGE: u64 = 4096;
/// More devices than any program has.
const DEVICES: usize = 64;
/// A size that no system can allocate, not even one that overcommits memory. A buffer that exists must fit into the
/// caller's memory, which is read and written as a whole.
const NEVER: u64 = 1 << 60;

impl Fixture {
    /// Corrects the independently generated arguments.
    pub(crate) fn within_the_contract(&mut self, call: &mut Call) {
        let name = call.entry.name;
        // A given buffer is as large as reported.
        if call.get("param_value") != 0 {
            call.set("param_value_size", call.get("param_value_size").min(INFO as u64));
        }
        if call.get("input_value") != 0 {
            call.set("input_value_size", call.get("input_value_size").min(PAGE));
        }
        for (pointer, size) in
            [("arg_value", "arg_size"), ("spec_value", "spec_size"), ("pattern", "pattern_size")]
        {
            if call.get(pointer) != 0 {
                call.set(size, call.get(size).min(PAGE));
            }
        }
        if call.get("host_ptr") != 0 {
            call.set("size", call.get("size").min(LARGE as u64));
        }
        match name {
            // Only the caller knows this memory, so the length must be true, unless an address is missing.
            _ if name.contains("USM") && !name.ends_with("Alloc") && !name.contains("Info") => {
                self.shared(call)
            }
            "piextUSMHostAlloc" | "piextUSMDeviceAlloc" | "piextUSMSharedAlloc" => {
                never_there(call);
            }
            "piMemBufferCreate" => never_there(call),
            "piextUSMPitchedAlloc" => {
                call.set("width_in_bytes", call.get("width_in_bytes").min(PAGE));
                call.set("height", call.get("height").min(64));
            }
            "piEnqueueKernelLaunch"
            | "piextEnqueueCooperativeKernelLaunch"
            | "piextCommandBufferNDRangeKernel" => {
                self.launch(call);
            }
            "piKernelCreate" if call.get("kernel_name") != 0 && !self.random.one_in(4) => {
                let (name, _) = KERNELS[self.random.below(KERNELS.len())];
                let name = self.memory.put(name.as_bytes());
                call.set("kernel_name", name);
            }
            // Each binary is written to the scratch memory.
            "piProgramGetInfo"
                if call.get("param_name") == u64::from(PI_PROGRAM_INFO_BINARIES)
                    && self.longest_binary(call.get("program")) > SCRATCH as u64 =>
            {
                call.set("param_value", 0);
            }
            "piProgramCreate" => self.module(call),
            "piProgramCreateWithBinary" => self.binaries(call),
            "piclProgramCreateWithSource" => self.sources(call),
            "piProgramCompile" => {
                let (count, headers) = (call.get("num_input_headers"), call.get("header_include_names") != 0);
                let name = self.memory.put(b"a.h");
                let names = self.memory.put_words(&[name; 8]);
                call.set("header_include_names", if headers { names } else { 0 });
                call.set("num_input_headers", count.min(8));
                if count > 8 {
                    call.set("input_headers", 0);
                }
            }
            "piProgramBuild" | "piProgramLink" if self.random.one_in(2) => call.set("options", 0),
            "piextDeviceSelectBinary" => {
                let (count, list) = self.images();
                call.set("num_binaries", count);
                if call.get("binaries") != 0 {
                    call.set("binaries", list);
                }
            }
            "piEnqueueNativeKernel" => {
                let args = self.memory.host();
                let places = self.memory.put_words(&[args; 8]);
                call.set("cb_args", 64);
                if call.get("args_mem_loc") != 0 {
                    call.set("args_mem_loc", places);
                }
            }
            "piEnqueueMemUnmap" => {
                let maps = &self.pools.maps;
                if let Some((mem, address)) = maps.get(self.random.below(maps.len())).copied()
                    && !self.random.one_in(4)
                {
                    call.set("memobj", mem);
                    call.set("mapped_ptr", address);
                }
            }
            "piextQueueCreateWithNativeHandle" => {
                let native = call.get("nativeHandle");
                let beside = self
                    .pools
                    .native
                    .iter()
                    .find(|(kind, handle, _)| *kind == Kind::Queue && *handle == native);
                call.set("nativeHandleDesc", beside.map_or(0, |(_, _, beside)| *beside));
            }
            "piMemBufferPartition" if self.random.one_in(2) => call.set("buffer_create_type", 0x1220),
            "piMemImageCreate" if call.get("host_ptr") != 0 && self.random.one_in(2) => {
                call.set("host_ptr", 0)
            }
            // The flags say which of the two is an image, and they may not match the actual memory.
            "piextMemImageCopy" => self.image_copy(call),
            _ => {}
        }
        if self.misplaced_objects_break {
            self.without_foreign_events(call);
            self.without_images_as_buffers(call);
        }
    }

    /// Returns the length of the longest binary of a live program. PoCL's binary has all kernels that it ever built
    /// from that source.
    fn longest_binary(&mut self, program: u64) -> u64 {
        if self.pools.find(Kind::Program, program).is_none() {
            return 0;
        }
        let mut sizes = [0_u64; DEVICES];
        let (program, room) = (program as pi_program, sizes.as_mut_ptr().cast());
        // SAFETY: a live handle, and a buffer of the reported size.
        let _ = unsafe {
            self.pi.piProgramGetInfo(
                program,
                PI_PROGRAM_INFO_BINARY_SIZES,
                size_of_val(&sizes),
                room,
                null_mut(),
            )
        };
        sizes.into_iter().max().unwrap_or(0)
    }

    fn shared(&mut self, call: &mut Call) {
        let pointers = ["ptr", "dst_ptr", "src_ptr", "pattern"];
        let missing = call.params.iter().any(|(name, _)| pointers.contains(name) && call.get(name) == 0);
        let limits = [
            ("size", PAGE),
            ("length", PAGE),
            ("count", PAGE),
            ("pitch", 128),
            ("dst_pitch", 128),
            ("src_pitch", 128),
        ];
        for (name, limit) in limits.into_iter().chain([("width", 128), ("height", 16), ("pattern_size", 256)])
        {
            if call.params.iter().any(|(param, _)| *param == name) && !missing {
                call.set(name, call.get(name).min(limit));
            }
        }
        if call.entry.name == "piextUSMFree" && call.get("ptr") != 0 {
            let free: Vec<_> = self.pools.blocks.iter().filter(|block| !block.pinned).copied().collect();
            match self.random.of(&free) {
                Some(block) => {
                    call.set("ptr", block.start);
                    if call.get("context") != 0 {
                        call.set("context", block.context);
                    }
                }
                None => call.set("ptr", 0),
            }
        }
    }

    /// Sets sizes for which a kernel's memory is large enough, and arguments that it can work with.
    fn launch(&mut self, call: &mut Call) {
        let dims = call.get("work_dim");
        let sides: &[u64] = if dims == 1 { &[1, 8, 64, 1024] } else { &[1, 2, 4, 8, 16] };
        let three = |fixture: &mut Self, more: &[u64]| {
            let list = [sides, sides, more].concat();
            let words = [0; 3].map(|_: i32| fixture.random.of(&list).unwrap_or(1));
            fixture.memory.put_words(&words)
        };
        if call.get("global_work_size") != 0 {
            let global = three(self, &[0, 3]);
            call.set("global_work_size", global);
        }
        let local = if self.random.one_in(2) { 0 } else { three(self, &[0, 3, 1 << 20, u64::MAX]) };
        call.set("local_work_size", local);
        let offset = if self.random.one_in(2) { 0 } else { three(self, &[0]) };
        call.set("global_work_offset", offset);
        let kernel = call.get("kernel");
        // An unknown kernel is not launched, because it is not known which memory it accesses.
        match self.pools.find(Kind::Kernel, kernel).map(|object| object.kernel) {
            Some(Some(number)) => self.prepare(kernel, number),
            Some(None) => call.set("kernel", 0),
            None => {}
        }
    }

    /// Sets a whole module, or one that a plugin can recognize as invalid. Only the driver could check a module
    /// damaged inside.
    fn module(&mut self, call: &mut Call) {
        if call.get("il") == 0 {
            return;
        }
        let module = self.random.of(&[SPIRV, SPIRV, GLOBALS, CONSTANTS]).unwrap_or(SPIRV);
        let cut = self.random.below(module.len() / 4) * 4;
        let bytes = match self.random.below(6) {
            0 => module.get(..cut).unwrap_or_default(),
            1 => &[0x7f; 64],
            2 => b"kernel void k() {}",
            _ => module,
        };
        let (start, length) = (self.memory.put(bytes), bytes.len() as u64);
        call.set("il", start);
        call.set("length", length);
    }

    /// Sets a binary of the driver's own: whole, truncated, or something else.
    fn binaries(&mut self, call: &mut Call) {
        let count = call.get("num_devices");
        let binary = std::mem::take(&mut self.binary);
        let cut = self.random.below(binary.len());
        let bytes = match self.random.below(5) {
            0 if self.damaged_binaries => binary.get(..cut).unwrap_or_default(),
            0 | 1 => b"\x7fELF\x01\x02\x03\x04",
            2 => SPIRV,
            _ => binary.as_slice(),
        };
        let length = if self.random.one_in(12) { 0 } else { bytes.len() as u64 };
        let start = self.memory.put(bytes);
        let starts = self.memory.put_words(&[start; 8]);
        let lengths = self.memory.put_words(&[length; 8]);
        self.binary = binary;
        for (name, list) in [("binaries", starts), ("lengths", lengths)] {
            if call.get(name) != 0 {
                call.set(name, list);
            }
        }
        if count > 8 {
            call.set("device_list", 0);
        }
        let (count, list) = self.metadata();
        call.set("num_metadata_entries", count);
        call.set("metadata", list);
    }

    fn sources(&mut self, call: &mut Call) {
        const TEXTS: [&[u8]; 4] =
            [b"kernel void k() {}", b"", b"this is no program", b"kernel void k(global int *a) { *a = 1; }"];
        let texts: Vec<u64> = (0..4)
            .map(|_| {
                let text = self.random.of(&TEXTS).unwrap_or_default();
                if self.random.one_in(16) { 0 } else { self.memory.put(text) }
            })
            .collect();
        if call.get("strings") != 0 {
            let list = self.memory.put_words(&texts);
            call.set("strings", list);
        }
        call.set("count", self.random.below(5) as u64);
        let lengths = if self.random.one_in(2) { 0 } else { self.memory.put_words(&[0; 4]) };
        call.set("lengths", lengths);
    }

    fn image_copy(&mut self, call: &mut Call) {
        let images: Vec<u64> = self
            .pools
            .plain
            .iter()
            .filter(|plain| plain.ty == "pi_image_mem_handle")
            .map(|plain| plain.value)
            .collect();
        let (image, host) = (self.random.of(&images).unwrap_or(0), self.memory.host());
        let (flags, from, to) = match self.random.below(4) {
            0 => (0, host, image),
            1 => (1, image, host),
            2 => (2, image, image),
            _ => (77, host, host),
        };
        call.set("flags", flags);
        call.set("src_ptr", from);
        call.set("dst_ptr", to);
    }
}

/// Turns sizes beyond the caller's own memory into one that cannot be allocated.
fn never_there(call: &mut Call) {
    if (1 << 31..NEVER).contains(&call.get("size")) {
        call.set("size", NEVER);
    }
}
