//! The tables, the targets and `RESULT {json}`.

use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use super::clients::Client;
use super::targets::TARGETS;
use super::{Args, WIDTHS, chart, fan_out_name};
use crate::figures::Figures;
use crate::page::{Page, number};

/// A column: a measure, what it is called, what a value is divided by, and how many digits are behind the point.
type Column = (&'static str, &'static str, f64, usize);

const SYNC: &[Column] = &[
    ("wall_ms", "wall, s", 1e3, 2),
    ("cpu_ms", "CPU, s", 1e3, 2),
    ("peak_mb", "peak RSS, MB", 1.0, 0),
    ("heap_bytes_an_object", "heap, B/object", 1.0, 0),
];
const RELIST: &[Column] = &[
    ("steady_mb", "steady, MB", 1.0, 1),
    ("peak_ratio", "peak of steady", 1.0, 3),
    ("cpu_ms", "CPU, s", 1e3, 2),
];
const REPLAY: &[Column] = &[
    ("sync_cpu_ms", "CPU of sync, s", 1e3, 2),
    ("cpu_us_an_event", "CPU, µs/event", 1.0, 1),
    ("events_a_second", "events/s", 1.0, 0),
    ("lag_p50_us", "lag p50, µs", 1.0, 0),
    ("lag_p99_us", "lag p99, µs", 1.0, 0),
];

/// The explanation of the numbers.
const NOTES: &str = "\
CPU and RSS are the client process's, from its start until it is synced and at rest. Heap is what the allocator counts \
as live: glibc's mallinfo2 for the Rust clients, HeapAlloc after a collection for Go. Peak of a relist: every allocation \
counted in Rust; in Go the heap sampled each millisecond, garbage included. In brackets: ours as a part of theirs.";

pub(super) fn report(args: &Args, figures: &Figures, page: &mut Page) -> Result<ExitCode> {
    fill(page, figures);
    table(figures, &format!("sync of {} pods, real kube-apiserver", args.pods), "sync", SYNC);
    table(figures, "relist, nothing changed", "relist", RELIST);
    table(figures, &format!("replay, {} changes", args.events), "replay", REPLAY);
    for width in WIDTHS {
        for blocked in [false, true] {
            let name = fan_out_name(width, blocked);
            table(figures, &name, &name, &REPLAY[1..]);
        }
    }
    println!("\n{NOTES}");
    let (mut outcomes, mut missed) = (Vec::new(), Vec::new());
    println!("\n{:<66} {:>6} {:>8}", "ratio", "is", "at most");
    for target in TARGETS {
        // A part that was not requested cannot miss its target.
        let Some(ratio) = target.ratio(figures) else { continue };
        let met = ratio <= target.most;
        println!(
            "{:<66} {ratio:>6.3} {:>8.3}{}",
            target.name,
            target.most,
            if met { "" } else { "  MISSED" }
        );
        outcomes.push(json!({ "name": target.name, "ratio": ratio, "most": target.most, "met": met }));
        if !met {
            missed.push(format!("{}: {ratio:.3}, at most {:.3}", target.name, target.most));
        }
    }
    let result = json!({
        "bench": "informer",
        "pods": args.pods,
        "runs": args.runs,
        "events": args.events,
        "figures": figures.to_json(),
        "targets": outcomes,
        "missed": missed,
    });
    println!("RESULT {result}");
    for target in &missed {
        println!("MISSED {target}");
    }
    if let Some(path) = &args.chart {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, chart::svg(figures, args.pods))
            .with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Rows of the page: a name, a part and its measure, what a value is divided by, and digits.
const ROWS: &[(&str, &str, &str, f64, usize)] = &[
    ("CPU to sync, s", "sync", "cpu_ms", 1e3, 2),
    ("peak memory, MB", "sync", "peak_mb", 1.0, 0),
    ("live heap an object, bytes", "sync", "heap_bytes_an_object", 1.0, 0),
    ("heap in a relist without a change, of steady", "relist", "peak_ratio", 1.0, 2),
    ("CPU an event, µs", "replay", "cpu_us_an_event", 1.0, 0),
];

/// Fills in the figures of the clients that the page shows.
fn fill(page: &mut Page, figures: &Figures) {
    let clients = [Client::Ours, Client::OursPacked, Client::Go, Client::GoStripped, Client::KubeRs];
    let rows = ROWS.iter().filter(|(_, part, measure, ..)| figures.get(part, "ours", measure).is_some());
    let rows = rows.map(|(name, part, measure, unit, digits)| {
        let cell = |client: &Client| figures.get(part, client.name(), measure);
        let cell = |client| cell(client).map_or(String::new(), |value| number(value / unit, *digits));
        std::iter::once((*name).to_owned()).chain(clients.iter().map(cell)).collect()
    });
    page.table(&["ours", "packed", "client-go", "its strip transform", "kube-rs"], rows);
    let cpu =
        |client: Client| figures.get("sync", client.name(), "cpu_ms").map(|value| number(value / 1e3, 2));
    if let (Some(ours), Some(bare)) = (cpu(Client::Ours), cpu(Client::Bare)) {
        page.table(&["ours", Client::Bare.name()], [vec!["CPU to sync, s".to_owned(), ours, bare]]);
    }
    let many = fan_out_name(100, false);
    let of = |client: Client, measure| figures.get(&many, client.name(), measure);
    let shown =
        [("CPU an event, µs", "cpu_us_an_event", 1.0, 1), ("delay of an event, ms", "lag_p50_us", 1e3, 2)];
    let rows = shown.iter().filter_map(|(name, measure, unit, digits)| {
        let (ours, go) = (of(Client::Ours, measure)?, of(Client::Go, measure)?);
        let name = format!("100 handlers of one informer: {name}");
        Some(vec![name, number(ours / unit, *digits), number(go / unit, *digits)])
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if !rows.is_empty() {
        page.table(&["ours", "client-go"], rows);
    }
}

/// Prints the figures of one part, one line per client.
fn table(figures: &Figures, title: &str, part: &str, columns: &[Column]) {
    let first = columns.first().map_or("", |(measure, ..)| measure);
    let clients: Vec<&str> = Client::all(true)
        .into_iter()
        .chain([Client::Bare])
        .map(Client::name)
        .filter(|client| figures.get(part, client, first).is_some())
        .collect();
    if clients.is_empty() {
        return;
    }
    print!("\n{title:<40}");
    for (_, name, ..) in columns {
        print!(" {name:>20}");
    }
    println!();
    for client in clients {
        print!("  {client:<38}");
        for (measure, _, unit, digits) in columns {
            let value = figures.get(part, client, measure).unwrap_or(f64::NAN);
            let ours = figures.get(part, Client::Ours.name(), measure).unwrap_or(f64::NAN);
            let shown = format!("{:.digits$}", value / unit);
            if client == Client::Ours.name() {
                print!(" {shown:>13}       ");
            } else {
                print!(" {shown:>13} ({:>4.2})", ours / value);
            }
        }
        println!();
    }
}
