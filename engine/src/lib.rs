//! Rules, evaluation and search of the games.
