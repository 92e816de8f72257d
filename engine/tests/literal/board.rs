//! A board as an array of letters, and squares as text.

/// An empty square.
pub const EMPTY: u8 = b'.';

/// Pieces as FEN letters, White's upper case; square = file + rank x width, both from 0 at `a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Number of files, and of ranks.
    pub size: i32,
    cells: [u8; 100],
}

/// Whether `piece` is a piece of that side.
pub fn belongs(piece: u8, white: bool) -> bool {
    piece != EMPTY && piece.is_ascii_uppercase() == white
}

/// The letter of a kind (upper case) for a side.
pub fn coloured(kind: u8, white: bool) -> u8 {
    if white { kind.to_ascii_uppercase() } else { kind.to_ascii_lowercase() }
}

/// The direction in which a side's pawns go.
pub fn forward(white: bool) -> i32 {
    if white { 1 } else { -1 }
}

impl Board {
    /// Reads a FEN placement.
    pub fn read(size: i32, placement: &str) -> Board {
        let mut board = Board { size, cells: [EMPTY; 100] };
        let rows: Vec<&str> = placement.split('/').collect();
        assert_eq!(rows.len() as i32, size, "ranks in {placement:?}");
        for (row, rank) in rows.iter().zip((0..size).rev()) {
            let mut file = 0;
            let mut digits = String::new();
            for letter in row.chars().chain(" ".chars()) {
                if letter.is_ascii_digit() {
                    digits.push(letter);
                    continue;
                }
                if !digits.is_empty() {
                    file += digits.parse::<i32>().expect("digits make a number");
                    digits.clear();
                }
                if letter != ' ' {
                    let square = board
                        .square(file, rank)
                        .unwrap_or_else(|| panic!("{row:?} in {placement:?} is too long"));
                    board.put(square, letter as u8);
                    file += 1;
                }
            }
            assert_eq!(file, size, "squares in {row:?} of {placement:?}");
        }
        board
    }

    /// Writes the FEN placement.
    pub fn placement(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.size).rev() {
            let mut run = 0;
            for file in 0..self.size {
                let piece = self.at((file + rank * self.size) as usize);
                if piece == EMPTY {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                    run = 0;
                }
                text.push(piece as char);
            }
            if run > 0 {
                text += &run.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// What stands on a square.
    pub fn at(&self, square: usize) -> u8 {
        self.cells[square]
    }

    /// Puts a piece, or `EMPTY`, on a square.
    pub fn put(&mut self, square: usize, piece: u8) {
        self.cells[square] = piece;
    }

    /// The square of a file and rank, if on the board.
    pub fn square(&self, file: i32, rank: i32) -> Option<usize> {
        let inside = (0..self.size).contains(&file) && (0..self.size).contains(&rank);
        inside.then_some((file + rank * self.size) as usize)
    }

    /// The file, from 0.
    pub fn file(&self, square: usize) -> i32 {
        square as i32 % self.size
    }

    /// The rank, from 0.
    pub fn rank(&self, square: usize) -> i32 {
        square as i32 / self.size
    }

    /// The rank as its side counts it, from 1 at its own edge.
    pub fn own_rank(&self, square: usize, white: bool) -> i32 {
        if white { self.rank(square) + 1 } else { self.size - self.rank(square) }
    }

    /// The square so many files and ranks away, if on the board.
    pub fn offset(&self, square: usize, files: i32, ranks: i32) -> Option<usize> {
        self.square(self.file(square) + files, self.rank(square) + ranks)
    }

    /// All squares, rank by rank from `a1`.
    pub fn squares(&self) -> std::ops::Range<usize> {
        0..(self.size * self.size) as usize
    }

    /// All squares in the order in which FEN lists them: from the top left, rank by rank down.
    pub fn fen_order(&self) -> Vec<usize> {
        (0..self.size)
            .rev()
            .flat_map(|rank| (0..self.size).map(move |file| (file, rank)))
            .filter_map(|(file, rank)| self.square(file, rank))
            .collect()
    }

    /// The squares on which a side's pieces stand.
    pub fn of_side(&self, white: bool) -> impl Iterator<Item = usize> + '_ {
        self.squares().filter(move |&square| belongs(self.at(square), white))
    }

    /// The squares on which this very piece stands.
    pub fn find(&self, piece: u8) -> impl Iterator<Item = usize> + '_ {
        self.squares().filter(move |&square| self.at(square) == piece)
    }

    /// A square's name.
    pub fn name(&self, square: usize) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    /// The names of squares in order of rank, then file, run together; `-` for none.
    pub fn names(&self, squares: &[usize]) -> String {
        if squares.is_empty() {
            return "-".to_string();
        }
        let mut sorted = squares.to_vec();
        sorted.sort();
        sorted.iter().map(|&square| self.name(square)).collect()
    }

    /// Reads what `names` writes.
    pub fn squares_in(&self, text: &str) -> Vec<usize> {
        if text == "-" {
            return Vec::new();
        }
        let mut squares = Vec::new();
        let letters: Vec<char> = text.chars().collect();
        let mut next = 0;
        while next < letters.len() {
            let file = letters[next] as i32 - 'a' as i32;
            next += 1;
            let mut rank = 0;
            while next < letters.len() && letters[next].is_ascii_digit() {
                rank = rank * 10 + (letters[next] as i32 - '0' as i32);
                next += 1;
            }
            let square = self.square(file, rank - 1);
            squares.push(square.unwrap_or_else(|| panic!("{text:?} names no squares")));
        }
        squares
    }
}

/// The fields of a FEN; panics unless there are `wanted`.
pub fn fields(fen: &str, wanted: usize) -> Vec<&str> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    assert_eq!(fields.len(), wanted, "fields of {fen:?}");
    fields
}

/// Whether the side-to-move field says White.
pub fn white_moves(field: &str) -> bool {
    match field {
        "w" => true,
        "b" => false,
        _ => panic!("side to move {field:?}: expected w or b"),
    }
}

/// The side-to-move field.
pub fn side(white: bool) -> &'static str {
    if white { "w" } else { "b" }
}

/// A counter's field.
pub fn number(field: &str) -> u32 {
    field.parse().unwrap_or_else(|_| panic!("{field:?} is not a number"))
}
