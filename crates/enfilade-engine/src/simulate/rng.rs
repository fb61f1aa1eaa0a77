//! Random bytes in vectors, and counts of those above given bounds.
//!
//! Eight lanes of xoshiro256++ (Blackman & Vigna 2021), each word for word that of `rand_xoshiro`:
//! a step gives 64 bytes. Both inner loops of the resolver are here, by hand for each instruction
//! set and once portably, and tests compare them. This is the only file with `unsafe`: code for
//! more instructions than every processor has must be detected first, and vectors move through
//! pointers.
#![allow(unsafe_code)]

pub use super::instruction_sets::InstructionSet;
/// Single generator, for dice that are not rolled in vectors.
pub use rand_xoshiro::Xoshiro256PlusPlus as Bits;

/// Independent generators side by side.
pub const GENERATOR_LANES: usize = 8;

/// Number of bytes of one step of all lanes.
pub const ROW_BYTES: usize = 8 * GENERATOR_LANES;

/// Proof that the processor has an instruction set, and the operations that differ there.
///
/// Only [`dispatch_kernel`] creates one. The provided methods are portable.
pub trait VectorOps: Copy + sealed::Sealed {
    /// Fewest groups of faces for which a histogram of bytes is cheaper than comparing each.
    const MIN_HISTOGRAM_GROUPS: usize = 28;

    /// Steps `lanes` once per row: see [`GeneratorLanes::fill_rows`].
    #[inline(always)]
    fn fill_generator_rows(self, lanes: &mut GeneratorLanes, rows: &mut [[u8; ROW_BYTES]]) {
        lanes.fill_rows_portably(rows);
    }

