//! How a game played elsewhere ended: what its moves come to, beside what is said of it.

use anyhow::{Result, bail};
use engine::outcome::{Ending, GameResult, Termination};

/// Whether people end a game by this only if one of them claims it (FIDE Laws of Chess 9.2, 9.3): such a game
/// may go on, while in our own games the draw comes by itself.
pub fn is_claimed(ending: Ending) -> bool {
    matches!(ending.termination, Termination::Repetition | Termination::FiftyMove)
}

/// Whether it is a fault of a player's program.
pub fn is_fault(termination: Termination) -> bool {
    matches!(
        termination,
        Termination::FaultCrash
            | Termination::FaultHang
            | Termination::FaultIllegal
            | Termination::FaultProtocol
    )
}

/// The ending of a game whose moves come to `board` (nothing: it could go on) and which is given as `result`,
/// by `stated` if that is said. Without it a win that is not on the board counts as a resignation, a draw as
/// agreed, a game without a result as broken off.
///
/// # Errors
/// What is given contradicts the moves.
pub fn ending(board: Option<Ending>, result: GameResult, stated: Option<Termination>) -> Result<Ending> {
    let given = stated.map_or_else(|| result.to_string(), |t| format!("{result} by {t}"));
    if let Some(ending) = board {
        if ending.result == result && stated.is_none_or(|t| t == ending.termination) {
            return Ok(ending);
        }
        if !is_claimed(ending) {
            bail!(
                "the game is given as {given}, and its moves come to {} by {}",
                ending.result,
                ending.termination
            );
        }
    }
    let termination = match (result, stated) {
        (GameResult::Win(_), None | Some(Termination::Resignation)) => Termination::Resignation,
        (GameResult::Draw, None | Some(Termination::DrawAgreed)) => Termination::DrawAgreed,
        (GameResult::BothLose, None | Some(Termination::MoveRule)) => Termination::MoveRule,
        (GameResult::Unknown, None | Some(Termination::MoveLimit)) => Termination::MoveLimit,
        (GameResult::Unknown, Some(t)) if is_fault(t) => t,
        _ => bail!("the game is given as {given}, and after its last move it goes on"),
    };
    Ok(Ending { result, termination })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::side::Side;

    #[test]
    fn what_is_said_must_agree_with_the_board() {
        const WHITE: GameResult = GameResult::Win(Side::White);
        let mate = Some(Ending::win(Side::White, Termination::Checkmate));
        let third = Some(Ending::draw(Termination::Repetition));
        let name = |board, result, stated| ending(board, result, stated).map(|e| e.termination.name());
        assert_eq!(name(mate, WHITE, None).unwrap(), "checkmate");
        assert_eq!(name(None, WHITE, None).unwrap(), "resignation");
        assert_eq!(name(None, GameResult::Draw, None).unwrap(), "draw-agreed");
        assert_eq!(name(None, GameResult::BothLose, None).unwrap(), "move-rule");
        assert_eq!(name(None, GameResult::Unknown, None).unwrap(), "move-limit");
        let crash = Some(Termination::FaultCrash);
        assert_eq!(name(None, GameResult::Unknown, crash).unwrap(), "fault-crash");
        // Nobody has to claim a third repetition.
        assert_eq!(name(third, GameResult::Draw, None).unwrap(), "repetition");
        assert_eq!(name(third, WHITE, None).unwrap(), "resignation");
        for (board, result, stated) in [
            (mate, GameResult::Win(Side::Black), None),
            (mate, GameResult::Draw, None),
            (mate, GameResult::Unknown, None),
            (mate, WHITE, Some(Termination::Resignation)),
            (None, WHITE, Some(Termination::Checkmate)),
            (None, GameResult::Draw, Some(Termination::Stalemate)),
            (None, WHITE, crash),
        ] {
            assert!(ending(board, result, stated).is_err(), "{board:?} {result} {stated:?}");
        }
    }
}
