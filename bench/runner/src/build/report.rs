//! The tables, the limits and `RESULT {json}`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use super::cost::Cost;
use super::projects::{Built, Side};
use crate::page::{Page, number};

/// The measured figures; `None` for a part that was not requested.
#[derive(Default, Serialize)]
pub(super) struct Figures {
    pub(super) first: Option<First>,
    pub(super) controllers: BTreeMap<Side, Controller>,
}

/// README's first command.
#[derive(Serialize)]
pub(super) struct First {
    pub(super) words: String,
    pub(super) build: Build,
    pub(super) run: Cost,
}

/// The controller of one side.
#[derive(Default, Serialize)]
pub(super) struct Controller {
    pub(super) debug: Option<Build>,
    pub(super) rebuilt_cpu_seconds: Option<f64>,
    pub(super) release: Option<Build>,
    pub(super) stripped_bytes: Option<u64>,
}

/// A build from nothing.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Build {
    #[serde(flatten)]
    cost: Cost,
    crates: usize,
}

impl Build {
    pub(super) fn of(built: &Built) -> Self {
        Self { cost: built.cost, crates: built.crates }
    }
}

/// A figure and the most that it may be.
#[derive(Serialize)]
struct Limit {
    name: &'static str,
    measured: f64,
    most: f64,
    digits: usize,
    met: bool,
}

const FIRST_CPU_SECONDS: f64 = 330.0;
const REBUILT_CPU_SECONDS: f64 = 3.0;
/// The maximum ratio to the size of client-go's program.
const MOST_OF_CLIENT_GO: f64 = 0.5;
const MB: f64 = 1e6;

