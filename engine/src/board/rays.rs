//! Rays walked square by square, at compile time: every table and every test oracle starts here.

/// The eight directions as (files, ranks), clockwise from north; even ones are the rook's.
pub const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The square `(df, dr)` away, or `None` off the board.
pub const fn step(square: u8, df: i8, dr: i8, files: u8, ranks: u8) -> Option<u8> {
    let file = (square % files) as i8 + df;
    let rank = (square / files) as i8 + dr;
    if file < 0 || rank < 0 || file >= files as i8 || rank >= ranks as i8 {
        None
    } else {
        Some(rank as u8 * files + file as u8)
    }
}

/// Squares seen from `square` in direction `d` up to and including the first one in `occupied`.
pub const fn ray(square: u8, d: usize, occupied: u128, files: u8, ranks: u8) -> u128 {
    let (df, dr) = DIRECTIONS[d];
    let mut seen = 0;
    let mut at = square;
    while let Some(next) = step(at, df, dr, files, ranks) {
        seen |= 1 << next;
        if occupied >> next & 1 == 1 {
            break;
        }
        at = next;
    }
    seen
}

/// The union of the rays of every second direction from `first` (0: rook, 1: bishop).
#[cfg(test)]
pub const fn slide(square: u8, first: usize, occupied: u128, files: u8, ranks: u8) -> u128 {
    let mut seen = 0;
    let mut d = first;
    while d < 8 {
        seen |= ray(square, d, occupied, files, ranks);
        d += 2;
    }
    seen
}

/// Squares strictly between two squares on one line; empty if they are on none.
pub const fn between(a: u8, b: u8, files: u8, ranks: u8) -> u128 {
    let mut d = 0;
    while d < 8 {
        let seen = ray(a, d, 1 << b, files, ranks);
        if seen >> b & 1 == 1 {
            return seen & !(1 << b);
        }
        d += 1;
    }
    0
}
