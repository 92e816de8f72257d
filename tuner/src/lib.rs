//! Estimators and optimisers: data in, values with intervals out. No files, no printing.

pub mod texel;
