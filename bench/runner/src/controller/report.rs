//! The tables, the targets and `RESULT {json}`.

use std::process::ExitCode;

use serde_json::json;

use super::programs::Program;
use super::targets::targets;
use super::{Args, FEWEST_WRITES, LAGS, part};
use crate::figures::Figures;
use crate::page::{Page, number};

/// A row: a measure, its name, and how many digits are behind the point.
const ROWS: &[(&str, &str, usize)] = &[
    ("cpu_us_per_object", "CPU per App, µs", 0),
    ("writes_per_object", "writes per App", 3),
    ("without_effect", "writes without an effect", 0),
    ("conflicts", "conflicts", 0),
    ("duplicates", "creates of existing objects", 0),
    ("runs", "runs", 0),
    ("stale", "runs with a stale cache", 0),
    ("p50_ms", "create to first write, p50, ms", 1),
    ("p99_ms", "create to first write, p99, ms", 1),
    ("update_p50_ms", "update to first write, p50, ms", 1),
    ("update_p99_ms", "update to first write, p99, ms", 1),
    ("peak_mb", "peak memory, MB", 1),
    ("resident_mb", "memory at the end, MB", 1),
    ("cold_ms", "restart until all Apps are checked, ms", 0),
    ("cold_cpu_ms", "CPU of the restart, ms", 0),
    ("cold_writes", "writes of the restart", 0),
];

pub(super) fn report(args: &Args, figures: &Figures, page: &mut Page) -> ExitCode {
    let programs = Program::all(args.peers);
    for lag in LAGS {
        let rows = rows(figures, programs, &part(lag));
        if rows.is_empty() {
            continue;
        }
        print(&format!("{} Apps, {}", args.objects, part(lag)), programs, &rows);
        let head: Vec<&str> = programs.iter().map(|program| program.name()).collect();
        page.titled_table(&part(lag), &head, rows);
    }
    println!("\nThe fewest writes per App are {FEWEST_WRITES}. CPU and memory are the program's own.");
    let (mut outcomes, mut missed) = (Vec::new(), Vec::new());
    println!("\n{:<92} {:>8} {:>8}", "target", "is", "at most");
    for target in targets(figures) {
        let met = target.is_met();
        let end = if met { "" } else { "  MISSED" };
        println!("{:<92} {:>8.3} {:>8.3}{end}", target.name, target.is, target.most);
        outcomes.push(json!({ "name": target.name, "is": target.is, "most": target.most, "met": met }));
        if !met {
            missed.push(format!("{}: {:.3}, at most {:.3}", target.name, target.is, target.most));
        }
    }
    let result = json!({
        "bench": "controller", "objects": args.objects, "runs": args.runs, "rate": args.rate,
        "fewest_writes_per_object": FEWEST_WRITES,
        "figures": figures.to_json(), "targets": outcomes, "missed": missed,
    });
    println!("RESULT {result}");
    for target in &missed {
        println!("MISSED {target}");
    }
    if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// One line per measure, one cell per program.
fn rows(figures: &Figures, programs: &[Program], part: &str) -> Vec<Vec<String>> {
    let measured =
        ROWS.iter().filter(|(measure, ..)| figures.get(part, Program::Ours.name(), measure).is_some());
    let rows = measured.map(|(measure, name, digits)| {
        let cell = |program: &Program| figures.get(part, program.name(), measure);
        let cell = |program| cell(program).map_or(String::new(), |value| number(value, *digits));
        std::iter::once((*name).to_owned()).chain(programs.iter().map(cell)).collect()
    });
    rows.collect()
}

fn print(title: &str, programs: &[Program], rows: &[Vec<String>]) {
    print!("\n{title:<42}");
    for program in programs {
        print!(" {:>27}", program.name());
    }
    println!();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            if at == 0 {
                print!("  {cell:<40}");
            } else {
                print!(" {cell:>27}");
            }
        }
        println!();
    }
}
