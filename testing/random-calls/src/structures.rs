//! Structures and lists that calls take by pointer.

use sycl_pi_core::*;

use crate::fixture::Fixture;

impl Fixture {
    /// Returns a terminated list of keys and values. A wrong list has an unknown key, or a value that is invalid
    /// for its key.
    pub(crate) fn properties(&mut self, ty: &str, bad: bool) -> u64 {
        let list: Vec<u64> = match ty.rsplit(['*', ' ']).next().unwrap_or_default() {
            _ if bad => vec![0x7777, self.random.word(), 0],
            "pi_queue_properties" => {
                let flags = self.enumerators.of("pi_queue_flag_bits", false, &mut self.random);
                vec![PI_QUEUE_FLAGS, flags, 0, 0]
            }
            "pi_device_partition_property" => match self.random.below(4) {
                0 => vec![PI_DEVICE_PARTITION_EQUALLY as u64, 1, 0],
                1 => vec![PI_DEVICE_PARTITION_BY_COUNTS as u64, 1, 1, 0, 0],
                2 => vec![PI_DEVICE_PARTITION_EQUALLY as u64, self.number(true), 0],
                _ => vec![
                    self.enumerators.of("pi_device_partition_property", false, &mut self.random),
                    1,
                    0,
                    0,
                ],
            },
            "pi_sampler_properties" => vec![
                PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
                self.random.below(2) as u64,
                PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
                self.enumerators.of("pi_sampler_addressing_mode", false, &mut self.random),
                PI_SAMPLER_PROPERTIES_FILTER_MODE,
                self.enumerators.of("pi_sampler_filter_mode", false, &mut self.random),
                0,
            ],
            "pi_mem_properties" => {
                vec![self.enumerators.of("pi_mem_properties", false, &mut self.random), 0, 0]
            }
            "pi_usm_mem_properties" => {
                let flags = self.enumerators.of("pi_usm_mem_alloc_flag_bits", false, &mut self.random);
                vec![PI_MEM_ALLOC_FLAGS, flags, 0]
            }
            _ => vec![0],
        };
        // Most runtimes omit lists.
        let required = ty.contains("sampler") || ty.contains("partition") || ty.contains("queue");
        match self.random.below(3) {
            0 if bad => 0,
            0 | 1 if !bad && !required => 0,
            1 if bad => self.memory.put_words(&[0]),
            _ => self.memory.put_words(&list),
        }
    }

    pub(crate) fn format(&mut self, bad: bool) -> u64 {
        let (order, kind) = match self.random.below(2) {
            0 if !bad => (PI_IMAGE_CHANNEL_ORDER_RGBA.into(), PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32.into()),
            _ => {
                let order = self.enumerators.of("pi_image_channel_order", bad, &mut self.random);
                (order, self.enumerators.of("pi_image_channel_type", bad, &mut self.random))
            }
        };
        if bad && self.random.one_in(2) {
            0
        } else {
            self.memory.put_words(&[(order & 0xffff_ffff) | (kind << 32)])
        }
    }

    pub(crate) fn image_desc(&mut self, bad: bool) -> u64 {
        let side = |fixture: &mut Self| fixture.random.of(&[1, 1, 4, 16, 64]).unwrap_or(1);
        let kind = match self.random.below(3) {
            0 => self.enumerators.of("pi_mem_type", bad, &mut self.random),
            1 => PI_MEM_TYPE_IMAGE3D.into(),
            _ => PI_MEM_TYPE_IMAGE2D.into(),
        };
        let mut sizes = [side(self), side(self), side(self), side(self)];
        let (mut pitches, mut buffer) = ([0, 0], 0);
        if bad {
            match self.random.below(4) {
                0 => return 0,
                1 => pitches = [self.random.of(&[3, 64, 4096]).unwrap_or(0), 0],
                2 => buffer = self.buffer,
                _ => {
                    let at = self.random.below(4);
                    sizes[at] = if self.random.one_in(2) { 0 } else { self.number(true) };
                }
            }
        }
        let [width, height, depth, array] = sizes;
        let words = [kind & 0xffff_ffff, width, height, depth, array, pitches[0], pitches[1], 0, buffer];
        self.memory.put_words(&words)
    }

    pub(crate) fn command_buffer_desc(&mut self, bad: bool) -> u64 {
        let kind = self.enumerators.of("pi_ext_structure_type", bad, &mut self.random) & 0xffff_ffff;
        let queue = if self.random.one_in(2) { 0 } else { self.properties("pi_queue_properties", bad) };
        if self.random.one_in(3) { 0 } else { self.memory.put_words(&[kind, 0, queue]) }
    }

    pub(crate) fn mem_obj_property(&mut self, bad: bool) -> u64 {
        let kind = self.enumerators.of("pi_mem_obj_property_type", bad, &mut self.random) & 0xffff_ffff;
        let access = self.enumerators.of("pi_mem_obj_access", bad, &mut self.random) & 0xffff_ffff;
        if self.random.one_in(3) { 0 } else { self.memory.put_words(&[kind, 0, access]) }
    }

    /// Returns properties of a device image, right and wrong ones, as a list of addresses.
    pub(crate) fn metadata(&mut self) -> (u64, u64) {
        const NAMES: [&[u8]; 6] = [
            b"fixed_size@reqd_work_group_size",
            b"Seed@global_id_mapping",
            b"@global_id_mapping",
            b"fill_index@reqd_work_group_size@x",
            b"no at sign",
            b"\xff@global_id_mapping",
        ];
        let count = self.random.below(4);
        let mut list = Vec::new();
        for _ in 0..count {
            let name = self.random.of(&NAMES).unwrap_or_default();
            let length = self.random.of(&[0, 4, 8, 12, 16, 20, 23]).unwrap_or(0);
            let bits = if self.random.one_in(4) {
                self.random.word()
            } else {
                8 * (length as u64).saturating_sub(8)
            };
            let mut content = bits.to_ne_bytes().to_vec();
            content.resize(32, 1);
            let name = self.memory.put(name);
            let value = self.memory.put(&content);
            let kind = self.random.of(&[2_u64, 2, 2, 1, 0, 77]).unwrap_or(2);
            let (name, value) = match self.random.below(12) {
                0 => (0, value),
                1 => (name, 0),
                _ => (name, value),
            };
            let property = [name, value, kind, length as u64];
            list.push(self.memory.put_words(&property));
        }
        if self.random.one_in(12) {
            list.push(0);
        }
        (list.len() as u64, if list.is_empty() { 0 } else { self.memory.put_words(&list) })
    }

    /// Returns device images to choose from, as a list of addresses.
    pub(crate) fn images(&mut self) -> (u64, u64) {
        const TARGETS: [&[u8]; 6] =
            [b"spir64", b"spir64_x86_64", b"spir64_gen", b"nvptx64", b"<unknown>", b""];
        let mut list = Vec::new();
        for _ in 0..self.random.below(4) {
            let target = self.random.of(&TARGETS).unwrap_or_default();
            let target = if self.random.one_in(12) { 0 } else { self.memory.put(target) };
            let version = if self.random.one_in(8) { self.random.word() & 0xffff } else { 1 };
            let format = self.random.below(5) as u64;
            let (code, end) = (self.memory.host(), self.memory.host() + 64);
            let image = [version | (4 << 16) | (format << 24), target, 0, 0, 0, 0, code, end, 0, 0, 0, 0];
            list.push(self.memory.put_words(&image));
        }
        if self.random.one_in(12) {
            list.push(0);
        }
        (list.len() as u64, self.memory.put_words(&list))
    }
}
