//! One self-contained HTML page from one run, or several side by side.
//!
//! [`ReportInput`] is plain data, [`render`] a pure function of it: same input, same bytes. The page loads
//! nothing: drawings are inline SVG made here, the only script steps through a game, and a content security policy
//! holds the page to that.

mod chart;
mod figures;
mod game;
mod html;
mod input;
mod page;
mod verdicts;

pub use input::{
    Estimate, Figure, GameView, Lengths, Outcome, Ply, Position, Reliance, ReportInput, Run, Setup, Standing,
    TerminationCount, Unit, Verdict,
};
pub use page::render;
