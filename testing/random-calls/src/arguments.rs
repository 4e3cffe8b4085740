//! Arguments for a call: right ones, and wrong ones that callers might pass. `docs/reports/robustness.md` tells
//! which wrong ones are within the contract. Others are not generated.

use sycl_pi_core::table::EntryPoint;

use crate::fixture::Fixture;
use crate::memory::Memory;
use crate::pools::{Kind, bare};

/// Numbers larger than anything that exists.
const HUGE: [u64; 6] = [1 << 31, 1 << 32, 1 << 40, i64::MAX as u64, u64::MAX, u64::MAX - 15];
const SMALL: [u64; 14] = [0, 1, 2, 3, 4, 8, 16, 16, 64, 64, 128, 256, 1024, 4096];
/// Pitches on the host's side, which a plugin cannot check.
const HOST_PITCHES: [u64; 5] = [0, 0, 16, 256, 4096];
const TEXTS: [&[u8]; 12] = [
    b"fill_index",
    b"add_value",
    b"nothing",
    b"local_sum",
    b"Seed",
    b"Triple",
    b"no such name",
    b"",
    b"-g",
    b"-no-such-option",
    b"-O2",
    b"\xff\xfe\x80",
];

/// A generated call.
pub(crate) struct Call {
    pub(crate) entry: &'static EntryPoint,
    pub(crate) params: &'static [(&'static str, &'static str)],
    pub(crate) words: Vec<u64>,
}

impl Call {
    /// Returns the argument of a parameter by its name, or 0 if there is none.
    pub(crate) fn get(&self, name: &str) -> u64 {
        let at = self.params.iter().position(|(param, _)| *param == name);
        at.and_then(|at| self.words.get(at)).copied().unwrap_or(0)
    }

    pub(crate) fn set(&mut self, name: &str, word: u64) {
        if let Some(at) = self.params.iter().position(|(param, _)| *param == name)
            && let Some(to) = self.words.get_mut(at)
        {
            *to = word;
        }
    }

    /// Formats the call for people. Shows the first words of lists.
    pub(crate) fn text(&self, memory: &Memory) -> String {
        const SHOWN: u64 = 4;
        let argument = |(at, ((name, ty), word)): (usize, (&(&str, &str), &u64))| {
            let is_list = ["* const", "*const", "pi_buff_rect", "pi_image_offset", "pi_image_region"]
                .iter()
                .any(|start| ty.starts_with(start));
            if !is_list || ty.ends_with("_char") || ty.ends_with("void") || !memory.is_small(*word) {
                return format!("{name}={word:#x}");
            }
            let before = at.checked_sub(1).and_then(|at| self.words.get(at)).copied().unwrap_or(0);
            let counted =
                self.params.get(at.wrapping_sub(1)).is_some_and(|(name, _)| name.starts_with("num"));
            let count = if counted { before.min(SHOWN) } else { 3 };
            let words: Vec<String> =
                (0..count).map(|at| format!("{:#x}", memory.read(*word, at as usize))).collect();
            format!("{name}=[{}]", words.join(" "))
        };
        let arguments = self.params.iter().zip(&self.words).enumerate().map(argument);
        format!("{}({})", self.entry.name, arguments.collect::<Vec<_>>().join(", "))
    }
}

/// Returns a type as the list spells it, without spaces after the stars.
fn plain(ty: &str) -> String {
    ty.replace("* ", "*")
}

extern "C" fn nothing() {}

impl Fixture {
    /// Generates arguments for an entry point. Two in three calls have only right ones, the others one or two wrong
    /// ones.
    pub(crate) fn arguments(&mut self, entry: &'static EntryPoint) -> Call {
        self.memory.next_call();
        let params = entry.params_in(self.version);
        let mut bad = [None; 2];
        if self.random.one_in(3) {
            bad = [Some(self.random.below(params.len())), Some(self.random.below(params.len()))];
            if self.random.one_in(2) {
                bad[1] = None;
            }
        }
        let mut call = Call { entry, params, words: Vec::with_capacity(params.len()) };
        for (index, (name, ty)) in params.iter().enumerate() {
            if call.words.len() > index {
                continue;
            }
            let bad = bad.contains(&Some(index));
            let ty = plain(ty);
            let next = params.get(index + 1).map(|(_, ty)| plain(ty));
            match next.as_deref() {
                Some(list) if name.starts_with("num") && list.starts_with('*') && is_listed(list) => {
                    let (count, start) = self.list(list, name, bad, index + 1);
                    call.words.extend([count, start]);
                }
                _ => {
                    let word = self.argument(entry.name, name, &ty, bad, index);
                    call.words.push(word);
                }
            }
        }
        self.within_the_contract(&mut call);
        call
    }

