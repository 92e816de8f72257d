//! Experiments as TOML, resolved: every default stated, every file's content in place of its name.

use super::{Experiment, ExternalSpec, OfferPolicy, Openings, PlayerKind, PlayerSpec, Threshold, Wire};
use toml::{Table, Value};

impl Experiment {
    /// The experiment as a file that reads back to an equal experiment and needs no other file.
    pub fn to_toml(&self) -> Table {
        let mut t = Table::new();
        t.insert("name".into(), text(&self.name));
        t.insert("game".into(), text(&self.game));
        t.insert("seed".into(), whole(self.seed));
        t.insert("games".into(), whole(self.games));
        let limit = self.move_limit.map_or_else(|| text("none"), |n| whole(n.into()));
        t.insert("move_limit".into(), limit);
        let options = self.options.iter().map(|(n, v)| (n.clone(), text(v)));
        t.insert("options".into(), Value::Table(options.collect()));
        if let Some(matrix) = &self.payoff {
            let mut payoff = Table::new();
            payoff.insert("matrix_text".into(), text(&matrix.to_toml()));
            t.insert("payoff".into(), Value::Table(payoff));
        }
        t.insert("openings".into(), Value::Table(openings(&self.openings)));
        if self.fixed_colours {
            t.insert("colours".into(), text("fixed"));
        }
        let players = self.players.iter().map(|p| Value::Table(player(p)));
        t.insert("player".into(), Value::Array(players.collect()));
        if !self.claims.is_empty() {
            let claims = self.claims.iter().map(|c| Value::Table(c.to_toml()));
            t.insert("claim".into(), Value::Array(claims.collect()));
        }
        if let Some(sprt) = self.sprt {
            let mut table = Table::new();
            table.insert("elo0".into(), Value::Float(sprt.elo0));
            table.insert("elo1".into(), Value::Float(sprt.elo1));
            t.insert("sprt".into(), Value::Table(table));
        }
        if let Some(race) = self.race {
            let rounds = whole(race.rounds.into());
            t.insert("race".into(), Value::Table([("rounds".to_owned(), rounds)].into_iter().collect()));
        }
        if let Some(top) = self.ladder {
            t.insert("ladder".into(), Value::Table([("to".to_owned(), whole(top))].into_iter().collect()));
        }
        t
    }
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

/// Readers keep whole numbers far below 2^63.
fn whole(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

fn openings(openings: &Openings) -> Table {
    let mut t = Table::new();
    let method = match openings {
        Openings::Fixed => "fixed",
        Openings::Random { plies, balance } => {
            t.insert("plies".into(), whole((*plies).into()));
            if let Some(balance) = balance {
                t.insert("balance".into(), whole(balance.within.into()));
                t.insert("balance_nodes".into(), whole(balance.nodes));
            }
            "random"
        }
        Openings::Temperature { plies, nodes, scale } => {
            t.insert("plies".into(), whole((*plies).into()));
            t.insert("nodes".into(), whole(*nodes));
            t.insert("scale".into(), Value::Float(*scale));
            "temperature"
        }
        Openings::File { fens, plies } => {
            t.insert("plies".into(), whole((*plies).into()));
            t.insert("fens".into(), Value::Array(fens.iter().map(|f| text(f)).collect()));
            "file"
        }
        Openings::Imported { file } => {
            t.insert("file".into(), text(file));
            "imported"
        }
        Openings::Setups { plies, exchange } => {
            t.insert("plies".into(), whole((*plies).into()));
            if *exchange {
                t.insert("exchange".into(), Value::Boolean(true));
            }
            "setups"
        }
    };
    t.insert("method".into(), text(method));
    t
}

fn external(spec: &ExternalSpec, t: &mut Table) {
    let kind = match spec.wire {
        Wire::Uci => "uci",
        Wire::Xboard => "xboard",
    };
    t.insert("kind".into(), text(kind));
    t.insert("command".into(), Value::Array(spec.command.iter().map(|w| text(w)).collect()));
    if let Some(variant) = &spec.variant {
        t.insert("variant".into(), text(variant));
    }
    for (key, limit) in [("nodes", spec.nodes), ("depth", spec.depth), ("movetime", spec.move_time)] {
        if let Some(limit) = limit {
            t.insert(key.into(), whole(limit));
        }
    }
    if !spec.options.is_empty() {
        let options = spec.options.iter().map(|(n, v)| (n.clone(), text(v)));
        t.insert("set".into(), Value::Table(options.collect()));
    }
    t.insert("timeout".into(), whole(spec.timeout.as_secs()));
    t.insert("start_timeout".into(), whole(spec.start_timeout.as_secs()));
}

fn player(player: &PlayerSpec) -> Table {
    let mut t = Table::new();
    t.insert("name".into(), text(&player.name));
    match &player.kind {
        PlayerKind::Random => {
            t.insert("kind".into(), text("random"));
        }
        PlayerKind::Imported => {
            t.insert("kind".into(), text("imported"));
        }
        PlayerKind::External(spec) => external(spec, &mut t),
        PlayerKind::Search { nodes, eval, settings, errors } => {
            t.insert("kind".into(), text("search"));
            t.insert("nodes".into(), whole(*nodes));
            if let Some(eval) = eval {
                t.insert("eval_text".into(), text(eval));
            }
            if errors.noise != 0 {
                t.insert("noise".into(), whole(errors.noise.into()));
            }
            if errors.blunder != 0.0 {
                t.insert("blunder".into(), Value::Float(errors.blunder));
            }
            let chosen: Table =
                settings.iter().map(|(n, v)| (n.to_owned(), Value::Integer(v.into()))).collect();
            if !chosen.is_empty() {
                t.insert("search".into(), Value::Table(chosen));
            }
        }
    }
    match &player.offers {
        OfferPolicy::Never => {}
        OfferPolicy::Threshold(o) => {
            t.insert("offers".into(), Value::Table(threshold(o)));
        }
        OfferPolicy::Equilibrium(solved) => {
            let mut offers = Table::new();
            offers.insert("policy".into(), text("equilibrium"));
            offers.insert("text".into(), text(&solved.to_toml()));
            t.insert("offers".into(), Value::Table(offers));
        }
    }
    t
}

fn threshold(o: &Threshold) -> Table {
    let mut offers = Table::new();
    offers.insert("policy".into(), text("threshold"));
    let mut put = |key: &str, value: Option<i64>| {
        if let Some(value) = value {
            offers.insert(key.to_owned(), Value::Integer(value));
        }
    };
    put("resign_at", o.resign_at.map(i64::from));
    put("resign_for", Some(o.resign_for.into()));
    put("play_on_at", o.play_on_at.map(i64::from));
    put("draw_within", o.draw_within.map(i64::from));
    put("draw_from", Some(o.draw_from.into()));
    put("accept_draw_at", Some(o.accept_draw_at.into()));
    offers
}
