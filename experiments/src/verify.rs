//! Holding a log against the rules of its game: every move legal, every ending the one the rules give, every
//! derived value the one that is derived.

use crate::duplicates::Duplicates;
use crate::import::{self, is_claimed, is_fault};
use crate::log::{GameRow, LogReader, Manifest, MetricsRow, MovesRow, UnitRows};
use crate::metrics::{self, Replay};
use crate::random::unit_seed;
use anyhow::{Context, Result, bail};
use engine::moves::{Flag, Move};
use engine::notation::parse_uci;
use engine::outcome::{Ending, GameResult, Termination};
use engine::payoff::{Finish, OfferKind, OfferState};
use engine::referee::Referee;
use engine::search::Playable;
use engine::side::Side;

/// Reads a log and checks it unit by unit.
pub struct Verifier<'a, G: Playable> {
    game: &'a G,
    manifest: &'a Manifest,
    values: Vec<i32>,
    duplicates: Duplicates,
}

impl<'a, G: Playable> Verifier<'a, G> {
    /// A verifier for the log of `manifest`.
    ///
    /// # Errors
    /// A value table that lacks a piece.
    pub fn new(game: &'a G, manifest: &'a Manifest) -> Result<Self> {
        let values = manifest.values.by_kind(game)?;
        Ok(Verifier { game, manifest, values, duplicates: Duplicates::default() })
    }

    /// The next unit of the log, checked; metrics are derived where the log has none.
    ///
    /// # Errors
    /// What does not add up, with file and row.
    pub fn next(&mut self, reader: &mut LogReader) -> Result<Option<UnitRows>> {
        let Some(mut unit) = reader.next_unit()? else { return Ok(None) };
        let at = reader.at();
        let has_metrics = reader.has_metrics();
        self.unit(&mut unit, has_metrics).with_context(|| format!("{at} (unit {})", unit.unit_id))?;
        Ok(Some(unit))
    }

    fn unit(&mut self, unit: &mut UnitRows, has_metrics: bool) -> Result<()> {
        let experiment = &self.manifest.experiment;
        let per_unit = experiment.games_per_unit();
        if !self.manifest.shard.has(unit.unit_id) || unit.unit_id > experiment.units() {
            bail!("the run has no unit {}", unit.unit_id);
        }
        for (index, (game, metrics, moves)) in unit.games.iter_mut().enumerate() {
            let id = (unit.unit_id - 1) * per_unit + index as u64 + 1;
            if game.game_id != id {
                bail!("game_id is {}, expected {id}", game.game_id);
            }
            if !experiment.is_imported() {
                self.check_players(game, index)?;
            }
            let derived = self.game_of(game, moves).with_context(|| format!("game {id}"))?;
            if has_metrics && *metrics != derived {
                let differ = metrics::COLUMNS.iter().find(|c| metrics.get(c) != derived.get(c));
                let column = differ.copied().unwrap_or("game_id");
                bail!(
                    "game {id}: {} has {column} = `{}`, and the moves give `{}`",
                    crate::log::METRICS,
                    metrics.get(column),
                    derived.get(column)
                );
            }
            *metrics = derived;
            self.duplicates.check(game, moves)?;
        }
        Ok(())
    }

    /// The first game of a pair has the first player White, the second exchanges colours.
    fn check_players(&self, game: &GameRow, index: usize) -> Result<()> {
        let players = &self.manifest.experiment.players;
        let [white, black] = self.manifest.experiment.seats(index);
        for (column, found, player) in [("white", &game.white, white), ("black", &game.black, black)] {
            let expected = &players[player].name;
            if found != expected {
                bail!("game {}: {column} is `{found}`, expected `{expected}`", game.game_id);
            }
        }
        Ok(())
    }

    fn game_of(&self, row: &GameRow, text: &MovesRow) -> Result<MetricsRow> {
        let experiment = &self.manifest.experiment;
        let expect = |column: &str, found: &str, expected: &str| -> Result<()> {
            if found != expected {
                bail!("{column} is `{found}`, expected `{expected}`");
            }
            Ok(())
        };
        expect("game", &row.game, &experiment.game)?;
        expect("options", &row.options, &self.game.options().to_string())?;
        // Games from elsewhere have no seeds of ours, and nobody was paid.
        let imported = experiment.is_imported();
        let seed = if imported { 0 } else { unit_seed(experiment.seed, row.unit_id) };
        expect("seed", &row.seed.to_string(), &seed.to_string())?;
        let payoff = experiment.payoff.as_ref().filter(|_| !imported);
        let payoff = payoff.map_or("", |m| m.spec().name.as_str());
        expect("payoff", &row.payoff, payoff)?;
        let start = self.game.parse_fen(&row.start_fen).context("start_fen")?;
        let played = self.replay(row, text, start.clone())?;
        expect("plies", &row.plies.to_string(), &played.plies.to_string())?;
        expect("moves", &row.moves.to_string(), &played.last_number.to_string())?;
        self.check_ending(row, &played)?;
        Ok(metrics::derive(
            row.game_id,
            &Replay {
                game: self.game,
                start,
                moves: &played.moves,
                evals: &text.evals,
                opening_plies: row.opening_plies as usize,
                values: &self.values,
            },
        ))
    }

