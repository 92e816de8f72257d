//! MChess: health instead of capture. Health in whole milli-points (1 point = 1000), so that nothing is rounded.

use super::board::{Board, EMPTY, belongs, coloured, fields, forward, number, side, white_moves};
use super::{Options, Position};

const POINT: i64 = 1000;
/// A whole attack, in fortieths: a queen's is shared out in eighths or tenths.
const WHOLE: i64 = 40;
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const AROUND: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A piece's move.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    from: usize,
    to: usize,
    /// The pawn changes places with an enemy.
    pawning: bool,
    /// What a pawn becomes on its last rank.
    into: Option<u8>,
}

/// A position.
#[derive(Clone, Debug)]
pub struct MChess {
    hot: bool,
    readings: Readings,
    board: Board,
    /// Milli-points by square; nothing means anything on an empty one.
    health: [i64; 64],
    white: bool,
    unmoved: Vec<usize>,
    half: u32,
    full: u32,
}

/// Which of the other readings of the rules are in force; none by default.
#[derive(Clone, Copy, Debug)]
struct Readings {
    /// Two bishops' buffs multiply: 1.6, 2.56, and no more.
    buffs_multiply: bool,
    /// A bishop's diagonal ends at the first piece.
    buff_blocked: bool,
    /// A king takes 8 % of his own maximum.
    king_own: bool,
    /// A queen's attack loses a tenth a step, not an eighth.
    queen_tenths: bool,
    /// A queen's attack passes over own pieces.
    queen_past_own: bool,
    /// Pawning costs its 40 % in the volley, buffed where the pawn arrives, and absorbed.
    pawning_attack: bool,
    /// No enemy pawn may be pawned on to its own last rank.
    no_pawn_home: bool,
}

impl Position for MChess {
    type Move = Turn;

    fn read(_game: &str, fen: &str, options: &Options) -> MChess {
        let fields = fields(fen, 7);
        assert_eq!(fields[3], "-", "the fourth field of {fen:?}");
        let board = Board::read(8, fields[0]);
        let mut position = MChess {
            hot: options.choice("numbers", &["first", "hot"]) == "hot",
            readings: Readings {
                buffs_multiply: options.choice("buffs", &["additive", "multiplicative"]) == "multiplicative",
                buff_blocked: options.flag("bishop_buff_blocked", false),
                king_own: options.choice("king_damage", &["victim", "own"]) == "own",
                queen_tenths: options.choice("queen_decay", &["eighths", "tenths"]) == "tenths",
                queen_past_own: options.flag("queen_past_own", false),
                pawning_attack: options.choice("pawning_damage", &["at_once", "as_attack"]) == "as_attack",
                no_pawn_home: options.choice("pawn_swapped_home", &["queen", "forbidden"]) == "forbidden",
            },
            board,
            health: [0; 64],
            white: white_moves(fields[1]),
            unmoved: board.squares_in(fields[2]),
            half: number(fields[4]),
            full: number(fields[5]),
        };
        let pieces = position.pieces_in_fen_order();
        let health: Vec<i64> = if fields[6] == "-" {
            pieces.iter().map(|&square| full_health(board.at(square))).collect()
        } else {
            fields[6].split(',').map(read_points).collect()
        };
        assert_eq!(health.len(), pieces.len(), "pieces and health in {fen:?}");
        for (square, health) in pieces.into_iter().zip(health) {
            assert!((0..=full_health(board.at(square))).contains(&health), "health in {fen:?}");
            position.health[square] = health;
        }
        position
    }

    fn fen(&self) -> String {
        let pieces = self.pieces_in_fen_order();
        let full = |&square: &usize| self.health[square] == full_health(self.board.at(square));
        let health: Vec<String> = pieces.iter().map(|&square| write_points(self.health[square])).collect();
        format!(
            "{} {} {} - {} {} {}",
            self.board.placement(),
            side(self.white),
            self.board.names(&self.unmoved),
            self.half,
            self.full,
            if pieces.iter().all(full) { "-".to_string() } else { health.join(",") }
        )
    }

