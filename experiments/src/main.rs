//! The binary `equipoise`.
fn main() {}
