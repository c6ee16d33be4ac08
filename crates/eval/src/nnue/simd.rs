//! The network's loops on the instructions of the CPU. All paths give the same integers: no sum leaves
//! its integers (the reader of networks sees to it), so that the order of additions does not matter.
//!
//! The sums of the hidden layer are plain loops that the compiler turns into vectors; they are compiled
//! once for each set of instructions. The products of the output are written in vectors on x86. On ARM
//! the plain loops are NEON's: every 64-bit ARM has it, and the compiler uses it without being asked.

#![allow(unsafe_code)]

/// Numbers of a block: a vector of 512 bits.
pub const LANES: usize = 32;

/// Sixteen-bit numbers that lie in one line of the CPU's caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    pub const ZERO: Block = Block([0; LANES]);
}

/// How a hidden value becomes an activation: clamped to 0 … 2^bits − 1, squared, and cut to 14 bits, which
/// a multiplication of 16-bit numbers gives where its factors have been shifted to 15 bits before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clip {
    top: i16,
    shift: u32,
}

impl Clip {
    /// The clip of a scale, which is one less than a power of two from 2⁷ to 2¹⁴.
    pub fn new(scale: usize) -> Option<Clip> {
        let bits = scale.checked_add(1)?.trailing_zeros();
        let known = (7..=14).contains(&bits) && scale + 1 == 1 << bits;
        known.then(|| Clip { top: scale as i16, shift: 15 - bits })
    }

    /// A hidden value of 1.
    #[inline(always)]
    pub fn scale(self) -> i64 {
        i64::from(self.top)
    }

    /// The bits that are cut off a square.
    #[inline(always)]
    pub fn lost_bits(self) -> u32 {
        16 - 2 * self.shift
    }

    /// The largest activation.
    pub fn largest_square(self) -> i64 {
        (self.scale() * self.scale()) >> self.lost_bits()
    }
}

/// The instructions that are used. Those of another CPU cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Path {
    /// All that this CPU has, the best one last.
    pub fn all() -> Vec<Path> {
        #[allow(unused_mut)]
        let mut paths = vec![Path(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                paths.push(Path(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                paths.push(Path(Kind::Avx512));
                if is_x86_feature_detected!("avx512vnni") {
                    paths.push(Path(Kind::Vnni));
                }
            }
        }
        paths
    }

    /// The best that this CPU has.
    pub fn best() -> Path {
        Path::all().pop().unwrap_or(Path(Kind::Portable))
    }

    /// Its name, for reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable if cfg!(target_arch = "aarch64") => "neon",
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Vnni => "avx512-vnni",
        }
    }

    /// Adds a row to sums.
    #[inline(always)]
    pub fn add(self, sums: &mut [Block], row: &[Block]) {
        match self.0 {
            Kind::Portable => add(sums, row),
            // SAFETY: this kind exists only where the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::add_avx2(sums, row) },
            // SAFETY: these kinds exist only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 | Kind::Vnni => unsafe { x86::add_avx512(sums, row) },
        }
    }

    /// Puts in the second half of `sums` those of the first half with a row of `weights` added, and one or
    /// two taken off. A row is given by the place where it begins.
    #[inline(always)]
    pub fn change(
        self,
        sums: &mut [Block],
        weights: &[Block],
        on: usize,
        off: usize,
        second: Option<usize>,
    ) {
        match self.0 {
            Kind::Portable => change_portable(sums, weights, on, off, second),
            // SAFETY: this kind exists only where the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::change_avx2(sums, weights, on, off, second) },
            // SAFETY: these kinds exist only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 | Kind::Vnni => unsafe {
                x86::change_avx512(sums, weights, on, off, second)
            },
        }
    }

    /// The sum of the activations, each times its weight.
    #[inline(always)]
    pub fn products(self, clip: Clip, sums: &[Block], weights: &[Block]) -> i32 {
        match self.0 {
            Kind::Portable => products(clip, sums, weights),
            // SAFETY: this kind exists only where the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::products_avx2(clip, sums, weights) },
            // SAFETY: this kind exists only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::products_avx512(clip, sums, weights) },
            // SAFETY: this kind exists only where the CPU has AVX-512 F, BW and VNNI.
            #[cfg(target_arch = "x86_64")]
            Kind::Vnni => unsafe { x86::products_vnni(clip, sums, weights) },
        }
    }
}

#[inline(always)]
fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        each_lane(sums, row, i16::wrapping_add);
    }
}

/// Not inlined, like those of the other paths: the caller needs its registers.
#[inline(never)]
fn change_portable(
    sums: &mut [Block],
    weights: &[Block],
    on: usize,
    off: usize,
    second: Option<usize>,
) {
    change(sums, weights, on, off, second);
}