    fn moves(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        if self.annihilated() {
            return turns;
        }
        for from in self.board.of_side(self.white) {
            let (directions, most): (&[(i32, i32)], i32) = match self.board.at(from).to_ascii_uppercase() {
                b'P' => {
                    self.pawn_turns(from, &mut turns);
                    continue;
                }
                b'N' => (&KNIGHT, 1),
                b'K' => (&AROUND, 1),
                b'B' => (&DIAGONALS, 8),
                b'R' => (&LINES, 8),
                b'Q' => (&AROUND, 8),
                other => panic!("no piece {:?}", other as char),
            };
            for &(files, ranks) in directions {
                for steps in 1..=most {
                    match self.board.offset(from, files * steps, ranks * steps) {
                        Some(to) if self.board.at(to) == EMPTY => {
                            turns.push(Turn { from, to, pawning: false, into: None });
                        }
                        _ => break,
                    }
                }
            }
        }
        turns
    }

    fn after(&self, turn: &Turn) -> MChess {
        let mut next = self.clone();
        let pawned = next.carry_out(turn);
        next.act(pawned);
        let died = next.remove_dead();
        let pawn = self.board.at(turn.from).eq_ignore_ascii_case(&b'P');
        next.half = if pawn || died { 0 } else { self.half + 1 };
        next.full = if self.white { self.full } else { self.full + 1 };
        next.white = !self.white;
        next
    }

    fn uci(&self, turn: &Turn) -> String {
        let x = if turn.pawning { "x" } else { "" };
        let mut text = self.board.name(turn.from) + x + &self.board.name(turn.to);
        if let Some(kind) = turn.into {
            text.push(kind.to_ascii_lowercase() as char);
        }
        text
    }

    fn outcome(&self) -> Option<&'static str> {
        if self.annihilated() {
            Some("annihilation")
        } else if self.moves().is_empty() {
            Some("blocked")
        } else {
            None
        }
    }
}

/// A piece's maximum health.
fn full_health(piece: u8) -> i64 {
    POINT
        * match piece.to_ascii_uppercase() {
            b'P' => 100,
            b'N' => 150,
            b'B' => 125,
            b'R' => 200,
            b'Q' => 175,
            b'K' => 250,
            other => panic!("no piece {:?}", other as char),
        }
}

/// Points with up to three decimals, as milli-points.
fn read_points(text: &str) -> i64 {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{decimals:0<3}");
    assert!(decimals.len() <= 3, "decimals of {text:?}");
    digits.parse().unwrap_or_else(|_| panic!("health {text:?}"))
}

