//! The lines of the demo: time, source and text.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use tokio::time::Instant;

use super::claims::Claims;

/// The output of the demo.
pub(super) struct Screen<'o> {
    out: &'o mut (dyn Write + Send),
    colours: bool,
    began: Instant,
}

/// The closing lines.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) added: u64,
    pub(super) updated: u64,
    pub(super) deleted: u64,
    pub(super) reconciles: Vec<(String, u64)>,
    pub(super) queue: Option<(Duration, Duration)>,
    pub(super) cache_is_server: bool,
    pub(super) objects: usize,
}

impl<'o> Screen<'o> {
    pub(super) fn new(out: &'o mut (dyn Write + Send), colours: bool) -> Self {
        Self { out, colours, began: Instant::now() }
    }

    /// A line of somebody's.
    pub(super) fn say(&mut self, who: &str, what: &str) -> io::Result<()> {
        let what = printable(what);
        let seconds = self.began.elapsed().as_secs_f64();
        let colour = match who {
            "you" => "1",
            "informer" => "36",
            "queue" => "33",
            "reconcile" => "32",
            _ => "2",
        };
        if self.colours {
            writeln!(self.out, "{seconds:7.2}s  \x1b[{colour}m{who:<10}\x1b[0m {what}")?;
        } else {
            writeln!(self.out, "{seconds:7.2}s  {who:<10} {what}")?;
        }
        self.out.flush()
    }

    pub(super) fn summary(&mut self, summary: &Summary, claims: &Claims) -> io::Result<()> {
        writeln!(self.out)?;
        for (claim, holds) in claims.iter() {
            let claim = printable(claim);
            let (mark, colour) = if holds { ("yes", "32") } else { ("NO", "31") };
            if self.colours {
                writeln!(self.out, "  \x1b[{colour}m{mark:>3}\x1b[0m  {claim}")?;
            } else {
                writeln!(self.out, "  {mark:>3}  {claim}")?;
            }
        }
        writeln!(self.out)?;
        let Summary { added, updated, deleted, .. } = summary;
        writeln!(self.out, "events seen: {added} added, {updated} updated, {deleted} deleted")?;
        for (controller, runs) in &summary.reconciles {
            writeln!(self.out, "reconciles: {controller} {runs}")?;
        }
        if let Some((half, most)) = summary.queue {
            writeln!(self.out, "queue latency: p50 {} µs, p99 {} µs", half.as_micros(), most.as_micros())?;
        }
        let cache = if summary.cache_is_server { "yes" } else { "no" };
        writeln!(self.out, "cache = server: {cache} ({} pods)", summary.objects)?;
        self.out.flush()
    }
}

/// The names of a cluster's objects do not steer a terminal.
fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) { text.escape_debug().to_string().into() } else { text.into() }
}
