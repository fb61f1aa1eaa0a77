//! Random bytes by the vector, and the choice of instruction set at run time.
//!
//! Eight lanes of xoshiro256++ (Blackman & Vigna 2021), each word for word that of `rand_xoshiro`,
//! side by side: one step gives 64 bytes. This is the only file with `unsafe`: code compiled for
//! more instructions than the oldest processor has may only be called after asking the processor.

use std::fmt;
use std::str::FromStr;

/// Independent generators side by side.
pub const LANES: usize = 8;

/// Bytes given by one step of all lanes.
pub const ROW: usize = 8 * LANES;

/// An instruction set the resolver is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What every processor of the architecture has.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors with byte masks.
    Avx512,
}

impl Isa {
    /// All of them, the widest last.
    pub const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Whether this processor has it.
    #[cfg(target_arch = "x86_64")]
    pub fn available(self) -> bool {
        match self {
            Isa::Baseline => true,
            Isa::Avx2 => is_x86_feature_detected!("avx2"),
            Isa::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
        }
    }

    /// Whether this processor has it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn available(self) -> bool {
        self == Isa::Baseline
    }

    /// The widest one this processor has.
    pub fn best() -> Isa {
        let available = Isa::ALL.into_iter().rfind(|isa| isa.available());
        available.unwrap_or(Isa::Baseline)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        })
    }
}

impl FromStr for Isa {
    type Err = String;

    /// Reads the name of an instruction set that this processor has.
    fn from_str(name: &str) -> Result<Isa, String> {
        let known = Isa::ALL.into_iter().find(|isa| isa.to_string() == name);
        match known {
            Some(isa) if isa.available() => Ok(isa),
            Some(isa) => Err(format!(
                "this processor has no {isa}; the widest it has is {}",
                Isa::best()
            )),
            None => Err("the instruction sets are baseline, avx2 and avx512".to_owned()),
        }
    }
}

/// Proof that the processor has an instruction set, and what is different there.
///
/// Only [`dispatch`] makes one.
pub trait Vector: Copy + sealed::Sealed {
    /// Steps `lanes` once per row of `bytes`: see [`Lanes::fill`].
    #[inline(always)]
    fn fill(self, lanes: &mut Lanes, bytes: &mut [u8]) {
        lanes.fill_portably(bytes);
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Vector128 {}
    impl Sealed for super::Vector256 {}
    impl Sealed for super::Vector512 {}
}

/// Vectors of the baseline.
#[derive(Clone, Copy)]
pub struct Vector128(());

/// Vectors of AVX2.
#[derive(Clone, Copy)]
pub struct Vector256(());

/// Vectors of AVX-512.
#[derive(Clone, Copy)]
pub struct Vector512(());

impl Vector for Vector128 {}

impl Vector for Vector256 {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn fill(self, lanes: &mut Lanes, bytes: &mut [u8]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { lanes.fill_avx2(bytes) }
    }
}

impl Vector for Vector512 {}

/// A piece of work that gains from wide vectors.
///
/// `run` must be `#[inline(always)]`, and so must all that it calls in its inner loops, so that the
/// compiler builds it anew for each instruction set.
pub trait Kernel {
    /// What the work gives.
    type Output;