    /// Returns, by bound, the number of bytes above it.
    #[inline(always)]
    fn count_bytes_above_bounds<const K: usize>(
        self,
        rows: &[[u8; ROW_BYTES]],
        bounds: [u8; K],
    ) -> [u64; K] {
        count_above_bounds_portably(rows, bounds)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::PortableVectorOps {}
    #[cfg(target_arch = "x86_64")]
    impl Sealed for super::Sse2 {}
    #[cfg(target_arch = "x86_64")]
    impl Sealed for super::Avx2 {}
    #[cfg(target_arch = "x86_64")]
    impl Sealed for super::Avx512 {}
}

/// Portable code without vectors.
#[derive(Clone, Copy, Debug)]
pub struct PortableVectorOps(());

impl VectorOps for PortableVectorOps {}

/// Kind of vectors: the token, and the module with its loops.
#[cfg(target_arch = "x86_64")]
macro_rules! vector {
    (
        $(#[$about:meta])* $Token:ident, $module:ident, many $many:literal,
        $($bounds:pat => $at_once:literal),+ $(,)?
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Token(());

        impl VectorOps for $Token {
            const MIN_HISTOGRAM_GROUPS: usize = $many;

            #[inline(always)]
            fn fill_generator_rows(self, lanes: &mut GeneratorLanes, rows: &mut [[u8; ROW_BYTES]]) {
                // SAFETY: `self` proves that the processor has these instructions.
                unsafe { $module::fill(lanes, rows) }
            }

            #[inline(always)]
            fn count_bytes_above_bounds<const K: usize>(self, rows: &[[u8; ROW_BYTES]], bounds: [u8; K]) -> [u64; K] {
                // SAFETY: `self` proves that the processor has these instructions.
                unsafe {
                    match K {
                        $($bounds => $module::above::<K, $at_once>(rows, bounds),)+
                    }
                }
            }
        }
    };
}

// By number of bounds: as many registers of a row at once as leave room for the counters of all.
#[cfg(target_arch = "x86_64")]
vector!(
    /// Vectors of the baseline.
    Sse2, sse2, many 28, 0..=2 => 4, 3..=4 => 2, _ => 1
);
#[cfg(target_arch = "x86_64")]
vector!(
    /// Vectors of AVX2.
    Avx2, avx2, many 56, 0..=4 => 2, _ => 1
);
#[cfg(target_arch = "x86_64")]
vector!(
    /// Vectors of AVX-512.
    Avx512, avx512, many 56, _ => 2
);

/// Work that gains from wide vectors.
///
/// `run` must be `#[inline(always)]`, and so must all that it calls in its inner loops, so that the
/// compiler builds it separately for each instruction set.
pub trait VectorKernel {
    /// Result of the work.
    type Output;

    /// Performs the work with vectors of one kind.
    fn run<V: VectorOps>(self, vector: V) -> Self::Output;
}

/// Runs `kernel` compiled for `isa`, or for the widest set below it that this processor has.
pub fn dispatch_kernel<K: VectorKernel>(isa: InstructionSet, kernel: K) -> K::Output {
    match isa.min(InstructionSet::widest_available()) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Isa::find_widest` has detected AVX2, also where it has detected AVX-512.
        InstructionSet::Avx2 => unsafe { run_avx2(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Isa::find_widest` has detected AVX-512 F, BW, VL and DQ.
        InstructionSet::Avx512 => unsafe { run_avx512(kernel) },
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Baseline => kernel.run(Sse2(())),
        #[cfg(not(target_arch = "x86_64"))]
        _ => kernel.run(PortableVectorOps(())),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: VectorKernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn run_avx512<K: VectorKernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// Eight lanes of xoshiro256++.
#[derive(Clone, Debug)]
pub struct GeneratorLanes {
    state: [[u64; GENERATOR_LANES]; 4],
}

impl GeneratorLanes {
    /// Creates lanes from the 256-bit keys returned by `key`, one per lane. A key must not be all
    /// zeros, from which the generator would never move; a hash never is.
    pub fn new(mut key: impl FnMut(u8) -> [u8; 32]) -> Self {
        let mut state = [[0; GENERATOR_LANES]; 4];
        for lane in 0..GENERATOR_LANES {
            let key = key(lane as u8);
            let (words, _) = key.as_chunks::<8>();
            for (row, word) in state.iter_mut().zip(words) {
                row[lane] = u64::from_le_bytes(*word);
            }
        }
        GeneratorLanes { state }
    }

    /// Fills every row with one step: the words of the lanes in order, each low byte first.
    #[inline(always)]
    pub fn fill_rows<V: VectorOps>(&mut self, vector: V, rows: &mut [[u8; ROW_BYTES]]) {
        vector.fill_generator_rows(self, rows);
    }

    #[inline(always)]
    fn fill_rows_portably(&mut self, rows: &mut [[u8; ROW_BYTES]]) {
        let [mut s0, mut s1, mut s2, mut s3] = self.state;
        for row in rows {
            for lane in 0..GENERATOR_LANES {
                let sum = s0[lane].wrapping_add(s3[lane]).rotate_left(23);
                let word = sum.wrapping_add(s0[lane]);
                row[8 * lane..8 * lane + 8].copy_from_slice(&word.to_le_bytes());
            }
            for lane in 0..GENERATOR_LANES {
                let shifted = s1[lane] << 17;
                s2[lane] ^= s0[lane];
                s3[lane] ^= s1[lane];
                s1[lane] ^= s2[lane];
                s0[lane] ^= s3[lane];
                s2[lane] ^= shifted;
                s3[lane] = s3[lane].rotate_left(45);
            }
        }
        self.state = [s0, s1, s2, s3];
    }
}

#[inline(always)]
fn count_above_bounds_portably<const K: usize>(
    rows: &[[u8; ROW_BYTES]],
    bounds: [u8; K],
) -> [u64; K] {
    let mut above = [0; K];
    for (sum, bound) in above.iter_mut().zip(bounds) {
        for row in rows {
            let counted = row.iter().map(|&byte| u16::from(byte > bound));
            *sum += u64::from(counted.sum::<u16>());
        }
    }
    above
}

/// The two inner loops, written once for the registers and instructions that a module names.
// PERF: bytes are compared as signed numbers, with the top bit flipped once for all bounds. "Above"
// is then one instruction and a subtraction; "at most" would be three (`reports/benchmarks.md`).
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($features:literal) => {
        /// Bytes of a register, and registers of a row.
        const WIDTH: usize = size_of::<Register>();
        const IN_ROW: usize = ROW_BYTES / WIDTH;

        #[inline]
        #[target_feature(enable = $features)]
        fn load(bytes: &[u8; WIDTH]) -> Register {
            // SAFETY: as many bytes as are read; no alignment is needed.
            unsafe { load_bytes(bytes.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store(bytes: &mut [u8; WIDTH], register: Register) {
            // SAFETY: as many bytes as are written; no alignment is needed.
            unsafe { store_bytes(bytes.as_mut_ptr().cast(), register) };
        }

        /// Steps `lanes` once per row.
        #[inline]
        #[target_feature(enable = $features)]
        pub fn fill(lanes: &mut GeneratorLanes, rows: &mut [[u8; ROW_BYTES]]) {
            let mut state = [[splat(0); IN_ROW]; 4];
            for (registers, words) in state.iter_mut().zip(&lanes.state) {
                let bytes = words.map(u64::to_le_bytes);
                let (parts, _) = bytes.as_flattened().as_chunks();
                for (register, part) in registers.iter_mut().zip(parts) {
                    *register = load(part);
                }
            }
            for row in rows {
                let (parts, _) = row.as_chunks_mut();
                for (i, part) in parts.iter_mut().enumerate() {
                    let [s0, s1, s2, s3] = [state[0][i], state[1][i], state[2][i], state[3][i]];
                    store(part, add(rotate_left::<23, 41>(add(s0, s3)), s0));
                    let crossed = xor(s3, s1);
                    state[0][i] = xor(s0, crossed);
                    state[1][i] = xor_three_registers(s1, s2, s0);
                    state[2][i] = xor_three_registers(shift_left::<17>(s1), s2, s0);
                    state[3][i] = rotate_left::<45, 19>(crossed);
                }
            }
            for (registers, words) in state.iter().zip(&mut lanes.state) {
                let mut bytes = [[0; 8]; GENERATOR_LANES];
                let (parts, _) = bytes.as_flattened_mut().as_chunks_mut();
                for (register, part) in registers.iter().zip(parts) {
                    store(part, *register);
                }
                *words = bytes.map(u64::from_le_bytes);
            }
        }

        /// Returns, by bound, the number of bytes above it. Takes `U` registers of a row at once,
        /// so that every bound has that many counters.
        // PERF: one loop in one function, because counters passed to another one live in memory.
        #[inline]
        #[target_feature(enable = $features)]
        pub fn above<const K: usize, const U: usize>(
            rows: &[[u8; ROW_BYTES]],
            bounds: [u8; K],
        ) -> [u64; K] {
            const { assert!(IN_ROW.is_multiple_of(U)) }
            let mut limits = [splat(0); K];
            for (limit, bound) in limits.iter_mut().zip(bounds) {
                *limit = splat((bound ^ 0x80) as i8);
            }
            let mut totals = [splat(0); K];
            // A counter of one byte is good for 255 registers.
            for rows in rows.chunks(255 * U / IN_ROW) {
                let mut counters = [[splat(0); U]; K];
                let (parts, _) = rows.as_flattened().as_chunks();
                let (groups, _) = parts.as_chunks::<U>();
                for group in groups {
                    let mut bytes = [splat(0); U];
                    for (bytes, part) in bytes.iter_mut().zip(group) {
                        *bytes = xor(load(part), splat(i8::MIN));
                    }
                    for (counters, &limit) in counters.iter_mut().zip(&limits) {
                        for (counter, &bytes) in counters.iter_mut().zip(&bytes) {
                            // A byte above the limit gives 255, that is -1.
                            *counter = subtract_bytes(*counter, above_bytes(bytes, limit));
                        }
                    }
                }
                for (total, counters) in totals.iter_mut().zip(counters) {
                    for counter in counters {
                        *total = add(*total, add_up_bytes(counter, splat(0)));
                    }
                }
            }
            let mut above = [0; K];
            for (sum, total) in above.iter_mut().zip(totals) {
                let mut bytes = [0; WIDTH];
                store(&mut bytes, total);
                let (words, _) = bytes.as_chunks();
                *sum = words.iter().map(|word| u64::from_le_bytes(*word)).sum();
            }
            above
        }
    };
}

/// Operations that have no single instruction before AVX-512.
#[cfg(target_arch = "x86_64")]
macro_rules! composed {
    ($features:literal) => {
        /// Rotates every word left by `LEFT`, which with `RIGHT` makes 64.
        #[inline]
        #[target_feature(enable = $features)]
        fn rotate_left<const LEFT: i32, const RIGHT: i32>(words: Register) -> Register {
            or(shift_left::<LEFT>(words), shift_right::<RIGHT>(words))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn xor_three_registers(a: Register, b: Register, c: Register) -> Register {
            xor(a, xor(b, c))
        }
    };
}

/// Registers of 128 bits, which every processor of the architecture has.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::{
        __m128i as Register, _mm_add_epi64 as add, _mm_cmpgt_epi8 as above_bytes,
        _mm_loadu_si128 as load_bytes, _mm_or_si128 as or, _mm_sad_epu8 as add_up_bytes,
        _mm_set1_epi8 as splat, _mm_slli_epi64 as shift_left, _mm_srli_epi64 as shift_right,
        _mm_storeu_si128 as store_bytes, _mm_sub_epi8 as subtract_bytes, _mm_xor_si128 as xor,
    };

    use super::{GENERATOR_LANES, GeneratorLanes, ROW_BYTES};

    loops!("sse2");
    composed!("sse2");
}

/// Registers of 256 bits.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i as Register, _mm256_add_epi64 as add, _mm256_cmpgt_epi8 as above_bytes,
        _mm256_loadu_si256 as load_bytes, _mm256_or_si256 as or, _mm256_sad_epu8 as add_up_bytes,
        _mm256_set1_epi8 as splat, _mm256_slli_epi64 as shift_left,
        _mm256_srli_epi64 as shift_right, _mm256_storeu_si256 as store_bytes,
        _mm256_sub_epi8 as subtract_bytes, _mm256_xor_si256 as xor,
    };

    use super::{GENERATOR_LANES, GeneratorLanes, ROW_BYTES};

    loops!("avx2");
    composed!("avx2");
}

/// Registers of 256 bits, of which there are twice as many, with the rotation and the operation on
/// three registers that AVX-512 VL adds.
// PERF: wider registers are slower here (Zen 4 splits them, and shifts have one port): a step takes
// 1.71 ns with 512 bits and 1.52 ns with 256, a row and a bound 0.45 ns and 0.28 ns.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m256i as Register, _mm256_add_epi64 as add, _mm256_cmpgt_epi8 as above_bytes,
        _mm256_loadu_si256 as load_bytes, _mm256_rol_epi64, _mm256_sad_epu8 as add_up_bytes,
        _mm256_set1_epi8 as splat, _mm256_slli_epi64 as shift_left,
        _mm256_storeu_si256 as store_bytes, _mm256_sub_epi8 as subtract_bytes,
        _mm256_ternarylogic_epi64, _mm256_xor_si256 as xor,
    };