    /// Returns any number: a small one, or a huge one if it should be wrong.
    pub(crate) fn number(&mut self, bad: bool) -> u64 {
        self.random.of(if bad { &HUGE } else { &SMALL }).unwrap_or(0)
    }

    /// Returns a handle. A wrong one is null or, if the plugin owns its objects, a released one or one of another
    /// kind.
    pub(crate) fn handle(&mut self, kind: Kind, bad: bool) -> u64 {
        let live = self.pools.pick(kind, &mut self.random).map_or(0, |object| object.handle);
        if !bad {
            return live;
        }
        let owned = self.owns_objects || kind == Kind::CommandBuffer;
        match self.random.below(3) {
            1 if owned => self.pools.pick_stale(kind, &mut self.random).unwrap_or(0),
            2 if owned => {
                let other = self.random.of(&Kind::ALL).unwrap_or(kind);
                if other == kind {
                    0
                } else {
                    self.pools.pick(other, &mut self.random).map_or(0, |object| object.handle)
                }
            }
            _ => 0,
        }
    }

    /// Returns a count and a list. A wrong list is missing despite a count, contains a null, or has a huge count
    /// without a list.
    fn list(&mut self, ty: &str, count_name: &str, bad: bool, parameter: usize) -> (u64, u64) {
        if ty.starts_with("*mut") {
            // A buffer for results.
            return match self.random.below(4) {
                0 => (0, 0),
                1 if bad => (0, self.memory.out(parameter)),
                2 if bad => (self.random.of(&HUGE).unwrap_or(0) & 0xffff_ffff, 0),
                _ => (1 + self.random.below(64) as u64, self.memory.out(parameter)),
            };
        }
        let least = usize::from(!count_name.contains("wait") && !count_name.contains("header"));
        let count = least + self.random.below(4);
        if ty == "*const pi_ext_sync_point" {
            let points: Vec<u8> =
                (0..count).flat_map(|_| (self.random.below(6) as u32).to_ne_bytes()).collect();
            return if bad { (3, 0) } else { (count as u64, self.memory.put(&points)) };
        }
        let Some(kind) = Kind::of(ty) else { return (0, 0) };
        let mut handles: Vec<u64> =
            (0..count).map(|_| self.handle(kind, false)).filter(|handle| *handle != 0).collect();
        if bad {
            match self.random.below(4) {
                0 => return (1 + self.random.below(3) as u64, 0),
                1 => return (0xffff_ffff, 0),
                2 => handles.clear(),
                _ => {
                    let wrong = self.handle(kind, true);
                    handles.push(wrong);
                }
            }
        }
        let start =
            if handles.is_empty() && self.random.one_in(2) { 0 } else { self.memory.put_words(&handles) };
        (handles.len() as u64, start)
    }

