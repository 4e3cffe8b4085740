//! The order in which the compiler writes the argument masks, which is that of its hash table of kernel names. The
//! table is LLVM's `DenseMap` of strings; the hash is the CityHash variant of `llvm/ADT/Hashing.h` with its fixed seed.
//!
//! The order matters only because derived sets must equal the compiler's byte for byte.

const SEED: u64 = 0xff51_afd7_ed55_8ccd;
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// The table's initial number of buckets.
const BUCKETS: usize = 64;

/// Returns the indices of the names, in the order of the compiler's table.
pub(super) fn as_in_table(names: &[&str]) -> Vec<usize> {
    let hashes: Vec<usize> = names.iter().map(|name| hash(name.as_bytes()) as u32 as usize).collect();
    let mut buckets: Vec<Option<usize>> = vec![None; BUCKETS];
    for number in 0..names.len() {
        // The table grows before it is three quarters full.
        if (number + 1) * 4 >= buckets.len() * 3 {
            let mut larger = vec![None; buckets.len() * 2];
            for old in buckets.into_iter().flatten() {
                place(&mut larger, &hashes, old);
            }
            buckets = larger;
        }
        place(&mut buckets, &hashes, number);
    }
    buckets.into_iter().flatten().collect()
}

fn place(buckets: &mut [Option<usize>], hashes: &[usize], number: usize) {
    let mask = buckets.len() - 1;
    let mut at = hashes.get(number).copied().unwrap_or(0) & mask;
    for step in 1..=buckets.len() {
        match buckets.get_mut(at) {
            Some(free @ None) => {
                *free = Some(number);
                return;
            }
            _ => at = (at + step) & mask,
        }
    }
}

/// Reads the number at an offset; callers stay within the text.
fn fetch64(text: &[u8], at: usize) -> u64 {
    let bytes = text.get(at..at + 8).and_then(|bytes| bytes.first_chunk::<8>());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn fetch32(text: &[u8], at: usize) -> u64 {
    let bytes = text.get(at..at + 4).and_then(|bytes| bytes.first_chunk::<4>());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes).into())
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn hash_16(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = shift_mix((low ^ high).wrapping_mul(MULTIPLIER));
    let b = shift_mix((high ^ a).wrapping_mul(MULTIPLIER));
    b.wrapping_mul(MULTIPLIER)
}

fn hash(text: &[u8]) -> u64 {
    let length = text.len() as u64;
    match text.len() {
        0 => K2 ^ SEED,
        1..=3 => up_to_3(text),
        4..=8 => {
            let last = fetch32(text, text.len() - 4);
            hash_16(length.wrapping_add(fetch32(text, 0) << 3), SEED ^ last)
        }
        9..=16 => {
            let (a, b) = (fetch64(text, 0), fetch64(text, text.len() - 8));
            hash_16(SEED ^ a, b.wrapping_add(length).rotate_right(text.len() as u32)) ^ b
        }
        17..=32 => up_to_32(text),
        33..=64 => up_to_64(text),
        _ => CityHashState::new(text).finish(length),
    }
}

fn up_to_3(text: &[u8]) -> u64 {
    let byte = |at: usize| u32::from(text.get(at).copied().unwrap_or(0));
    let y = byte(0).wrapping_add(byte(text.len() / 2) << 8);
    let z = (text.len() as u32).wrapping_add(byte(text.len() - 1) << 2);
    let (y, z) = (u64::from(y).wrapping_mul(K2), u64::from(z).wrapping_mul(K3));
    shift_mix(y ^ z ^ SEED).wrapping_mul(K2)
}

fn up_to_32(text: &[u8]) -> u64 {
    let n = text.len();
    let a = fetch64(text, 0).wrapping_mul(K1);
    let b = fetch64(text, 8);
    let c = fetch64(text, n - 8).wrapping_mul(K2);
    let d = fetch64(text, n - 16).wrapping_mul(K0);
    let low = a.wrapping_sub(b).rotate_right(43).wrapping_add((c ^ SEED).rotate_right(30)).wrapping_add(d);
    let high = a.wrapping_add((b ^ K3).rotate_right(20)).wrapping_sub(c);
    hash_16(low, high.wrapping_add(n as u64).wrapping_add(SEED))
}

