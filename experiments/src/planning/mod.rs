//! Before a run: how long it takes here, and what its claims can hope for at the size it has.

mod calibrate;
mod outlook;

pub use calibrate::{Calibration, calibrate};
pub use outlook::{Outlook, outlook};
