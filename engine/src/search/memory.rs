//! Tables of many megabytes that are read at random.
//!
//! Such a read costs two waits: for the memory itself, and before it for the page table that says where the memory is.
//! On pages of 2 MiB instead of 4 KiB that table stays in the processor's cache, and the second wait is spared. Linux
//! gives large pages to who asks; elsewhere the same memory comes on ordinary ones.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A large page.
const PAGE: usize = 2 << 20;
/// From here on large pages are asked for: a smaller table would leave most of one unused.
const WORTHWHILE: usize = PAGE / 8;

/// A table of zeros that begins on a page, and so on a cache line.
pub(super) struct Memory<T> {
    map: MmapMut,
    first: usize,
    bytes: usize,
    of: PhantomData<T>,
}

impl<T: Pod> Memory<T> {
    /// `len` entries, all zero. Without memory the program ends, as by any allocation.
    pub fn zeroed(len: usize) -> Memory<T> {
        let bytes = len * size_of::<T>();
        let large = bytes >= WORTHWHILE;
        // A large page begins at a multiple of its size: with one more than needed, one does.
        let wanted = if large { bytes.next_multiple_of(PAGE) + PAGE } else { bytes.max(1) };
        let Ok(map) = MmapMut::map_anon(wanted) else {
            handle_alloc_error(Layout::array::<T>(len).unwrap_or(Layout::new::<T>()))
        };
        let first = if large { map.as_ptr().align_offset(PAGE) } else { 0 };
        #[cfg(target_os = "linux")]
        if large {
            // Refused by a kernel without large pages: nothing is lost but speed.
            let _ = map.advise_range(memmap2::Advice::HugePage, first, bytes.next_multiple_of(PAGE));
        }
        Memory { map, first, bytes, of: PhantomData }
    }

    /// Asks for the cache line of an entry, which will be read soon.
    #[inline(always)]
    pub fn fetch(&self, at: usize) {
        #[cfg(target_arch = "x86_64")]
        prefetch(self.map.as_ptr().wrapping_add(self.first + at * size_of::<T>()));
        #[cfg(not(target_arch = "x86_64"))]
        let _ = at;
    }
}

/// Brings the cache line of an address near.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline(always)]
fn prefetch(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees, and no address makes it fail.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

impl<T: Pod> Deref for Memory<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[self.first..][..self.bytes])
    }
}

impl<T: Pod> DerefMut for Memory<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[self.first..][..self.bytes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_aligned_and_its_own() {
        for len in [1, 1000, WORTHWHILE / 8, PAGE / 8 + 1, 3 * PAGE / 8] {
            let mut memory = Memory::<u64>::zeroed(len);
            assert_eq!(memory.len(), len);
            assert!(memory.iter().all(|&n| n == 0));
            assert_eq!(memory.as_ptr().align_offset(64), 0);
            memory.fill(7);
            assert!(memory.iter().all(|&n| n == 7));
        }
    }
}
