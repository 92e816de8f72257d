//! The two BMI2 instructions behind slider look-ups. The standard library asks for `unsafe` (there is no other in
//! the program but a prefetch, in `search::memory`) although the whole program is compiled for machines that have BMI2.

#![allow(unsafe_code)]

/// Gathers the bits of `from` at `mask` into the low bits.
#[inline(always)]
pub fn pext(from: u64, mask: u64) -> u64 {
    // SAFETY: this module is compiled only where the target has BMI2 (see its `cfg` in `board`).
    unsafe { std::arch::x86_64::_pext_u64(from, mask) }
}

/// Spreads the low bits of `from` to the bits of `mask`.
#[inline(always)]
pub fn pdep(from: u64, mask: u64) -> u64 {
    // SAFETY: as above.
    unsafe { std::arch::x86_64::_pdep_u64(from, mask) }
}
