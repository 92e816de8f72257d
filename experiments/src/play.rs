//! One game between two players, from its opening to its ending.

use crate::experiment::OfferPolicy;
use crate::log::OfferLog;
use crate::openings::Opening;
use crate::players::offers::{OfferStrategy, Situation, strategy};
use crate::players::{Fault, Player, Thought};
use engine::moves::{Flag, Move};
use engine::outcome::{Ending, GameResult, Termination};
use engine::payoff::{Finish, Matrix, OfferKind, OfferState, Split};
use engine::referee::{Limits, Referee};
use engine::search::Playable;
use engine::side::Side;

/// The rules of play besides the game's own.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Limits on length.
    pub limits: Limits,
    /// What the game is worth; without one there are no offers.
    pub matrix: Option<&'a Matrix>,
}

/// What has been played so far: kept outside the playing, so that a crash leaves it standing.
#[derive(Clone, Debug)]
pub struct Record<S> {
    /// The array before any ply.
    pub start: S,
    /// Plies of the opening.
    pub opening_plies: usize,
    /// All plies.
    pub moves: Vec<Move>,
    /// One evaluation a ply, from White's view; `-` in the opening.
    pub evals: Vec<String>,
    /// The last evaluation.
    pub eval_final: String,
    /// Nodes by side.
    pub nodes: [u64; 2],
    /// Plies that were no arrangement actions.
    pub plies: u32,
    /// Full-move number of the last ply; 0 before any.
    pub last_number: u32,
    /// Who made the last ply.
    pub last_mover: Side,
    /// The book on offers.
    pub offers: OfferState,
    /// The draw offer.
    pub draw_offer: Option<OfferLog>,
    /// The resignation offer.
    pub resign_offer: Option<OfferLog>,
    /// How the game ended; `*` by `fault-crash` until it has.
    pub ending: Ending,
    /// What a faulty player did.
    pub fault: Option<String>,
}

impl<S: Clone> Record<S> {
    /// A game about to start.
    pub fn new(opening: &Opening<S>) -> Record<S> {
        Record {
            start: opening.start.clone(),
            opening_plies: opening.moves.len(),
            moves: Vec::new(),
            evals: Vec::new(),
            eval_final: "-".to_owned(),
            nodes: [0; 2],
            plies: 0,
            last_number: 0,
            last_mover: Side::Black,
            offers: OfferState::new(),
            draw_offer: None,
            resign_offer: None,
            ending: Ending { result: GameResult::Unknown, termination: Termination::FaultCrash },
            fault: None,
        }
    }

    fn play<G: Playable<State = S>>(&mut self, referee: &mut Referee<G>, m: Move, eval: String) {
        let game = referee.game();
        self.last_mover = game.side_to_move(referee.state());
        self.last_number = game.clocks(referee.state()).1;
        self.plies += u32::from(m.flag() != Flag::Arrange);
        referee.play(m);
        self.moves.push(m);
        self.evals.push(eval);
    }

    /// Points to White and to Black; nothing where the game has none or came to nothing.
    ///
    /// # Errors
    /// Ending and offers that contradict each other: a fault of this program.
    pub fn points(&self, matrix: Option<&Matrix>) -> Result<Option<Split>, engine::payoff::PointsError> {
        let Some(matrix) = matrix else { return Ok(None) };
        let finish =
            Finish { ending: self.ending, last_mover: self.last_mover, move_number: self.last_number };
        matrix.points(&finish, &self.offers)
    }
}

