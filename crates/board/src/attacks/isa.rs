//! One binary, two instruction sets.
//!
//! A binary built for a plain x86-64 runs everywhere, and still uses PEXT and POPCNT where the CPU
//! has them. The hot code is written once as a [`Kernel`], generic over an [`Isa`]; [`dispatch`]
//! looks at the CPU once and enters the copy that was compiled for it. Inside that copy the choice
//! is a type: it costs nothing, and everything that is inlined into it (population counts, bit scans)
//! uses the better instructions too. Recursive kernels go on with [`Isa::call`], which asks nothing.
//!
//! A token of type `Bmi2` exists only after the CPU was asked, so holding one is the proof that
//! its instructions may be executed. The only `unsafe` of the crate stands in this file.

#![allow(unsafe_code)]

use super::sliders::Magics;
use crate::{Bitboard, Square};

/// A piece of hot code that is compiled once per instruction set.
pub trait Kernel {
    /// What it computes.
    type Output;

    /// The work. Mark every implementation `#[inline(always)]`: what is not inlined into its caller
    /// is compiled for the plain CPU.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A set of instructions that may be used: the way sliders are looked up.
pub trait Isa: Copy {
    /// The squares a bishop attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a rook attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// Runs another kernel on the same instructions, as a plain call.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;

    /// The squares a queen attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }
}

/// The plain CPU: magic multiplication. Holding one is the proof that the tables are there.
#[derive(Clone, Copy)]
pub struct Portable(&'static Magics);

impl Default for Portable {
    #[inline]
    fn default() -> Portable {
        Portable(Magics::tables())
    }
}

impl Isa for Portable {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        run_portable(self, kernel)
    }
}

#[inline(never)]
fn run_portable<K: Kernel>(isa: Portable, kernel: K) -> K::Output {
    kernel.run(isa)
}

/// Runs a kernel on the best instructions this CPU offers.
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    return match bmi2::known() {
        Some(isa) => isa.call(kernel),
        None => dispatch_otherwise(kernel),
    };
    #[cfg(not(target_arch = "x86_64"))]
    Portable::default().call(kernel)
}

/// Where the CPU has not been looked at yet, or has nothing better. Apart, so that what it needs is not saved on the
/// usual way.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn dispatch_otherwise<K: Kernel>(kernel: K) -> K::Output {
    match bmi2::detect() {
        Some(isa) => isa.call(kernel),
        None => Portable::default().call(kernel),
    }
}

/// The name of the path that [`dispatch`] takes on this CPU, for reports.
pub fn cpu_path() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if bmi2::detect().is_some() {
        return "pext";
    }
    "magic"
}

/// Asks the CPU to load the cache line in which a value begins: a search knows where it will look some
/// hundred instructions before it does.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has SSE; a prefetch changes nothing, and the address is a valid one.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = value;
}

#[cfg(target_arch = "x86_64")]
pub(super) mod bmi2 {
    use super::super::sliders::{BISHOP, BISHOP_SIZE, ROOK, ROOK_SIZE};
    use super::{Bitboard, Isa, Kernel, Square};
    use std::arch::x86_64::{__cpuid, __get_cpuid_max, _pext_u64};
    use std::cell::UnsafeCell;
    use std::sync::Once;
    use std::sync::atomic::{AtomicU8, Ordering};

    /// Proof that the CPU has AVX2 (which copies a position in six loads and stores), BMI1, BMI2,
    /// LZCNT and POPCNT, and a PEXT made of gates, and that the tables in the order of PEXT are filled.
    #[derive(Clone, Copy)]
    pub struct Bmi2(());

    /// The tables of rooks and bishops in the order of PEXT, at fixed addresses.
    struct Tables(UnsafeCell<([u64; ROOK_SIZE], [u64; BISHOP_SIZE])>);

    // SAFETY: they are written once, before the first token exists, and read only with a token.
    unsafe impl Sync for Tables {}

    static TABLES: Tables = Tables(UnsafeCell::new(([0; ROOK_SIZE], [0; BISHOP_SIZE])));

    const UNKNOWN: u8 = 0;
    const ABSENT: u8 = 1;
    const PRESENT: u8 = 2;
    static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// What an earlier look at the CPU has found: one load and one predicted branch, several times a node.
    #[inline(always)]
    pub fn known() -> Option<Bmi2> {
        (STATE.load(Ordering::Acquire) >= PRESENT).then_some(Bmi2(()))
    }

    /// Looks at the CPU and fills the tables at the first call.
    #[inline]
    pub fn detect() -> Option<Bmi2> {
        known().or_else(|| match STATE.load(Ordering::Acquire) {
            ABSENT => None,
            _ => first_look(),
        })
    }

    #[cold]
    #[inline(never)]
    fn first_look() -> Option<Bmi2> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && !pext_is_microcode();
        if present {
            static FILLED: Once = Once::new();
            FILLED.call_once(|| {
                // SAFETY: this runs once, and no token exists yet.
                let (rook, bishop) = unsafe { &mut *TABLES.0.get() };
                ROOK.fill_by_extract(rook);
                BISHOP.fill_by_extract(bishop);
            });
        }
        STATE.store(if present { PRESENT } else { ABSENT }, Ordering::Release);
        present.then_some(Bmi2(()))
    }

    /// AMD's families 15h to 17h (Excavator, Zen, Zen 2) run PEXT as a microcode loop of up to 300
    /// cycles: magics are faster there.
    fn pext_is_microcode() -> bool {
        if __get_cpuid_max(0).0 < 1 {
            return true;
        }
        let vendor = __cpuid(0);
        let amd = vendor.ebx == 0x6874_7541 && vendor.edx == 0x6974_6e65;
        let signature = __cpuid(1).eax;
        let family = (signature >> 8 & 15) + (signature >> 20 & 255);
        amd && (0x15..=0x17).contains(&family)
    }

    impl Isa for Bmi2 {
        #[inline(always)]
        fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
            let table = &self.tables().1;
            BISHOP.by_extract(table, square, occupied, |bits, mask| self.extract(bits, mask))
        }

        #[inline(always)]
        fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
            let table = &self.tables().0;
            ROOK.by_extract(table, square, occupied, |bits, mask| self.extract(bits, mask))
        }

        #[inline(always)]
        fn call<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: a Bmi2 exists only where the CPU has these features.
            unsafe { run(self, kernel) }
        }
    }

    impl Bmi2 {
        #[inline(always)]
        fn tables(self) -> &'static ([u64; ROOK_SIZE], [u64; BISHOP_SIZE]) {
            // SAFETY: a Bmi2 exists only after the tables were filled, and nothing writes to them again.
            unsafe { &*TABLES.0.get() }
        }

        #[inline(always)]
        fn extract(self, bits: u64, mask: u64) -> u64 {
            // SAFETY: a Bmi2 exists only where the CPU has PEXT.
            unsafe { _pext_u64(bits, mask) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<K: Kernel>(isa: Bmi2, kernel: K) -> K::Output {
        kernel.run(isa)
    }
}