    /// Does the work on vectors of one kind.
    fn run<V: Vector>(self, vector: V) -> Self::Output;
}

/// Runs `kernel` compiled for `isa`, or for the widest set below it that this processor has.
pub fn dispatch<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa.min(Isa::best()) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Isa::best` has asked the processor for AVX2 and what came before it.
        Isa::Avx2 => unsafe { run_avx2(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `Isa::best` has asked the processor for AVX-512 F, BW, VL and DQ.
        Isa::Avx512 => unsafe { run_avx512(kernel) },
        _ => kernel.run(Vector128(())),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Vector256(()))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Vector512(()))
}

/// Eight lanes of xoshiro256++.
#[derive(Clone, Debug)]
pub struct Lanes {
    state: [[u64; LANES]; 4],
}

impl Lanes {
    /// Lanes that start from the 256-bit keys given by `key`, one per lane. A key must not be all
    /// zeros, where the generator would stand still; a hash never is.
    pub fn new(mut key: impl FnMut(u8) -> [u8; 32]) -> Self {
        let mut state = [[0; LANES]; 4];
        for lane in 0..LANES {
            let key = key(lane as u8);
            let (words, _) = key.as_chunks::<8>();
            for (row, word) in state.iter_mut().zip(words) {
                row[lane] = u64::from_le_bytes(*word);
            }
        }
        Lanes { state }
    }

    /// Fills `bytes`, whose length must be a multiple of [`ROW`], with one step per row: the words
    /// of the lanes in order, each low byte first.
    #[inline(always)]
    pub fn fill<V: Vector>(&mut self, vector: V, bytes: &mut [u8]) {
        debug_assert_eq!(bytes.len() % ROW, 0);
        vector.fill(self, bytes);
    }

    #[inline(always)]
    fn fill_portably(&mut self, bytes: &mut [u8]) {
        let [mut s0, mut s1, mut s2, mut s3] = self.state;
        for row in bytes.chunks_exact_mut(ROW) {
            for lane in 0..LANES {
                let sum = s0[lane].wrapping_add(s3[lane]).rotate_left(23);
                let word = sum.wrapping_add(s0[lane]);
                row[8 * lane..8 * lane + 8].copy_from_slice(&word.to_le_bytes());
            }
            for lane in 0..LANES {
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

    /// The same with four lanes to a vector: the compiler does not vectorise the rotation there.
    // PERF: 27 GB/s by hand against 7 GB/s (prototype, EPYC, one core).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2(&mut self, bytes: &mut [u8]) {
        let mut low = avx2::load(&self.state, 0);
        let mut high = avx2::load(&self.state, 1);
        let (halves, _) = bytes.as_chunks_mut::<32>();
        let (rows, _) = halves.as_chunks_mut::<2>();
        for [first, second] in rows {
            avx2::write(first, avx2::step(&mut low));
            avx2::write(second, avx2::step(&mut high));
        }
        avx2::store(&mut self.state, 0, low);
        avx2::store(&mut self.state, 1, high);
    }
}

/// Four lanes of xoshiro256++ in AVX2 registers.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Lanes `4 * half .. 4 * half + 4`, one register per word of state.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load(state: &[[u64; LANES]; 4], half: usize) -> [__m256i; 4] {
        let mut registers = [_mm256_setzero_si256(); 4];
        for (register, words) in registers.iter_mut().zip(state) {
            let (halves, _) = words.as_chunks::<4>();
            // SAFETY: four words are the 32 bytes that are read; no alignment is needed.
            *register = unsafe { _mm256_loadu_si256(halves[half].as_ptr().cast()) };
        }
        registers
    }

    /// The reverse of [`load`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn store(state: &mut [[u64; LANES]; 4], half: usize, registers: [__m256i; 4]) {
        for (register, words) in registers.into_iter().zip(state) {
            let (halves, _) = words.as_chunks_mut::<4>();
            // SAFETY: four words are the 32 bytes that are written; no alignment is needed.
            unsafe { _mm256_storeu_si256(halves[half].as_mut_ptr().cast(), register) };
        }
    }

    /// Writes a register as bytes, the low byte of each word first.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn write(bytes: &mut [u8; 32], register: __m256i) {
        // SAFETY: `bytes` has the 32 bytes that are written; no alignment is needed.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), register) };
    }

    /// One step of the four lanes: their words.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn step([s0, s1, s2, s3]: &mut [__m256i; 4]) -> __m256i {
        let sum = rotate_left::<23, 41>(_mm256_add_epi64(*s0, *s3));
        let word = _mm256_add_epi64(sum, *s0);
        let shifted = _mm256_slli_epi64::<17>(*s1);
        *s2 = _mm256_xor_si256(*s2, *s0);
        *s3 = _mm256_xor_si256(*s3, *s1);
        *s1 = _mm256_xor_si256(*s1, *s2);
        *s0 = _mm256_xor_si256(*s0, *s3);
        *s2 = _mm256_xor_si256(*s2, shifted);
        *s3 = rotate_left::<45, 19>(*s3);
        word
    }

    /// Rotates every word left by `LEFT`, which with `RIGHT` makes 64.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(words: __m256i) -> __m256i {
        _mm256_or_si256(
            _mm256_slli_epi64::<LEFT>(words),
            _mm256_srli_epi64::<RIGHT>(words),
        )
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Keys that differ in every lane; the numbers themselves do not matter.
    fn key(lane: u8) -> [u8; 32] {
        std::array::from_fn(|i| (i as u8).wrapping_mul(37).wrapping_add(lane * 11) ^ 0x5a)
    }

    struct Fill<'a>(&'a mut Lanes, &'a mut [u8]);

    impl Kernel for Fill<'_> {
        type Output = ();

        #[inline(always)]
        fn run<V: Vector>(self, vector: V) {
            self.0.fill(vector, self.1);
        }
    }

    #[test]
    fn every_lane_on_every_instruction_set_is_the_reference_word_for_word() {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
            let mut lanes = Lanes::new(key);
            let mut bytes = vec![0; 40 * ROW];
            let (first, second) = bytes.split_at_mut(3 * ROW);
            dispatch(isa, Fill(&mut lanes, first));
            dispatch(isa, Fill(&mut lanes, second));
            for lane in 0..LANES {
                let mut reference = Xoshiro256PlusPlus::from_seed(key(lane as u8));
                for row in bytes.chunks_exact(ROW) {
                    let word = reference.next_u64().to_le_bytes();
                    assert_eq!(row[8 * lane..][..8], word, "{isa}, lane {lane}");
                }
            }
        }
    }

    #[test]
    fn an_instruction_set_is_read_by_name() {
        assert_eq!("baseline".parse(), Ok(Isa::Baseline));
        assert!(
            "sse9"
                .parse::<Isa>()
                .is_err_and(|why| why.contains("avx512"))
        );
    }
}
