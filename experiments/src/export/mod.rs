//! Games and positions of a log in forms that other programs read.

pub mod epd;
