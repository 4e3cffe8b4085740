//! The memory image of an ELF file after relocation.

use std::collections::HashMap;

use object::read::{File, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolIndex};
use object::{ObjectKind, SectionFlags, SectionKind, elf};

/// The sections of a file at their addresses, and the pointers in them.
pub(super) struct Memory<'d> {
    /// The sections, in ascending order of their addresses.
    sections: Vec<Section<'d>>,
    /// The values of the places that the linker or loader writes.
    pointers: HashMap<u64, u64>,
}

struct Section<'d> {
    address: u64,
    data: &'d [u8],
    is_data: bool,
}

/// The least bytes of a relocation. Headers of a damaged file can name the same relocations again and again.
const OF_RELOCATION: usize = 4;

/// Space after the last byte of a section, so that adding the size of a structure to an address cannot overflow.
const AFTER: u64 = 1 << 16;

impl<'d> Memory<'d> {
    pub(super) fn from_elf(bytes: &'d [u8]) -> Result<Self, String> {
        let file = File::parse(bytes).map_err(|problem| problem.to_string())?;
        let mut memory = Self { sections: Vec::new(), pointers: HashMap::new() };
        let mut left = bytes.len();
        let mut bases: HashMap<SectionIndex, u64> = HashMap::new();
        let relocatable = file.kind() == ObjectKind::Relocatable;
        let mut next = 0x1_0000_u64;
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 {
                continue;
            }
            let Ok(data) = section.data() else { continue };
            // Otherwise a file of N bytes could require a search of N times N bytes.
            left = left.checked_sub(data.len()).ok_or("its sections are larger than the file")?;
            // The sections of an object file have no addresses yet.
            let address = if relocatable { next } else { section.address() };
            next = next.saturating_add(data.len() as u64).saturating_add(0x1000) & !0xfff;
            if address.checked_add(data.len() as u64).and_then(|end| end.checked_add(AFTER)).is_none() {
                continue;
            }
            bases.insert(section.index(), address);
            let is_data = !matches!(section.kind(), SectionKind::Text);
            memory.sections.push(Section { address, data, is_data });
        }
        memory.sections.sort_by_key(|section| section.address);
        let most = bytes.len() / OF_RELOCATION;
        let all_read = if relocatable { memory.link(&file, &bases, most) } else { memory.load(&file, most) };
        if all_read { Ok(memory) } else { Err("its relocations are larger than the file".into()) }
    }

    /// Applies the linker's relocations. Returns `false` if they exceed `most` pointers.
    fn link(&mut self, file: &File<'d>, bases: &HashMap<SectionIndex, u64>, mut most: usize) -> bool {
        let address_of = |index: SymbolIndex| {
            let symbol = file.symbol_by_index(index).ok()?;
            bases.get(&symbol.section_index()?)?.checked_add(symbol.address())
        };
        for section in file.sections() {
            let Some(base) = bases.get(&section.index()) else { continue };
            for (offset, relocation) in section.relocations() {
                let Some(left) = most.checked_sub(1) else { return false };
                most = left;
                if relocation.size() != 64 {
                    continue;
                }
                let target = match relocation.target() {
                    RelocationTarget::Symbol(symbol) => address_of(symbol),
                    RelocationTarget::Section(section) => bases.get(&section).copied(),
                    _ => None,
                };
                if let Some(target) = target {
                    self.pointers
                        .insert(base.wrapping_add(offset), target.wrapping_add_signed(relocation.addend()));
                }
            }
        }
        true
    }

    /// Applies the loader's relocations. Returns `false` if they exceed `most` pointers.
    fn load(&mut self, file: &File<'d>, mut most: usize) -> bool {
        for (address, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let Some(left) = most.checked_sub(1) else { return false };
            most = left;
            let base = match relocation.target() {
                RelocationTarget::Symbol(index) => file
                    .dynamic_symbol_table()
                    .and_then(|table| object::read::ObjectSymbolTable::symbol_by_index(&table, index).ok())
                    .map_or(0, |symbol| symbol.address()),
                _ => 0,
            };
            self.pointers.insert(address, base.wrapping_add_signed(relocation.addend()));
        }
        true
    }

    /// Returns the words where a structure may begin, with their addresses: all suitably aligned words in data.
    pub(super) fn words(&self) -> impl Iterator<Item = (u64, &'d [u8; 8])> + '_ {
        let data = self.sections.iter().filter(|section| section.is_data);
        data.flat_map(|section| {
            let first = section.address.checked_next_multiple_of(8).unwrap_or(u64::MAX);
            let skipped = usize::try_from(first - section.address).unwrap_or(usize::MAX);
            let (words, _) = section.data.get(skipped..).unwrap_or_default().as_chunks::<8>();
            words.iter().enumerate().map(move |(number, word)| (first + number as u64 * 8, word))
        })
    }

    fn section(&self, at: u64) -> Option<&Section<'d>> {
        let after = self.sections.partition_point(|section| section.address <= at);
        self.sections.get(after.checked_sub(1)?)
    }

    /// Returns the bytes between two addresses of one section.
    pub(super) fn bytes(&self, begin: u64, end: u64) -> Option<&'d [u8]> {
        let section = self.section(begin)?;
        let from = usize::try_from(begin - section.address).ok()?;
        let to = usize::try_from(end.checked_sub(section.address)?).ok()?;
        section.data.get(from..to)
    }

    /// Returns the zero-terminated text at an address if it is shorter than `limit`.
    pub(super) fn text(&self, at: u64, limit: usize) -> Option<&'d str> {
        let section = self.section(at)?;
        let rest = section.data.get(usize::try_from(at - section.address).ok()?..)?;
        let end = rest.iter().take(limit).position(|&byte| byte == 0)?;
        std::str::from_utf8(rest.get(..end)?).ok()
    }

    /// Returns the number at an address, without relocation.
    pub(super) fn number(&self, at: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(at, at.checked_add(8)?)?.try_into().ok()?))
    }

    /// Returns the pointer at an address.
    pub(super) fn pointer(&self, at: u64) -> Option<u64> {
        self.pointers.get(&at).copied().or_else(|| self.number(at))
    }
}
