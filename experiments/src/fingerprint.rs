//! Short hashes that say whether two programs play by the same rules and play alike.

use engine::bench;
use engine::perft::perft;
use engine::search::{Params, Playable};

/// Hash of the rules as far as play shows them: game, options, start position, the sizes of its first three
/// plies of tree.
pub fn rules<G: Playable>(game: &G) -> String {
    let start = game.start();
    let tree: Vec<String> = (1..=3).map(|depth| perft(game, &start, depth).to_string()).collect();
    let text = format!("{}|{}|{}|{}", game.info().name, game.options(), game.fen(&start), tree.join(","));
    format!("{:016x}", fnv(text.as_bytes()))
}

/// Hash of the engine as far as play shows it: its bench on this game, a short one.
///
/// # Errors
/// Default weights that cannot be read.
pub fn engine<G: Playable>(game: &G) -> anyhow::Result<String> {
    let bench = bench::run(game, Params::of(game), 4, 5_000)?;
    Ok(format!("{:x}", bench.signature))
}

/// Fowler, Noll and Vo's hash (FNV-1a, 64 bits): fixed for ever, unlike the standard library's.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
