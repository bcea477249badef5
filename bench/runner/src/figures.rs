//! The measured values of all runs, per part, client and measure.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// The figures of one run of a program, by name.
pub(crate) type Outcome = BTreeMap<String, f64>;

/// Runs a program whose last line on stdout has its figures as JSON.
pub(crate) fn once(command: &mut Command) -> Result<Outcome> {
    let output = command.output().with_context(|| format!("can't start {:?}", command.get_program()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{:?} ended with {}: {errors}", command.get_program(), output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_default()).context("its output has no result")
}

/// Returns the median of the runs for each figure.
pub(crate) fn medians(runs: &[Outcome]) -> Outcome {
    let names = runs.iter().flat_map(BTreeMap::keys);
    names
        .map(|name| {
            let values: Vec<f64> = runs.iter().filter_map(|run| run.get(name).copied()).collect();
            (name.clone(), median(&values))
        })
        .collect()
}

/// All values.
#[derive(Default)]
pub(crate) struct Figures {
    values: BTreeMap<(String, String, String), Vec<f64>>,
}

impl Figures {
    /// Adds a value.
    pub(crate) fn note(&mut self, part: &str, client: &str, measure: &str, value: f64) {
        let key = (part.to_owned(), client.to_owned(), measure.to_owned());
        self.values.entry(key).or_default().push(value);
    }

    /// The median, if it was measured.
    pub(crate) fn get(&self, part: &str, client: &str, measure: &str) -> Option<f64> {
        let key = (part.to_owned(), client.to_owned(), measure.to_owned());
        self.values.get(&key).map(|values| median(values))
    }

    /// All medians: by part, by client.
    pub(crate) fn to_json(&self) -> Value {
        let mut all = json!({});
        for ((part, client, measure), values) in &self.values {
            all[part][client][measure] = median(values).into();
        }
        all
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_measure_the_median() {
        let mut figures = Figures::default();
        for value in [3.0, 1.0, 2.0] {
            figures.note("sync", "ours", "cpu_ms", value);
        }
        assert_eq!(figures.get("sync", "ours", "cpu_ms"), Some(2.0));
        assert_eq!(figures.get("sync", "theirs", "cpu_ms"), None);
        assert_eq!(figures.to_json(), json!({ "sync": { "ours": { "cpu_ms": 2.0 } } }));
    }
}
