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
            // SAFETY: this kind exists only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::add_avx512(sums, row) },
        }
    }

    /// Puts sums in `to`: those in `from` with rows added and others taken off.
    #[inline(always)]
    pub fn change<const ON: usize, const OFF: usize>(
        self,
        from: &[Block],
        to: &mut [Block],
        on: [&[Block]; ON],
        off: [&[Block]; OFF],
    ) {
        match self.0 {
            Kind::Portable => change(from, to, on, off),
            // SAFETY: this kind exists only where the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::change_avx2(from, to, on, off) },
            // SAFETY: this kind exists only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::change_avx512(from, to, on, off) },
        }
    }

    /// The sum of clamp(sum, 0, 255)² · weight, where each weight is within ±127.
    #[inline(always)]
    pub fn products(self, sums: &[Block], weights: &[Block]) -> i32 {
        match self.0 {
            Kind::Portable => products(sums, weights),
            // SAFETY: this kind exists only where the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::products_avx2(sums, weights) },
            // SAFETY: this kind exists only where the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::products_avx512(sums, weights) },
        }
    }
}

#[inline(always)]
fn add(sums: &mut [Block], row: &[Block]) {
    for (sum, block) in sums.iter_mut().zip(row) {
        for (sum, &weight) in sum.0.iter_mut().zip(&block.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

#[inline(always)]
fn change<const ON: usize, const OFF: usize>(
    from: &[Block],
    to: &mut [Block],
    on: [&[Block]; ON],
    off: [&[Block]; OFF],
) {
    let count = to.len().min(from.len());
    let (on, off) = (on.map(|row| &row[..count]), off.map(|row| &row[..count]));
    for index in 0..count {
        let (source, target) = (&from[index].0, &mut to[index].0);
        for lane in 0..LANES {
            let mut sum = source[lane];
            for row in on {
                sum = sum.wrapping_add(row[index].0[lane]);
            }
            for row in off {
                sum = sum.wrapping_sub(row[index].0[lane]);
            }
            target[lane] = sum;
        }
    }
}

#[inline(always)]
fn products(sums: &[Block], weights: &[Block]) -> i32 {
    let mut total = 0i32;
    for (sum, weight) in sums.iter().zip(weights) {
        for (&sum, &weight) in sum.0.iter().zip(&weight.0) {
            let clamped = sum.clamp(0, 255);
            let product = i32::from(clamped.wrapping_mul(weight)) * i32::from(clamped);
            total = total.wrapping_add(product);
        }
    }
    total
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Block;
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
    pub fn change_avx2<const ON: usize, const OFF: usize>(
        from: &[Block],
        to: &mut [Block],
        on: [&[Block]; ON],
        off: [&[Block]; OFF],
    ) {
        super::change(from, to, on, off);
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn change_avx512<const ON: usize, const OFF: usize>(
        from: &[Block],
        to: &mut [Block],
        on: [&[Block]; ON],
        off: [&[Block]; OFF],
    ) {
        super::change(from, to, on, off);
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
    pub fn products_avx2(sums: &[Block], weights: &[Block]) -> i32 {
        let (low, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(255));
        let mut totals = [low; 2];
        for (sum, weight) in sums.iter().zip(weights) {
            for (half, total) in totals.iter_mut().enumerate() {
                let (sum, weight) = (load_avx2(sum, half), load_avx2(weight, half));
                let clamped = _mm256_min_epi16(_mm256_max_epi16(sum, low), high);
                // A clamped value times a weight fits into 16 bits.
                let product = _mm256_madd_epi16(_mm256_mullo_epi16(clamped, weight), clamped);
                *total = _mm256_add_epi32(*total, product);
            }
        }
        let total = _mm256_add_epi32(totals[0], totals[1]);
        let total =
            _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b01_00_11_10>(total));
        let total = _mm_add_epi32(total, _mm_shuffle_epi32::<0b10_11_00_01>(total));
        _mm_cvtsi128_si32(total)
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn products_avx512(sums: &[Block], weights: &[Block]) -> i32 {
        let (low, high) = (_mm512_setzero_si512(), _mm512_set1_epi16(255));
        let mut total = low;
        for (sum, weight) in sums.iter().zip(weights) {
            let (sum, weight) = (load_avx512(sum), load_avx512(weight));
            let clamped = _mm512_min_epi16(_mm512_max_epi16(sum, low), high);
            // A clamped value times a weight fits into 16 bits.
            let product = _mm512_madd_epi16(_mm512_mullo_epi16(clamped, weight), clamped);
            total = _mm512_add_epi32(total, product);
        }
        _mm512_reduce_add_epi32(total)
    }
}
