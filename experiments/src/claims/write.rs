//! Claims as TOML.

use super::{Claim, Control, Question, Relation, Test};
use toml::{Table, Value};

fn text(s: &str) -> Value {
    Value::String(s.to_owned())
}

fn whole(n: u64) -> Value {
    Value::Integer(i64::try_from(n).unwrap_or(i64::MAX))
}

fn options(pairs: &[(String, String)]) -> Value {
    Value::Table(pairs.iter().map(|(n, v)| (n.clone(), text(v))).collect())
}

impl Claim {
    /// The claim as a manifest has it: with its own level.
    pub fn to_toml(&self) -> Table {
        let mut t = Table::new();
        let mut put = |key: &str, value: Value| t.insert(key.to_owned(), value);
        put("id", text(&self.id));
        put("game", text(&self.game));
        put("seed", text(&self.seed));
        put("sentence", text(&self.sentence));
        put("depends", Value::Array(self.depends.iter().map(|d| text(d)).collect()));
        if let Some(rule) = self.move_rule {
            put("move_rule", rule.map_or_else(|| text("none"), |n| Value::Integer(n.into())));
        }
        if let Some(rule) = self.beside_rule {
            put("beside_rule", Value::Integer(rule.into()));
        }
        if !self.options.is_empty() {
            put("options", options(&self.options));
        }
        put("level", Value::Float(self.test.level().unwrap_or(0.05)));
        if let Some((relation, threshold)) = self.test.comparison() {
            put("comparison", text(relation.name()));
            put("threshold", Value::Float(threshold));
            if let Relation::Within(margin) = relation {
                put("margin", Value::Float(margin));
            }
        }
        if let Some(control) = self.test.control() {
            put("control", Value::Table(control.to_toml()));
        }
        match &self.test {
            Test::Exact(exact) => {
                put("test", text("exact"));
                put("metric", text(exact.name()));
                put("expect", Value::Array(exact.expectations().iter().map(|e| text(e)).collect()));
            }
            Test::Sequence { metric, .. } => {
                put("test", text("sequence"));
                put("metric", text(metric.name()));
                if let Some((low, high)) = metric.within() {
                    put("within", Value::Array(vec![whole(low), whole(high)]));
                }
                if let Some(pieces) = metric.pieces() {
                    put("pieces", text(pieces));
                }
                if let Some(most) = metric.most() {
                    put("most", whole(most));
                }
                if let super::Metric::EndedBy(list) = metric {
                    let names = list.iter().map(|t| text(t.name()));
                    put("terminations", Value::Array(names.collect()));
                }
            }
            Test::Apart { question, .. } => {
                put("test", text(question.test()));
                put("metric", text(question.name()));
                match question {
                    Question::FirstMoves { of_best } => drop(put("of_best", Value::Float(*of_best))),
                    Question::FirstSquares { piece, of_best } => {
                        put("pieces", text(&piece.to_string()));
                        put("of_best", Value::Float(*of_best));
                    }
                    Question::Incentive { matrix } => drop(put("matrix", text(matrix))),
                    Question::Balance | Question::Choice => {}
                }
            }
            Test::Odds(odds) => {
                put("test", text("odds"));
                put("worth", Value::Array(odds.worths.iter().map(|sum| text(&sum.to_string())).collect()));
                put("unit", text(odds.unit.name()));
                put("phase", text(odds.phase.name()));
            }
            Test::RestrictedMean { development, .. } => {
                put("test", text("restricted-mean"));
                put("metric", text("centre-half"));
                put("horizon", whole(development.horizon));
            }
        }
        t
    }
}

impl Control {
    fn to_toml(&self) -> Table {
        let mut t = Table::new();
        t.insert("game".to_owned(), text(&self.game));
        if !self.options.is_empty() {
            t.insert("options".to_owned(), options(&self.options));
        }
        if let Some(name) = &self.experiment {
            t.insert("experiment".to_owned(), text(name));
        }
        if self.other_players {
            t.insert("players".to_owned(), text("other"));
        }
        t
    }
}