    fn argument(&mut self, entry: &str, name: &str, ty: &str, bad: bool, index: usize) -> u64 {
        if let Some(kind) = Kind::of(ty) {
            if ty.starts_with("*mut") {
                return self.out(name, bad, index);
            }
            let handle = self.handle(kind, bad);
            if !ty.starts_with("*const") {
                return handle;
            }
            // A pointer to one handle, for a kernel's argument.
            return if bad && self.random.one_in(2) { 0 } else { self.memory.put_words(&[handle]) };
        }
        match ty {
            "usize" => self.size(name, bad),
            "f32" => self
                .random
                .of(&[0.0_f32, 1.0, -1.0, f32::NAN, f32::MAX])
                .map_or(0, |number| number.to_bits().into()),
            "pi_bool" => {
                if bad {
                    7
                } else {
                    self.random.below(2) as u64
                }
            }
            // The caller that passes a driver's handle keeps it. Releasing it twice would be the caller's fault.
            "pi_cxx_bool" => 0,
            "pi_native_handle" => {
                if bad {
                    0
                } else {
                    self.native(entry)
                }
            }
            "pi_uint32" | "c_uint" => self.number_of(name, bad),
            "pi_int32" | "c_int" | "i32" => self.signed(name, bad),
            "*const c_char" => self.text(bad),
            "*mut c_void" | "*const c_void" => self.address(entry, name, bad),
            "*const usize" => self.triple(bad, false),
            "pi_buff_rect_offset" | "pi_image_offset" => self.triple(bad, name.contains("host")),
            "pi_buff_rect_region" | "pi_image_region" => self.triple(bad, name.contains("host")),
            "*const pi_image_format" | "*mut pi_image_format" => self.format(bad),
            "*const pi_image_desc" | "*mut pi_image_desc" => self.image_desc(bad),
            "*const pi_ext_command_buffer_desc" => self.command_buffer_desc(bad),
            "*const pi_mem_obj_property" => self.mem_obj_property(bad),
            _ if ty.ends_with("_properties") || ty.ends_with("_property") => self.properties(ty, bad),
            "pi_context_notify" | "pi_program_notify" | "pi_event_notify" | "pi_context_extended_deleter" => {
                if bad || self.random.one_in(2) {
                    0
                } else {
                    nothing as *const () as u64
                }
            }
            "pi_native_kernel" => {
                if bad {
                    0
                } else {
                    nothing as *const () as u64
                }
            }
            "pi_image_handle"
            | "pi_image_mem_handle"
            | "pi_interop_mem_handle"
            | "pi_interop_semaphore_handle" => {
                let of_type: Vec<u64> =
                    self.pools.plain.iter().filter(|plain| plain.ty == ty).map(|plain| plain.value).collect();
                if bad { 0 } else { self.random.of(&of_type).unwrap_or(0) }
            }
            _ if ty.starts_with('*') => self.out(name, bad, index),
            _ => self.enumerators.of(
                if ty == "pi_queue_properties" { "pi_queue_flag_bits" } else { ty },
                bad,
                &mut self.random,
            ),
        }
    }

    /// Returns a buffer for a result. Events and sync points may be omitted.
    fn out(&mut self, name: &str, bad: bool, index: usize) -> u64 {
        let optional = name == "event" || name == "sync_point" || name.ends_with("_size_ret");
        if bad || (optional && self.random.one_in(3)) { 0 } else { self.memory.out(index) }
    }

    fn size(&mut self, name: &str, bad: bool) -> u64 {
        match name {
            "host_row_pitch" | "host_slice_pitch" | "row_pitch" | "slice_pitch" | "input_row_pitch"
            | "input_slice_pitch" => self.random.of(&HOST_PITCHES).unwrap_or(0),
            "param_value_size" => self.random.of(&[0, 1, 4, 4, 8, 8, 16, 64, 256, 4096, 65536]).unwrap_or(0),
            "pattern_size" => {
                self.random.of(&[0, 1, 2, 3, 4, 4, 8, 12, 16, 24, 48, 128, 256, 300]).unwrap_or(0)
            }
            "offset" | "dst_offset" | "src_offset" if !bad => {
                self.random.of(&[0, 0, 0, 4, 64, 4096]).unwrap_or(0)
            }
            _ => self.number(bad),
        }
    }

    fn number_of(&mut self, name: &str, bad: bool) -> u64 {
        let list: &[u64] = match name {
            "work_dim" if bad => &[0, 4, 0xffff_ffff],
            "work_dim" => &[1, 1, 2, 3],
            "alignment" if bad => &[3, 1 << 31, 0xffff_ffff],
            "alignment" => &[0, 0, 8, 64, 4096],
            "element_size_bytes" => &[1, 4, 8, 16, 0, 3],
            _ if bad => &[77, 0xffff_ffff, 0x8000_0000],
            _ => &[0, 0, 1, 2, 3],
        };
        self.random.of(list).unwrap_or(0)
    }