fn write_points(health: i64) -> String {
    let text = format!("{}.{:03}", health / POINT, health % POINT);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A division that must come out even.
fn exactly(amount: i64, by: i64) -> i64 {
    assert_eq!(amount % by, 0, "{amount} / {by} is rounded");
    amount / by
}

impl MChess {
    fn pieces_in_fen_order(&self) -> Vec<usize> {
        let mut squares = self.board.fen_order();
        squares.retain(|&square| self.board.at(square) != EMPTY);
        squares
    }

    /// Whether a side has no piece left.
    fn annihilated(&self) -> bool {
        [true, false].into_iter().any(|white| self.board.of_side(white).next().is_none())
    }

    fn attack(&self, kind: u8) -> i64 {
        POINT
            * match (kind, self.hot) {
                (b'P', false) => 15,
                (b'N', false) => 20,
                (b'R', false) => 10,
                (b'Q', false) => 20,
                (b'P', true) => 20,
                (b'N', true) => 35,
                (b'R', true) => 25,
                (b'Q', true) => 40,
                (other, _) => panic!("{:?} has no attack in points", other as char),
            }
    }

    fn pawn_turns(&self, from: usize, turns: &mut Vec<Turn>) {
        let ahead = forward(self.white);
        let mut ends = Vec::new();
        for steps in 1..=if self.unmoved.contains(&from) { 2 } else { 1 } {
            match self.board.offset(from, 0, steps * ahead) {
                Some(to) if self.board.at(to) == EMPTY => ends.push((to, false)),
                _ => break,
            }
        }
        for files in [-1, 1] {
            if let Some(to) = self.board.offset(from, files, ahead)
                && belongs(self.board.at(to), !self.white)
                && !(self.readings.no_pawn_home
                    && self.board.at(to).eq_ignore_ascii_case(&b'P')
                    && self.board.own_rank(from, !self.white) == 8)
            {
                ends.push((to, true));
            }
        }
        for (to, pawning) in ends {
            if self.board.own_rank(to, self.white) == 8 {
                let kinds = b"QRBN".iter();
                turns.extend(kinds.map(|&kind| Turn { from, to, pawning, into: Some(kind) }));
            } else {
                turns.push(Turn { from, to, pawning, into: None });
            }
        }
    }

    /// Step 1: the move itself, with pawning and what it does to pawns on their last ranks. Gives the damage still
    /// to be dealt where pawning counts as an attack: where, from where, milli-points.
    fn carry_out(&mut self, turn: &Turn) -> Option<(usize, usize, i64)> {
        let Turn { from, to, .. } = *turn;
        let (mover, other) = (self.board.at(from), self.board.at(to));
        let (mover_health, other_health) = (self.health[from], self.health[to]);
        let other_unmoved = self.unmoved.contains(&to);
        self.unmoved.retain(|&square| square != from && square != to);
        self.board.put(to, mover);
        self.health[to] = mover_health;
        self.board.put(from, other);
        if let Some(kind) = turn.into {
            self.board.put(to, coloured(kind, self.white));
            self.health[to] = full_health(kind);
        }
        if turn.pawning {
            let cost = exactly(full_health(other) * 40, 100);
            let later = self.readings.pawning_attack;
            self.health[from] = if later { other_health } else { other_health - cost };
            let last_rank = self.board.own_rank(from, !self.white) == 8;
            if other.eq_ignore_ascii_case(&b'P') && last_rank {
                self.board.put(from, coloured(b'Q', !self.white));
                self.health[from] = full_health(b'Q');
                return None;
            }
            if other_unmoved {
                self.unmoved.push(from);
            }
            return later.then_some((from, to, cost));
        }
        None
    }

    /// Step 2: every piece of the mover's colour acts at once on the board as it stands.
    fn act(&mut self, pawned: Option<(usize, usize, i64)>) {
        // Damage is kept in units of a milli-point / 20,000 until all of it is known: the queen divides by 8 or 10,
        // the buff by 100, absorption by 5.
        const PARTS: i64 = WHOLE * 100 * 5;
        let mut damage = [0i64; 64];
        if let Some((target, from, milli_points)) = pawned {
            damage[target] += milli_points * WHOLE * self.buff(from) * 5;
        }
        for from in self.board.of_side(self.white) {
            let buff = self.buff(from);
            let mut hit = |target: usize, milli_points: i64, fortieths: i64| {
                damage[target] += milli_points * fortieths * buff * 5;
            };
            match self.board.at(from).to_ascii_uppercase() {
                b'P' => {
                    for files in [-1, 1] {
                        if let Some(target) = self.enemy_at(from, files, forward(self.white)) {
                            hit(target, self.attack(b'P'), WHOLE);
                        }
                    }
                }
                b'N' => {
                    for (files, ranks) in KNIGHT {
                        if let Some(target) = self.enemy_at(from, files, ranks) {
                            hit(target, self.attack(b'N'), WHOLE);
                        }
                    }
                }
                b'R' => {
                    for (files, ranks) in LINES {
                        for steps in 1..8 {
                            if let Some(target) = self.enemy_at(from, files * steps, ranks * steps) {
                                hit(target, self.attack(b'R'), WHOLE);
                            }
                        }
                    }
                }
                b'Q' => {
                    for (files, ranks) in AROUND {
                        if let Some((target, distance)) = self.first_piece(from, files, ranks)
                            && belongs(self.board.at(target), !self.white)
                        {
                            let share = if self.readings.queen_tenths {
                                (11 - distance) * WHOLE / 10
                            } else {
                                (9 - distance) * WHOLE / 8
                            };
                            hit(target, self.attack(b'Q'), share);
                        }
                    }
                }
                b'K' => {
                    for (files, ranks) in AROUND {
                        if let Some(target) = self.enemy_at(from, files, ranks) {
                            let whose = if self.readings.king_own { b'K' } else { self.board.at(target) };
                            let eight_percent = exactly(full_health(whose) * 8, 100);
                            hit(target, eight_percent, WHOLE);
                        }
                    }
                }
                _ => {}
            }
        }
        let healed = self.healing();
        let taken = self.absorbed(&damage);
        for square in self.board.squares() {
            self.health[square] += healed[square] - exactly(taken[square], PARTS);
        }
    }

    /// The damage after each piece's rooks have taken their part of it.
    fn absorbed(&self, damage: &[i64; 64]) -> [i64; 64] {
        let mut taken = [0; 64];
        for target in self.board.of_side(!self.white) {
            let rooks = self.rooks_on_lines(target);
            for &rook in &rooks {
                taken[rook] += exactly(damage[target] * 2, 5);
            }
            let fifths_left = (5 - 2 * rooks.len() as i64).max(0);
            taken[target] += exactly(damage[target] * fifths_left, 5);
        }
        taken
    }

    /// The rooks of its own colour that absorb for the piece on `square`: none if it is a rook.
    fn rooks_on_lines(&self, square: usize) -> Vec<usize> {
        let white = self.board.at(square).is_ascii_uppercase();
        let rook = coloured(b'R', white);
        if self.board.at(square) == rook {
            return Vec::new();
        }
        self.board
            .find(rook)
            .filter(|&at| {
                self.board.file(at) == self.board.file(square)
                    || self.board.rank(at) == self.board.rank(square)
            })
            .collect()
    }

    /// How many bishops of its own colour share a diagonal with the piece on `square`.
    fn bishops_on_diagonals(&self, square: usize) -> i64 {
        let bishop = coloured(b'B', self.board.at(square).is_ascii_uppercase());
        let on_diagonal = |&at: &usize| {
            let files = (self.board.file(at) - self.board.file(square)).abs();
            let ranks = (self.board.rank(at) - self.board.rank(square)).abs();
            files == ranks
                && files != 0
                && !(self.readings.buff_blocked && self.something_between(at, square))
        };
        self.board.find(bishop).filter(on_diagonal).count() as i64
    }

    /// By what a piece's attack and healing are multiplied, in hundredths.
    fn buff(&self, square: usize) -> i64 {
        match self.bishops_on_diagonals(square) {
            bishops if !self.readings.buffs_multiply => 100 + 60 * bishops,
            0 => 100,
            1 => 160,
            _ => 256,
        }
    }

    /// Whether any piece stands strictly between two squares of one diagonal.
    fn something_between(&self, a: usize, b: usize) -> bool {
        let files = (self.board.file(b) - self.board.file(a)).signum();
        let ranks = (self.board.rank(b) - self.board.rank(a)).signum();
        (1..8)
            .map_while(|steps| self.board.offset(a, files * steps, ranks * steps))
            .take_while(|&square| square != b)
            .any(|square| self.board.at(square) != EMPTY)
    }

    /// The milli-points that the mover's kings give to the pieces beside them.
    fn healing(&self) -> [i64; 64] {
        let mut healed = [0; 64];
        for king in self.board.find(coloured(b'K', self.white)) {
            let buff = self.buff(king);
            for (files, ranks) in AROUND {
                let Some(beside) = self.board.offset(king, files, ranks) else {
                    continue;
                };
                let piece = self.board.at(beside);
                if belongs(piece, self.white) {
                    let most = full_health(piece);
                    let room = most - self.health[beside];
                    healed[beside] = room.min(exactly(most * 8 * buff, 10_000));
                }
            }
        }
        healed
    }

    /// An enemy of the mover at that offset.
    fn enemy_at(&self, from: usize, files: i32, ranks: i32) -> Option<usize> {
        self.board.offset(from, files, ranks).filter(|&square| belongs(self.board.at(square), !self.white))
    }

    /// The first piece in a direction that a queen's attack does not pass, and how many steps away it is.
    fn first_piece(&self, from: usize, files: i32, ranks: i32) -> Option<(usize, i64)> {
        (1..8)
            .map_while(|steps| {
                let square = self.board.offset(from, files * steps, ranks * steps)?;
                Some((square, i64::from(steps)))
            })
            .find(|&(square, _)| {
                let piece = self.board.at(square);
                let passed = self.readings.queen_past_own && belongs(piece, self.white);
                piece != EMPTY && !passed
            })
    }

    /// Step 3: what is below zero leaves the board. Whether anything did.
    fn remove_dead(&mut self) -> bool {
        let dead: Vec<usize> =
            self.pieces_in_fen_order().into_iter().filter(|&square| self.health[square] < 0).collect();
        for &square in &dead {
            self.board.put(square, EMPTY);
            self.unmoved.retain(|&pawn| pawn != square);
        }
        !dead.is_empty()
    }
}
