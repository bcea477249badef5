//! The tables, the targets and `RESULT {json}`.

use std::process::ExitCode;

use serde_json::json;

use super::{Args, CASES, MANY, MANY_NAME, pods_name};
use crate::figures::Figures;
use crate::page::{Page, number};

/// A row: its name, the measure, the divisor of the value, and the digits after the point.
type Row = (&'static str, &'static str, f64, usize);

const SIZES: [Row; 5] = [
    ("CPU to sync, µs/object", "cpu_us_an_object", 1.0, 1),
    ("live heap, B/object", "heap_bytes_an_object", 1.0, 0),
    ("peak memory, MB", "peak_mb", 1.0, 0),
    ("peak of the heap in a relist, of steady", "relist_peak_ratio", 1.0, 2),
    ("CPU of a relist, µs/object", "relist_cpu_us", 1.0, 1),
];
const CASE: [Row; 3] = [
    ("peak memory, MB", "peak_mb", 1.0, 0),
    ("live heap, B/object", "heap_bytes_an_object", 1.0, 0),
    ("CPU to sync, µs/object", "cpu_us_an_object", 1.0, 1),
];
const IDLE: [Row; 5] = [
    ("CPU while nothing happens, µs/s", "idle_us_a_second", 1.0, 0),
    ("connections", "connections", 1.0, 0),
    ("live heap, MB", "heap_bytes", 1e6, 1),
    ("peak memory, MB", "peak_mb", 1.0, 1),
    ("CPU to sync, ms", "cpu_ms", 1.0, 0),
];

const OURS: &str = "ours";
const PACKED: &str = "ours, packed";
const GO: &str = "client-go";
const KUBE_RS: &str = "kube-rs";

/// A figure and its limit.
struct Outcome {
    name: String,
    is: f64,
    most: f64,
}

pub(super) fn report(args: &Args, figures: &Figures, page: &mut Page) -> ExitCode {
    let sizes: Vec<String> = args.sizes.iter().map(|size| pods_name(*size)).collect();
    for part in &sizes {
        table(page, figures, part, part, &SIZES, &[OURS, PACKED, GO]);
    }
    for case in &CASES {
        table(page, figures, case.name, case.name, &CASE, &[OURS, PACKED, GO, KUBE_RS]);
    }
    table(page, figures, MANY_NAME, &format!("{} informers", MANY.0), &IDLE, &[OURS, GO]);
    let outcomes = outcomes(&sizes, figures);
    println!("\n{:<82} {:>6} {:>8}", "ratio", "is", "at most");
    for Outcome { name, is, most } in &outcomes {
        println!("{name:<82} {is:>6.3} {most:>8.3}{}", if is <= most { "" } else { "  MISSED" });
    }
    let missed: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.is > outcome.most).collect();
    let targets: Vec<_> = outcomes
        .iter()
        .map(|Outcome { name, is, most }| json!({ "name": name, "is": is, "most": most }))
        .collect();
    println!(
        "RESULT {}",
        json!({ "bench": "large", "runs": args.runs, "figures": figures.to_json(), "targets": targets })
    );
    for Outcome { name, is, most } in &missed {
        println!("MISSED {name}: {is:.3}, at most {most:.3}");
    }
    if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints a table, and adds it to the page, if it was measured.
fn table(page: &mut Page, figures: &Figures, part: &str, title: &str, rows: &[Row], clients: &[&str]) {
    let measured = |client: &&&str| figures.get(part, client, rows[0].1).is_some();
    let clients: Vec<&str> = clients.iter().filter(measured).copied().collect();
    if clients.is_empty() {
        return;
    }
    println!("\n{title:<42}{}", clients.iter().map(|client| format!(" {client:>14}")).collect::<String>());
    let rows = rows.iter().map(|(name, measure, unit, digits)| {
        let cell = |client: &&str| {
            figures.get(part, client, measure).map_or(String::new(), |value| number(value / unit, *digits))
        };
        let cells: Vec<String> = clients.iter().map(cell).collect();
        println!("  {name:<40}{}", cells.iter().map(|cell| format!(" {cell:>14}")).collect::<String>());
        std::iter::once((*name).to_owned()).chain(cells).collect::<Vec<String>>()
    });
    page.titled_table(title, &clients, rows);
}

/// The targets of the parts that were measured.
fn outcomes(sizes: &[String], figures: &Figures) -> Vec<Outcome> {
    let mut all = Vec::new();
    let mut add = |name: String, is: Option<f64>, most: f64| {
        if let Some(is) = is {
            all.push(Outcome { name, is, most });
        }
    };
    let ratio = |ours: (&str, &str), theirs: (&str, &str), measure: &str| {
        Some(figures.get(ours.0, ours.1, measure)? / figures.get(theirs.0, theirs.1, measure)?)
    };
    if let (Some(least), Some(largest)) = (sizes.first(), sizes.last())
        && least != largest
    {
        for client in [OURS, PACKED] {
            // Larger tables miss the processor's caches more often.
            for (measure, what, most) in [
                ("cpu_us_an_object", "CPU an object", 1.25),
                ("heap_bytes_an_object", "heap an object", 1.05),
            ] {
                let grown = ratio((largest, client), (least, client), measure);
                add(format!("{what} with {largest}, of that with {least}, {client}"), grown, most);
            }
        }
    }
    for size in sizes {
        add(
            format!("peak of the heap in a relist, of steady, {size}"),
            figures.get(size, OURS, "relist_peak_ratio"),
            1.1,
        );
        for (measure, what, most) in [("cpu_us_an_object", "CPU", 0.5), ("peak_mb", "peak memory", 0.25)] {
            add(format!("{what} of {size}, of client-go's"), ratio((size, OURS), (size, GO), measure), most);
        }
    }
    for case in &CASES {
        for peer in [GO, KUBE_RS] {
            let name = format!("peak memory of {}, of {peer}'s", case.name);
            add(name, ratio((case.name, OURS), (case.name, peer), "peak_mb"), 1.0);
        }
    }
    for (measure, what) in [("idle_us_a_second", "CPU while nothing happens"), ("peak_mb", "peak memory")] {
        let name = format!("{what} of {} informers, of client-go's", MANY.0);
        add(name, ratio((MANY_NAME, OURS), (MANY_NAME, GO), measure), 1.0);
    }
    // kube-apiserver takes 100 streams on a connection.
    let most = f64::from(MANY.0.div_ceil(100));
    add(format!("connections of {} informers", MANY.0), figures.get(MANY_NAME, OURS, "connections"), most);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_measured_parts_have_targets() {
        let sizes = [pods_name(10), pods_name(20)];
        let mut figures = Figures::default();
        assert!(outcomes(&sizes, &figures).is_empty());
        for (size, cpu) in sizes.iter().zip([2.0, 3.0]) {
            figures.note(size, OURS, "cpu_us_an_object", cpu);
        }
        figures.note(&sizes[1], GO, "cpu_us_an_object", 4.0);
        let found = outcomes(&sizes, &figures);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].is, found[0].most), (1.5, 1.25));
        assert_eq!((found[1].is, found[1].most), (0.75, 0.5));
    }
}