    fn signed(&mut self, name: &str, bad: bool) -> u64 {
        let list: &[i64] = match name {
            "file_descriptor" => &[-1],
            "execution_status" if !bad => &[0, 0, 0, -5],
            "command_exec_callback_type" if !bad => &[0, 0, 1, 2],
            "value" | "nativeHandleDesc" => &[0, 1, 255],
            _ => &[4, 77, -77, i32::MIN as i64],
        };
        self.random.of(list).unwrap_or(0) as u64
    }

    fn native(&mut self, entry: &str) -> u64 {
        let of_kind: Vec<u64> = self
            .pools
            .native
            .iter()
            .filter(|(kind, ..)| entry.starts_with(&format!("piext{kind:?}")))
            .map(|(_, handle, _)| *handle)
            .collect();
        self.random.of(&of_kind).unwrap_or(0)
    }

    pub(crate) fn text(&mut self, bad: bool) -> u64 {
        let text = self.random.of(&TEXTS).unwrap_or_default();
        match bad {
            true if self.random.one_in(2) => 0,
            true => self.memory.put(&[b'x'; 5000]),
            false => self.memory.put(text),
        }
    }

    fn address(&mut self, entry: &str, name: &str, bad: bool) -> u64 {
        if bad && name != "user_data" {
            return 0;
        }
        match name {
            "param_value" if self.random.one_in(3) => 0,
            "param_value" if entry == "piKernelSetExecInfo" => {
                let blocks: Vec<u64> = self.pools.blocks.iter().map(|block| block.start).collect();
                self.memory.put_words(&[blocks.as_slice(), &[0; 600]].concat())
            }
            "param_value" => self.memory.info(),
            "arg_value" if entry == "piextKernelSetArgPointer" => {
                let value = self.random.of(&[0, self.memory.host(), self.usm.unwrap_or(0)]).unwrap_or(0);
                self.memory.put_words(&[value])
            }
            "arg_value" => self.memory.put_words(&[self.buffer; 512]),
            "pattern" | "fill_color" | "input_value" | "spec_value" => self.memory.put(&[3; 4096]),
            "buffer_create_info" => {
                let (wrong, other) = (self.random.one_in(4), self.random.one_in(4));
                let words = [self.number(wrong), self.number(other)];
                self.memory.put_words(&words)
            }
            "mapped_ptr" => self.memory.host() + 64,
            "host_ptr" if self.random.one_in(2) => 0,
            "ptr" | "dst_ptr" | "src_ptr" if entry.contains("USM") => self.shared_or_host(),
            _ => self.memory.host(),
        }
    }

    /// Returns unified shared memory of at least a page, and sometimes the host's own memory.
    fn shared_or_host(&mut self) -> u64 {
        let large: Vec<u64> =
            self.pools.blocks.iter().filter(|block| block.size >= 4096).map(|block| block.start).collect();
        match self.random.of(&large) {
            Some(block) if !self.random.one_in(5) => block,
            _ => self.memory.host(),
        }
    }

    /// Returns three numbers: small ones, or one of them beyond any size. Numbers in between would pass some
    /// buffers' checks and leave the host's memory.
    fn triple(&mut self, bad: bool, host: bool) -> u64 {
        let mut words = [1, 1, 1].map(|_: i32| self.random.of(&[0, 0, 1, 1, 4, 4, 16]).unwrap_or(0));
        if bad && !host {
            if self.random.one_in(2) {
                return 0;
            }
            let at = self.random.below(3);
            words[at] = self.number(true);
        }
        if self.random.one_in(2) {
            words = words.map(|word| word.max(1));
        }
        self.memory.put_words(&words)
    }
}

/// Returns whether a count precedes lists of this type.
fn is_listed(ty: &str) -> bool {
    ty == "*const pi_ext_sync_point" || (Kind::of(ty).is_some() && bare(ty) != "pi_sampler")
}
