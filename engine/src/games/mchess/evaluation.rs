//! What evaluation and search need to know of MChess beyond its rules.

use super::MChess;
use crate::eval::Evaluate;
use crate::search::Exchange;

impl Evaluate for MChess {}

impl Exchange for MChess {}