/// The two players of a game.
pub struct Table<'a, G: Playable> {
    /// White's and Black's player.
    pub players: [&'a mut dyn Player<G>; 2],
    /// Their offer policies.
    pub policies: [&'a OfferPolicy; 2],
}

/// Plays a game into `record`. False if `stop` said so between two plies: the record is then of no use.
pub fn play<G: Playable>(
    game: &G,
    opening: &Opening<G::State>,
    terms: Terms<'_>,
    seed: u64,
    table: &mut Table<'_, G>,
    record: &mut Record<G::State>,
    stop: &dyn Fn() -> bool,
) -> bool {
    let mut referee = Referee::new(game.clone(), opening.start.clone(), terms.limits);
    for &m in &opening.moves {
        record.play(&mut referee, m, "-".to_owned());
    }
    let mut strategies = table.policies.map(strategy);
    for (side, player) in Side::BOTH.into_iter().zip(&mut table.players) {
        // Two random players of one game must not mirror each other.
        player.new_game(seed ^ side.index() as u64);
    }
    loop {
        if let Some(ending) = referee.ending() {
            record.ending = ending;
            return true;
        }
        if stop() {
            return false;
        }
        match turn(&mut referee, terms, table, &mut strategies, record) {
            Ok(None) => {}
            Ok(Some(ending)) => {
                record.ending = ending;
                return true;
            }
            Err(fault) => {
                record.ending = Ending { result: GameResult::Unknown, termination: fault.termination };
                record.fault = Some(fault.text);
                return true;
            }
        }
    }
}

/// One side's turn: think, perhaps offer, move. An ending if an offer was accepted.
fn turn<G: Playable>(
    referee: &mut Referee<G>,
    terms: Terms<'_>,
    table: &mut Table<'_, G>,
    strategies: &mut [Box<dyn OfferStrategy + '_>; 2],
    record: &mut Record<G::State>,
) -> Result<Option<Ending>, Fault> {
    let side = referee.game().side_to_move(referee.state());
    let thought = think(referee, table, side, record)?;
    let eval = written(thought, side);
    if eval != "-" {
        record.eval_final.clone_from(&eval);
    }
    if let Some(matrix) = terms.matrix {
        let ending = offer(referee, matrix, table, strategies, thought, record)?;
        if ending.is_some() {
            return Ok(ending);
        }
    }
    record.play(referee, thought.best, eval);
    Ok(None)
}

fn think<G: Playable>(
    referee: &Referee<G>,
    table: &mut Table<'_, G>,
    player: Side,
    record: &mut Record<G::State>,
) -> Result<Thought, Fault> {
    let thought = table.players[player.index()].think(referee)?;
    record.nodes[player.index()] += thought.nodes;
    Ok(thought)
}

/// A thought's evaluation as logs have it; `mover` is the side to move.
fn written(thought: Thought, mover: Side) -> String {
    thought.score.map_or_else(|| "-".to_owned(), |s| s.white_view(mover).to_string())
}

/// The side to move may make one offer before its move, a draw before its resignation.
fn offer<G: Playable>(
    referee: &Referee<G>,
    matrix: &Matrix,
    table: &mut Table<'_, G>,
    strategies: &mut [Box<dyn OfferStrategy + '_>; 2],
    thought: Thought,
    record: &mut Record<G::State>,
) -> Result<Option<Ending>, Fault> {
    let side = referee.game().side_to_move(referee.state());
    let answerer = side.other();
    let move_number = referee.game().clocks(referee.state()).1;
    let ply = record.moves.len() as u32;
    // The payoff says nothing of moves beyond its bands (a game from a late position).
    if matrix.band_at(move_number).is_none() {
        return Ok(None);
    }
    for kind in [OfferKind::Draw, OfferKind::Resignation] {
        let book = record.offers;
        let now = Situation { side, move_number, ply, score: thought.score, offers: &book, matrix };
        if !book.is_open(kind) || !strategies[side.index()].offers(kind, &now) {
            continue;
        }
        let answer = think(referee, table, answerer, record)?;
        // The answerer thinks about the same position, in which the offerer is to move.
        let own = Situation { side: answerer, score: answer.score.map(|s| -s), ..now };
        let accepted = strategies[answerer.index()].accepts(kind, &own);
        let log = OfferLog {
            ply,
            side,
            accepted,
            eval_offerer: written(thought, side),
            eval_answerer: written(answer, side),
        };
        let broken = |e: engine::payoff::OfferError| Fault {
            termination: Termination::FaultProtocol,
            text: e.to_string(),
        };
        match kind {
            OfferKind::Draw => {
                record.offers.offer_draw(matrix, side, move_number).map_err(broken)?;
                record.draw_offer = Some(log);
            }
            OfferKind::Resignation => {
                record.offers.offer_resignation(matrix, side, move_number).map_err(broken)?;
                record.resign_offer = Some(log);
            }
        }
        if !accepted {
            record.offers.refuse(answerer).map_err(broken)?;
            return Ok(None);
        }
        record.offers.accept(answerer).map_err(broken)?;
        return Ok(Some(match kind {
            OfferKind::Draw => Ending::draw(Termination::DrawAgreed),
            OfferKind::Resignation => Ending::win(answerer, Termination::Resignation),
        }));
    }
    Ok(None)
}
