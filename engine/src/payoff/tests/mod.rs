//! Magi's text, sentence by sentence, and what files may and may not say.

mod files;
mod refusals;
mod rules;

use super::*;

fn points(n: u32) -> MilliPoints {
    MilliPoints::from_points(n).unwrap()
}

fn split(one: u32, other: u32) -> Split {
    (points(one), points(other))
}

/// The sample matrix after `change`.
fn varied(change: impl FnOnce(&mut MatrixSpec)) -> Result<Matrix, MatrixError> {
    let mut spec = sample().unwrap().spec().clone();
    change(&mut spec);
    Matrix::new(spec)
}
