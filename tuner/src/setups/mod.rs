//! Set-ups against each other: an empirical payoff table, its mixed equilibrium, how sure both are, and where the
//! next games should go.
//!
//! A table's rows are the maximiser's set-ups, its columns the minimiser's, its cells the row player's mean score
//! over units of evidence. Choices (an equilibrium, a best answer) are made on one half of the units and valued on
//! the other: the best of several noisy figures is too good where it was found.

mod allocate;
mod equilibrium;
mod sequential;
mod table;

pub use allocate::allocate;
pub use equilibrium::{Equilibrium, EquilibriumError, equilibrium};
pub use sequential::{Relocation, relocation};
pub use table::{Bounds, Half, Table, interval};
