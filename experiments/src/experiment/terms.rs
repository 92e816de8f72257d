//! Rule options that are data of the payoff matrix: kept to one truth.
//!
//! A game played for points has options of the matrix's own names. What a run says of them counts for the
//! matrix; what it leaves out is taken from the matrix. So options, payoff and log cannot disagree.

use anyhow::{Result, anyhow, bail};
use engine::games::{ALL, Visitor};
use engine::options::Options;
use engine::payoff::{CheckmateUnoffered, Matrix};
use engine::search::Playable;

const CHECKMATE: &str = "checkmate_unoffered";
const REFUSED_DRAW: &str = "refused_draw_starts_bands";
const MOVE_RULE: &str = "move_rule";

struct Resolve;

impl Visitor for Resolve {
    type Output = Options;
    fn visit<G: Playable>(self, game: G) -> Options {
        game.options().clone()
    }
}

type Given = Vec<(String, String)>;

/// Options and payoff of `game`, made to agree. A game with such options has the sample matrix by default.
///
/// # Errors
/// An unknown option or value, or a move rule that is asked for and that the matrix was told to be without.
pub(super) fn settle(
    game: &str,
    mut given: Given,
    payoff: Option<Matrix>,
) -> Result<(Given, Option<Matrix>)> {
    let pairs = given.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    let options = engine::games::with(game, pairs, Resolve)?;
    let known = ALL.iter().find(|info| info.name == game).map_or(&[][..], |info| info.options);
    let has = |name: &str| known.iter().any(|o| o.name == name);
    if !has(CHECKMATE) {
        return Ok((given, payoff));
    }
    let mut matrix = match payoff {
        Some(matrix) => matrix,
        None => engine::payoff::sample()?,
    };
    let stated = |name: &str| given.iter().any(|(n, _)| n == name);
    let mut spec = matrix.spec().clone();
    if stated(CHECKMATE) {
        spec.checkmate_unoffered = match options.get(CHECKMATE) {
            "banded" => CheckmateUnoffered::Banded,
            _ => CheckmateUnoffered::Full,
        };
    }
    if stated(REFUSED_DRAW) {
        spec.refused_draw_starts_bands = options.is_true(REFUSED_DRAW);
    }
    matrix = Matrix::new(spec).map_err(|e| anyhow!("payoff matrix: {e}"))?;
    if stated(MOVE_RULE) && options.is_true(MOVE_RULE) != matrix.spec().move_rule.is_some() {
        if options.is_true(MOVE_RULE) {
            bail!("option {MOVE_RULE} is true, and [payoff] says there is none");
        }
        matrix = matrix.with_move_rule(None)?;
    }
    let spec = matrix.spec();
    for (name, value) in [
        (CHECKMATE, spec.checkmate_unoffered.name()),
        (REFUSED_DRAW, if spec.refused_draw_starts_bands { "true" } else { "false" }),
        (MOVE_RULE, if spec.move_rule.is_some() { "true" } else { "false" }),
    ] {
        if has(name) && !given.iter().any(|(n, _)| n == name) {
            given.push((name.to_owned(), value.to_owned()));
        }
    }
    given.sort();
    Ok((given, Some(matrix)))
}