fn up_to_64(text: &[u8]) -> u64 {
    let n = text.len();
    // Hashes one half of 32 bytes, given its start value and the words that are added on the way.
    let half = |start: u64, z: u64, second: u64, third: u64| {
        let b = start.wrapping_add(z).rotate_right(52);
        let a = start.wrapping_add(second);
        let c = start.rotate_right(37).wrapping_add(a.rotate_right(7));
        let a = a.wrapping_add(third);
        (a.wrapping_add(z), b.wrapping_add(a.rotate_right(31)).wrapping_add(c))
    };
    let first = fetch64(text, n - 16).wrapping_add(n as u64).wrapping_mul(K0);
    let start = fetch64(text, 0).wrapping_add(first);
    let (vf, vs) = half(start, fetch64(text, 24), fetch64(text, 8), fetch64(text, 16));
    let start = fetch64(text, 16).wrapping_add(fetch64(text, n - 32));
    let (wf, ws) = half(start, fetch64(text, n - 8), fetch64(text, n - 24), fetch64(text, n - 16));
    let mixed = vf.wrapping_add(ws).wrapping_mul(K2).wrapping_add(wf.wrapping_add(vs).wrapping_mul(K0));
    let mixed = SEED ^ shift_mix(mixed).wrapping_mul(K0);
    shift_mix(mixed.wrapping_add(vs)).wrapping_mul(K2)
}

/// The state of the hash over more than 64 bytes, in steps of 64.
struct CityHashState([u64; 7]);

impl CityHashState {
    fn new(text: &[u8]) -> Self {
        let (h4, h5) = (SEED.wrapping_mul(K1), shift_mix(SEED));
        let h3 = (SEED ^ K1).rotate_right(49);
        let mut state = Self([0, SEED, hash_16(SEED, K1), h3, h4, h5, hash_16(h4, h5)]);
        let (blocks, rest) = text.as_chunks::<64>();
        blocks.iter().for_each(|block| state.mix(block));
        if !rest.is_empty() {
            // The last 64 bytes, some of which are already mixed in.
            state.mix(text.get(text.len() - 64..).unwrap_or_default());
        }
        state
    }

    fn mix(&mut self, s: &[u8]) {
        let [h0, h1, h2, h3, h4, h5, h6] = &mut self.0;
        let sum = |words: &[u64]| words.iter().fold(0_u64, |sum, &word| sum.wrapping_add(word));
        *h0 = sum(&[*h0, *h1, *h3, fetch64(s, 8)]).rotate_right(37).wrapping_mul(K1);
        *h1 = sum(&[*h1, *h4, fetch64(s, 48)]).rotate_right(42).wrapping_mul(K1);
        *h0 ^= *h6;
        *h1 = sum(&[*h1, *h3, fetch64(s, 40)]);
        *h2 = sum(&[*h2, *h5]).rotate_right(33).wrapping_mul(K1);
        *h3 = h4.wrapping_mul(K1);
        *h4 = sum(&[*h0, *h5]);
        mix_32(s, 0, h3, h4);
        *h5 = sum(&[*h2, *h6]);
        *h6 = sum(&[*h1, fetch64(s, 16)]);
        mix_32(s, 32, h5, h6);
        std::mem::swap(h2, h0);
    }

    fn finish(&self, length: u64) -> u64 {
        let [h0, h1, h2, h3, h4, h5, h6] = self.0;
        let low = hash_16(h3, h5).wrapping_add(shift_mix(h1).wrapping_mul(K1)).wrapping_add(h2);
        let high = hash_16(h4, h6).wrapping_add(shift_mix(length).wrapping_mul(K1)).wrapping_add(h0);
        hash_16(low, high)
    }
}

fn mix_32(s: &[u8], at: usize, a: &mut u64, b: &mut u64) {
    *a = a.wrapping_add(fetch64(s, at));
    let c = fetch64(s, at + 24);
    *b = b.wrapping_add(*a).wrapping_add(c).rotate_right(21);
    let d = *a;
    *a = a.wrapping_add(fetch64(s, at + 8)).wrapping_add(fetch64(s, at + 16));
    *b = b.wrapping_add(a.rotate_right(44)).wrapping_add(d);
    *a = a.wrapping_add(c);
}
