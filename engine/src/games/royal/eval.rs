//! What evaluation asks of the family.

use super::{KING, PAWN, Royal, Variant};
use crate::board::army::Army;
use crate::eval::{Evaluate, Role};
use crate::moves::Kind;

impl<V: Variant, A: Army<G = V::G>> Evaluate for Royal<V, A> {
    fn rough_value(&self, kind: Kind) -> i32 {
        V::VALUES[kind as usize]
    }

    fn role(&self, kind: Kind) -> Role {
        match kind {
            PAWN => Role::Pawn,
            KING => Role::Royal,
            _ => Role::Piece,
        }
    }
}
