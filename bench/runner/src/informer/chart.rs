//! The chart for the README: a panel a measure, a bar a client.

use std::fmt::Write as _;

use super::clients::Client;
use crate::figures::Figures;

/// A panel: its title, the figure, what a value is divided by, and how many digits are behind the point.
struct Panel {
    title: &'static str,
    part: &'static str,
    measure: &'static str,
    unit: f64,
    digits: usize,
}

const PANELS: &[Panel] = &[
    Panel { title: "CPU to sync, s", part: "sync", measure: "cpu_ms", unit: 1e3, digits: 2 },
    Panel { title: "Peak memory, MB", part: "sync", measure: "peak_mb", unit: 1.0, digits: 0 },
    Panel {
        title: "Live heap an object, KB",
        part: "sync",
        measure: "heap_bytes_an_object",
        unit: 1e3,
        digits: 1,
    },
    Panel { title: "CPU an event, µs", part: "replay", measure: "cpu_us_an_event", unit: 1.0, digits: 1 },
];

/// Sizes, in the picture's own units.
const WIDTH: f64 = 860.0;
const PANEL: f64 = WIDTH / 2.0;
const LABELS: f64 = 172.0;
const BARS: f64 = PANEL - LABELS - 72.0;
const LINE: f64 = 22.0;

/// Draws it. Colours follow the reader's light or dark theme; the background is the page's.
pub(super) fn svg(figures: &Figures, pods: u32) -> String {
    let panels: Vec<(&Panel, Vec<(Client, f64)>)> = PANELS
        .iter()
        .map(|panel| (panel, bars(figures, panel)))
        .filter(|(_, bars)| !bars.is_empty())
        .collect();
    let most = panels.iter().map(|(_, bars)| bars.len()).max().unwrap_or(0);
    let panel_height = 34.0 + LINE * count(most) + 16.0;
    let height = 34.0 + panel_height * count(panels.len().div_ceil(2));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', sans-serif\">\n\
         <title>Informer of {pods} pods: ours, client-go, kube-rs</title>\n\
         <style>\n\
         text {{ fill: #1f2328; font-size: 13px }} .title {{ font-weight: 600; font-size: 14px }}\n\
         .note {{ fill: #59636e; font-size: 12px }} .ours {{ fill: #0969da }} .peer {{ fill: #afb8c1 }}\n\
         @media (prefers-color-scheme: dark) {{\n\
         text {{ fill: #e6edf3 }} .note {{ fill: #9198a1 }} .ours {{ fill: #4493f8 }} .peer {{ fill: #6e7681 }}\n\
         }}\n\
         </style>\n\
         <text class=\"note\" x=\"8\" y=\"18\">An informer of {pods} pods; shorter is better</text>\n"
    );
    for (number, (panel, bars)) in panels.iter().enumerate() {
        let (left, top) = (PANEL * count(number % 2) + 8.0, 34.0 + panel_height * count(number / 2));
        let _ =
            writeln!(out, "<text class=\"title\" x=\"{left}\" y=\"{}\">{}</text>", top + 16.0, panel.title);
        let longest = bars.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
        for (line, (client, value)) in bars.iter().enumerate() {
            let y = top + 30.0 + LINE * count(line);
            let class = if client.is_ours() { "ours" } else { "peer" };
            let (start, length) = (left + LABELS, (BARS * value / longest).max(1.0));
            let _ = writeln!(
                out,
                "<text x=\"{left}\" y=\"{:.0}\">{}</text>\
                 <rect class=\"{class}\" x=\"{start}\" y=\"{y:.0}\" width=\"{length:.1}\" height=\"15\" rx=\"2\"/>\
                 <text x=\"{:.1}\" y=\"{:.0}\">{:.*}</text>",
                y + 12.0,
                client.name(),
                start + length + 6.0,
                y + 12.0,
                panel.digits,
                value / panel.unit
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

fn bars(figures: &Figures, panel: &Panel) -> Vec<(Client, f64)> {
    let all = Client::all(true).into_iter();
    all.filter_map(|client| Some((client, figures.get(panel.part, client.name(), panel.measure)?))).collect()
}

#[allow(clippy::cast_precision_loss, reason = "a few")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_per_measured_figure() {
        let mut figures = Figures::default();
        figures.note("sync", "ours", "cpu_ms", 500.0);
        figures.note("sync", "client-go", "cpu_ms", 1500.0);
        let svg = svg(&figures, 100);
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains(">0.50</text>") && svg.contains(">1.50</text>"), "{svg}");
        assert!(!svg.contains("Peak memory"), "{svg}");
    }
}