pub(super) fn report(figures: &Figures, check: bool, page: &mut Page) -> ExitCode {
    let limits = limits(figures);
    for (head, rows) in tables(figures, &limits) {
        show(&head, &rows);
        page.table(&head, rows);
    }
    let missed: Vec<String> = limits.iter().filter(|limit| !limit.met).map(Limit::text).collect();
    println!(
        "RESULT {}",
        json!({ "bench": "build", "figures": figures, "limits": limits, "missed": missed })
    );
    for limit in &missed {
        println!("MISSED {limit}");
    }
    if check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

type Table = (Vec<&'static str>, Vec<Vec<String>>);

fn tables(figures: &Figures, limits: &[Limit]) -> Vec<Table> {
    let mut tables = Vec::new();
    if let Some(first) = &figures.first {
        let seconds = |cost: &Cost| vec![number(cost.cpu_seconds, 1), number(cost.wall_seconds, 1)];
        let row = |name: String, cost, crates| [vec![name], seconds(cost), vec![crates]].concat();
        let rows = vec![
            row(format!("`{}`, cold: build", first.words), &first.build.cost, first.build.crates.to_string()),
            row("and its run".to_owned(), &first.run, String::new()),
        ];
        tables.push((vec!["CPU, s", "wall, s", "crates compiled"], rows));
    }
    if !figures.controllers.is_empty() {
        tables.push((vec!["ours", "kube-rs", "client-go"], controllers(figures)));
    }
    let rows = limits.iter().map(|limit| {
        let met = if limit.met { "pass" } else { "fail" };
        let cell = |value| number(value, limit.digits);
        vec![limit.name.to_owned(), cell(limit.measured), cell(limit.most), met.to_owned()]
    });
    tables.push((vec!["is", "at most", ""], rows.collect()));
    tables
}

/// The rows of what was measured.
fn controllers(figures: &Figures) -> Vec<Vec<String>> {
    let row = |name: &str, digits, of: &dyn Fn(&Controller) -> Option<f64>| {
        let value = |side| figures.controllers.get(&side).and_then(of);
        value(Side::Ours)?;
        let cell = |side: &Side| value(*side).map_or(String::new(), |value| number(value, digits));
        Some(std::iter::once(name.to_owned()).chain(Side::all(true).iter().map(cell)).collect())
    };
    let cpu = |build: Option<Build>| build.map(|build| build.cost.cpu_seconds);
    #[expect(clippy::cast_precision_loss, reason = "crates and bytes of a program are few")]
    let crates = |build: Option<Build>| build.map(|build| build.crates as f64);
    [
        row("controller, cold, debug: CPU, s", 1, &|side| cpu(side.debug)),
        row("controller, cold, debug: crates compiled (packages in Go)", 0, &|side| crates(side.debug)),
        row("a line changed, debug: CPU, s", 2, &|side| side.rebuilt_cpu_seconds),
        row("controller, cold, release: CPU, s", 1, &|side| cpu(side.release)),
        row("controller, cold, release: crates compiled (packages in Go)", 0, &|side| crates(side.release)),
        row("its program, stripped: MB", 1, &|side| megabytes(side)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[expect(clippy::cast_precision_loss, reason = "a program is far smaller than 2^53 bytes")]
fn megabytes(side: &Controller) -> Option<f64> {
    side.stripped_bytes.map(|bytes| bytes as f64 / MB)
}

/// The limits that the figures must meet.
fn limits(figures: &Figures) -> Vec<Limit> {
    let side = |side| figures.controllers.get(&side);
    let (ours, kube_rs, client_go) = (side(Side::Ours), side(Side::KubeRs), side(Side::ClientGo));
    let debug = |side: Option<&Controller>| side?.debug.map(|build| build.cost.cpu_seconds);
    let release = |side: Option<&Controller>| side?.release.map(|build| build.cost.cpu_seconds);
    let bytes = |side: Option<&Controller>| side.and_then(megabytes);
    let first = figures.first.as_ref().map(|first| first.build.cost.cpu_seconds + first.run.cpu_seconds);
    let limit = |name, digits, measured: Option<f64>, most: Option<f64>| {
        let (measured, most) = (measured?, most?);
        Some(Limit { name, measured, most, digits, met: measured <= most })
    };
    [
        limit("README's first command, cold: CPU, s", 1, first, Some(FIRST_CPU_SECONDS)),
        limit("controller, cold, debug: CPU, s (kube-rs's)", 1, debug(ours), debug(kube_rs)),
        limit(
            "a line changed, debug: CPU, s",
            2,
            ours.and_then(|ours| ours.rebuilt_cpu_seconds),
            Some(REBUILT_CPU_SECONDS),
        ),
        limit("controller, cold, release: CPU, s (kube-rs's)", 1, release(ours), release(kube_rs)),
        limit("its program, stripped: MB (kube-rs's)", 2, bytes(ours), bytes(kube_rs)),
        limit(
            "its program, stripped: MB (half of client-go's)",
            2,
            bytes(ours),
            bytes(client_go).map(|most| most * MOST_OF_CLIENT_GO),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Limit {
    fn text(&self) -> String {
        let digits = self.digits;
        format!("{}: {:.digits$}, at most {:.digits$}", self.name, self.measured, self.most)
    }
}

fn show(head: &[&str], rows: &[Vec<String>]) {
    let width = rows.iter().filter_map(|row| row.first()).map(|name| name.chars().count()).max().unwrap_or(0);
    print!("\n{:width$}", "");
    for name in head {
        print!(" {name:>16}");
    }
    println!();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            if at == 0 {
                print!("{cell:width$}");
            } else {
                print!(" {cell:>16}");
            }
        }
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controller(cpu_seconds: f64, rebuilt: f64, bytes: u64) -> Controller {
        let build = Build { cost: Cost { cpu_seconds, wall_seconds: 1.0 }, crates: 9 };
        Controller {
            debug: Some(build),
            rebuilt_cpu_seconds: Some(rebuilt),
            release: Some(build),
            stripped_bytes: Some(bytes),
        }
    }

    #[test]
    fn each_limit_is_of_the_same_run() {
        let mut figures = Figures::default();
        assert!(limits(&figures).is_empty());
        figures.controllers.insert(Side::Ours, controller(100.0, 3.1, 6_000_000));
        assert_eq!(limits(&figures).len(), 1, "without peers the change of a line is what is limited");
        figures.controllers.insert(Side::KubeRs, controller(100.0, 9.0, 5_900_000));
        figures.controllers.insert(Side::ClientGo, controller(50.0, 9.0, 12_000_000));
        let missed: Vec<&str> =
            limits(&figures).iter().filter(|limit| !limit.met).map(|limit| limit.name).collect();
        assert_eq!(missed, ["a line changed, debug: CPU, s", "its program, stripped: MB (kube-rs's)"]);
    }

    #[test]
    fn rows_contain_the_measured_figures() {
        let mut figures = Figures::default();
        let only_debug = Controller { release: None, stripped_bytes: None, ..controller(1.0, 1.0, 0) };
        figures.controllers.insert(Side::Ours, only_debug);
        let rows = controllers(&figures);
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0], ["controller, cold, debug: CPU, s", "1.0", "", ""]);
    }
}