// Blocks are zipped and changed in a copy: else the bounds of the rows are asked at every block or lane, or
// the rows could be part of the sums, and fewer loops become vectors.
#[inline(always)]
fn change(sums: &mut [Block], weights: &[Block], on: usize, off: usize, second: Option<usize>) {
    let count = sums.len() / 2;
    let row = |first: usize| &weights[first..][..count];
    let (from, to) = sums.split_at_mut(count);
    let rows = from.iter().zip(row(on)).zip(row(off));
    let moved = |((from, on), off): ((&Block, &Block), &Block)| {
        let mut sums = *from;
        each_lane(&mut sums, on, i16::wrapping_add);
        each_lane(&mut sums, off, i16::wrapping_sub);
        sums
    };
    match second {
        None => {
            for (to, rows) in to.iter_mut().zip(rows) {
                *to = moved(rows);
            }
        }
        Some(second) => {
            for ((to, rows), second) in to.iter_mut().zip(rows).zip(row(second)) {
                let mut sums = moved(rows);
                each_lane(&mut sums, second, i16::wrapping_sub);
                *to = sums;
            }
        }
    }
}

#[inline(always)]
fn each_lane(sums: &mut Block, row: &Block, change: impl Fn(i16, i16) -> i16) {
    for (sum, &weight) in sums.0.iter_mut().zip(&row.0) {
        *sum = change(*sum, weight);
    }
}

#[inline(never)]
fn products(clip: Clip, sums: &[Block], weights: &[Block]) -> i32 {
    let mut total = 0i32;
    for (sum, weight) in sums.iter().zip(weights) {
        for (&sum, &weight) in sum.0.iter().zip(&weight.0) {
            let clamped = i32::from(sum.clamp(0, clip.top) << clip.shift);
            let square = ((clamped * clamped) >> 16) as i16;
            total = total.wrapping_add(i32::from(square) * i32::from(weight));
        }
    }
    total
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Block, Clip};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub fn add_avx2(sums: &mut [Block], row: &[Block]) {
        super::add(sums, row);
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn add_avx512(sums: &mut [Block], row: &[Block]) {
        super::add(sums, row);
    }

    #[target_feature(enable = "avx2")]
    pub fn change_avx2(
        sums: &mut [Block],
        weights: &[Block],
        on: usize,
        off: usize,
        second: Option<usize>,
    ) {
        super::change(sums, weights, on, off, second);
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn change_avx512(
        sums: &mut [Block],
        weights: &[Block],
        on: usize,
        off: usize,
        second: Option<usize>,
    ) {
        super::change(sums, weights, on, off, second);
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_avx2(block: &Block, half: usize) -> __m256i {
        let numbers = block.0[16 * (half & 1)..].as_ptr();
        // SAFETY: from either half on a block has 256 bits, and it is aligned to 512.
        unsafe { _mm256_load_si256(numbers.cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load_avx512(block: &Block) -> __m512i {
        // SAFETY: a block has 512 bits and is aligned to them.
        unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    pub fn products_avx2(clip: Clip, sums: &[Block], weights: &[Block]) -> i32 {
        let (low, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(clip.top));
        let shift = _mm_cvtsi32_si128(clip.shift as i32);
        let mut totals = [low; 2];
        for (sum, weight) in sums.iter().zip(weights) {
            for (half, total) in totals.iter_mut().enumerate() {
                let (sum, weight) = (load_avx2(sum, half), load_avx2(weight, half));
                let clamped = _mm256_min_epi16(_mm256_max_epi16(sum, low), high);
                let clamped = _mm256_sll_epi16(clamped, shift);
                let square = _mm256_mulhi_epi16(clamped, clamped);
                *total = _mm256_add_epi32(*total, _mm256_madd_epi16(square, weight));
            }
        }
        let total = _mm256_add_epi32(totals[0], totals[1]);
        let total =
            _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b01_00_11_10>(total));
        let total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b10_11_00_01>(total));
        _mm_cvtsi128_si32(total)
    }

    /// The activations of a block.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn squares_avx512(clip: Clip, sum: &Block) -> __m512i {
        let (low, high) = (_mm512_setzero_si512(), _mm512_set1_epi16(clip.top));
        let clamped = _mm512_min_epi16(_mm512_max_epi16(load_avx512(sum), low), high);
        let clamped = _mm512_sll_epi16(clamped, _mm_cvtsi32_si128(clip.shift as i32));
        _mm512_mulhi_epi16(clamped, clamped)
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn products_avx512(clip: Clip, sums: &[Block], weights: &[Block]) -> i32 {
        let mut total = _mm512_setzero_si512();
        for (sum, weight) in sums.iter().zip(weights) {
            let product = _mm512_madd_epi16(squares_avx512(clip, sum), load_avx512(weight));
            total = _mm512_add_epi32(total, product);
        }
        _mm512_reduce_add_epi32(total)
    }

    /// The same, where one instruction multiplies and adds.
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vnni")]
    pub fn products_vnni(clip: Clip, sums: &[Block], weights: &[Block]) -> i32 {
        let mut total = _mm512_setzero_si512();
        for (sum, weight) in sums.iter().zip(weights) {
            total = _mm512_dpwssd_epi32(total, squares_avx512(clip, sum), load_avx512(weight));
        }
        _mm512_reduce_add_epi32(total)
    }
}
