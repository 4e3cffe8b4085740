//! Damages real modules with changes that keep most of them readable.

use crate::Random;

/// Numbers at limits.
const NUMBERS: [u32; 10] = [0, 1, 2, 31, 64, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, u32::MAX];

/// Returns a module with one to six changes, most often one: of words, operands, opcodes, and of whole
/// instructions.
pub fn damaged(module: &[u8], random: &mut Random) -> Vec<u8> {
    let (chunks, _) = module.as_chunks::<4>();
    let mut words: Vec<u32> = chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect();
    let more = if random.below(3) == 0 { random.below(6) } else { 0 };
    for _ in 0..=more {
        change(&mut words, random);
    }
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    if random.below(64) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// Returns the positions of instructions.
fn starts(words: &[u32]) -> Vec<usize> {
    let (mut starts, mut at) = (Vec::new(), 5);
    while let Some(first) = words.get(at) {
        starts.push(at);
        at += ((first >> 16) as usize).max(1);
    }
    starts
}

fn change(words: &mut Vec<u32>, random: &mut Random) {
    let starts = starts(words);
    let Some(&start) = starts.get(random.below(starts.len())) else { return };
    let length = words.get(start).map_or(1, |first| (first >> 16) as usize).clamp(1, words.len() - start);
    let operand = start + 1 + random.below(length.saturating_sub(1));
    let bound = words.get(3).copied().unwrap_or(1);
    let other = words.get(random.below(words.len())).copied().unwrap_or(0);
    let mut set = |at: usize, value: u32| {
        if let Some(word) = words.get_mut(at) {
            *word = value;
        }
    };
    match random.below(12) {
        0..=3 => set(operand, random.below(bound as usize) as u32),
        4 => set(operand, other),
        5 => set(operand, NUMBERS.get(random.below(NUMBERS.len())).copied().unwrap_or(0)),
        6 => {
            let flip = 1 << random.below(32);
            if let Some(word) = words.get_mut(operand) {
                *word ^= flip;
            }
        }
        7 => {
            let opcode = match random.below(3) {
                0 => random.below(420),
                1 => 4400 + random.below(2200),
                _ => (other & 0xffff) as usize,
            };
            set(start, (length as u32) << 16 | opcode as u32);
        }
        8 => drop(words.drain(start..start + length)),
        9 => {
            // Repeats the instruction, with a new result if that is its second operand.
            let mut copy: Vec<u32> = words.get(start..start + length).unwrap_or_default().to_vec();
            if let Some(result) = copy.get_mut(2) {
                *result = bound;
                if let Some(word) = words.get_mut(3) {
                    *word = bound.saturating_add(1);
                }
            }
            words.splice(start..start, copy);
        }
        10 => {
            // One operand more or less.
            if let Some(first) = words.get_mut(start) {
                *first = first.wrapping_add(if length > 2 && random.below(2) == 0 {
                    0xffff_0000
                } else {
                    0x1_0000
                });
            }
            if random.below(2) == 0 {
                words.insert(start + length, other);
            } else if length > 2 {
                words.remove(start + length - 1);
            }
        }
        _ => {
            let Some(&place) = starts.get(random.below(starts.len())) else { return };
            let moved: Vec<u32> = words.drain(start..start + length).collect();
            let place = place.min(words.len());
            words.splice(place..place, moved);
        }
    }
}