    use super::{GENERATOR_LANES, GeneratorLanes, ROW_BYTES};

    loops!("avx512f,avx512bw,avx512vl,avx512dq");

    /// Rotates every word left by `LEFT`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(words: Register) -> Register {
        _mm256_rol_epi64::<LEFT>(words)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    fn xor_three_registers(a: Register, b: Register, c: Register) -> Register {
        const XOR3_TRUTH_TABLE: i32 = 0x96;
        _mm256_ternarylogic_epi64::<XOR3_TRUTH_TABLE>(a, b, c)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Keys that differ in every lane; their values do not matter.
    fn key(lane: u8) -> [u8; 32] {
        std::array::from_fn(|i| (i as u8).wrapping_mul(37).wrapping_add(lane * 11) ^ 0x5a)
    }

    fn available() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().filter(|isa| isa.is_available())
    }

    struct Fill<'a>(&'a mut GeneratorLanes, &'a mut [[u8; ROW_BYTES]]);

    impl VectorKernel for Fill<'_> {
        type Output = ();

        #[inline(always)]
        fn run<V: VectorOps>(self, vector: V) {
            self.0.fill_rows(vector, self.1);
        }
    }

    /// Rows and their description, for a message.
    fn filled(isa: Option<InstructionSet>) -> (Vec<[u8; ROW_BYTES]>, String) {
        let mut lanes = GeneratorLanes::new(key);
        let mut rows = vec![[0; ROW_BYTES]; 40];
        let (first, second) = rows.split_at_mut(3);
        for rows in [first, second] {
            match isa {
                Some(isa) => dispatch_kernel(isa, Fill(&mut lanes, rows)),
                None => lanes.fill_rows(PortableVectorOps(()), rows),
            }
        }
        (rows, isa.map_or("portable".into(), |isa| isa.to_string()))
    }

    #[test]
    fn every_lane_on_every_instruction_set_is_the_reference_word_for_word() {
        for (rows, what) in available().map(Some).chain([None]).map(filled) {
            for lane in 0..GENERATOR_LANES {
                let mut reference = Xoshiro256PlusPlus::from_seed(key(lane as u8));
                for row in &rows {
                    let word = reference.next_u64().to_le_bytes();
                    assert_eq!(row[8 * lane..][..8], word, "{what}, lane {lane}");
                }
            }
        }
    }

    struct Above<'a, const K: usize>(&'a [[u8; ROW_BYTES]], [u8; K]);

    impl<const K: usize> VectorKernel for Above<'_, K> {
        type Output = [u64; K];

        #[inline(always)]
        fn run<V: VectorOps>(self, vector: V) -> [u64; K] {
            vector.count_bytes_above_bounds(self.0, self.1)
        }
    }

    fn counts_right<const K: usize>(rows: &[[u8; ROW_BYTES]], bounds: [u8; K]) {
        let count = |bound| rows.as_flattened().iter().filter(|&&b| b > bound).count() as u64;
        let expected = bounds.map(count);
        assert_eq!(PortableVectorOps(()).count_bytes_above_bounds(rows, bounds), expected);
        for isa in available() {
            assert_eq!(dispatch_kernel(isa, Above(rows, bounds)), expected, "{isa}, {K} bounds");
        }
    }

    #[test]
    fn bytes_above_a_bound_are_counted_one_by_one() {
        let (mut rows, _) = filled(None);
        // Every byte above every bound but the last, so often that a counter of one byte is full.
        rows.resize(600, [255; ROW_BYTES]);
        for used in [0, 1, 2, 40, 255, 256, 600] {
            let rows = &rows[..used];
            for bound in 0..=255 {
                counts_right(rows, [bound]);
            }
            counts_right(rows, [0, 254]);
            counts_right(rows, [127, 128, 255]);
            counts_right(rows, [10, 20, 30, 251]);
            counts_right(rows, [1, 2, 3, 4, 5, 6, 7]);
            counts_right(rows, [63, 64, 127, 128, 191, 192, 254, 255]);
        }
    }
}