    fn replay(&self, row: &GameRow, text: &MovesRow, start: G::State) -> Result<Played> {
        let mut referee = Referee::new(self.game.clone(), start, self.manifest.experiment.limits());
        let mut played =
            Played { moves: Vec::new(), plies: 0, last_number: 0, last_mover: Side::Black, ending: None };
        for (index, uci) in text.moves.iter().enumerate() {
            let over =
                referee.ending().filter(|e| !(self.manifest.experiment.is_imported() && is_claimed(*e)));
            if let Some(ending) = over {
                bail!("the game was over by {} before ply {} ({uci})", ending.termination, index + 1);
            }
            let m =
                parse_uci(self.game, referee.state(), uci).with_context(|| format!("ply {}", index + 1))?;
            played.last_number = self.game.clocks(referee.state()).1;
            played.last_mover = self.game.side_to_move(referee.state());
            played.plies += u32::from(m.flag() != Flag::Arrange);
            referee.play(m);
            played.moves.push(m);
            if index < row.opening_plies as usize && text.evals[index] != "-" {
                bail!(
                    "ply {} belongs to the opening, but has the evaluation {}",
                    index + 1,
                    text.evals[index]
                );
            }
        }
        if row.opening_plies as usize > played.moves.len() {
            bail!("opening_plies is {}, and the game has {} plies", row.opening_plies, played.moves.len());
        }
        played.ending = referee.ending();
        Ok(played)
    }

    fn check_ending(&self, row: &GameRow, played: &Played) -> Result<()> {
        let logged = Ending { result: row.result, termination: row.termination };
        if self.manifest.experiment.is_imported() {
            if row.draw_offer.is_some() || row.resign_offer.is_some() || row.points.is_some() {
                bail!("offers and points are not part of games from elsewhere, and this one has some");
            }
            return import::ending(played.ending, row.result, Some(row.termination)).map(drop);
        }
        let offers = self.offers(row, played)?;
        let expected = match (logged.termination, played.ending) {
            (t, None) if is_fault(t) => Ending { result: GameResult::Unknown, termination: t },
            (Termination::Resignation, None) => match offers.accepted() {
                Some(offer) => Ending::win(offer.by.other(), Termination::Resignation),
                None => bail!("termination is resignation, but resign_offer was not accepted"),
            },
            (Termination::DrawAgreed, None) => Ending::draw(Termination::DrawAgreed),
            (_, Some(ending)) => ending,
            (t, None) => bail!("termination is {t}, and after the last move the game goes on"),
        };
        if logged != expected {
            bail!(
                "the game is logged as {} by {}, and its moves come to {} by {}",
                logged.result,
                logged.termination,
                expected.result,
                expected.termination
            );
        }
        let matrix = self.manifest.experiment.payoff.as_ref();
        let finish =
            Finish { ending: logged, last_mover: played.last_mover, move_number: played.last_number };
        let points = match matrix {
            Some(matrix) => matrix.points(&finish, &offers)?,
            None => None,
        };
        if points != row.points {
            let text =
                |p: Option<engine::payoff::Split>| p.map_or("none".to_owned(), |(w, b)| format!("{w}-{b}"));
            bail!("points are {}, expected {}", text(row.points), text(points));
        }
        Ok(())
    }

    /// The book on offers, from the logged offers in the order they were made.
    fn offers(&self, row: &GameRow, played: &Played) -> Result<OfferState> {
        let mut logged: Vec<_> =
            [(OfferKind::Draw, &row.draw_offer), (OfferKind::Resignation, &row.resign_offer)]
                .into_iter()
                .filter_map(|(kind, offer)| offer.as_ref().map(|o| (kind, o)))
                .collect();
        logged.sort_by_key(|(_, o)| o.ply);
        let mut book = OfferState::new();
        if logged.is_empty() {
            return Ok(book);
        }
        let Some(matrix) = &self.manifest.experiment.payoff else {
            bail!("the game has an offer, but the run has no payoff");
        };
        let start = self.game.parse_fen(&row.start_fen)?;
        for (kind, offer) in logged {
            if offer.ply as usize > played.moves.len() {
                bail!("the {kind} offer was made after {} plies, and the game has fewer", offer.ply);
            }
            let mut state = start.clone();
            for &m in &played.moves[..offer.ply as usize] {
                self.game.play(&mut state, m, &mut ());
            }
            if self.game.side_to_move(&state) != offer.side {
                bail!("the {kind} offer after {} plies was not {}'s to make", offer.ply, offer.side);
            }
            let number = self.game.clocks(&state).1;
            match kind {
                OfferKind::Draw => book.offer_draw(matrix, offer.side, number)?,
                OfferKind::Resignation => book.offer_resignation(matrix, offer.side, number)?,
            }
            if offer.accepted {
                book.accept(offer.side.other())?;
            } else {
                book.refuse(offer.side.other())?;
            }
        }
        Ok(book)
    }
}

struct Played {
    moves: Vec<Move>,
    plies: u32,
    last_number: u32,
    last_mover: Side,
    ending: Option<Ending>,
}
