//! Estimators and optimisers: data in, values with intervals out. No files, no printing.

pub mod armies;
pub mod echo;
pub mod evolve;
pub mod logistic;
pub mod odds;
pub mod offers;
pub mod setups;
pub mod spsa;
pub mod texel;
