//! The targets of the benchmark.

use crate::figures::Figures;

/// A ratio of two figures that must not be passed.
pub(super) struct Target {
    pub(super) name: &'static str,
    ours: Figure,
    /// Nothing where the figure is a ratio already.
    theirs: Option<Figure>,
    pub(super) most: f64,
}

/// A part, a client and a measure.
type Figure = (&'static str, &'static str, &'static str);

const HEAP: &str = "heap_bytes_an_object";
const OURS: &str = "ours";
const PACKED: &str = "ours, packed";
const GO: &str = "client-go";
const STRIPPED: &str = "client-go, strip transform";
const KUBE_RS: &str = "kube-rs";
const BARE: &str = "decoding alone";

pub(super) const TARGETS: &[Target] = &[
    sync("CPU to sync, of client-go's", "cpu_ms", GO, 1.0 / 2.0),
    sync("peak RSS, of client-go's", "peak_mb", GO, 1.0 / 4.0),
    sync("heap an object, of client-go's", HEAP, GO, 1.0 / 4.0),
    sync("CPU to sync, of client-go's with the strip transform", "cpu_ms", STRIPPED, 1.0 / 2.0),
    sync("heap an object, of client-go's with the strip transform", HEAP, STRIPPED, 1.0 / 2.0),
    sync("CPU to sync, of kube-rs's", "cpu_ms", KUBE_RS, 1.0 / 5.0),
    sync("CPU to sync, of decoding alone", "cpu_ms", BARE, 1.1),
    sync("heap an object, of kube-rs's", HEAP, KUBE_RS, 1.0 / 10.0),
    Target {
        name: "heap an object when packed, of client-go's with the strip transform",
        ours: ("sync", PACKED, HEAP),
        theirs: Some(("sync", STRIPPED, HEAP)),
        most: 1.0 / 15.0,
    },
    Target {
        name: "peak of the heap in a relist without a change, of what is steady",
        ours: ("relist", OURS, "peak_ratio"),
        theirs: None,
        most: 1.1,
    },
    Target {
        name: "CPU an event, of client-go's",
        ours: ("replay", OURS, "cpu_us_an_event"),
        theirs: Some(("replay", GO, "cpu_us_an_event")),
        most: 1.0 / 3.0,
    },
    fan_out("CPU an event with 100 handlers, of client-go's", "cpu_us_an_event"),
    fan_out("median delay of an event with 100 handlers, of client-go's", "lag_p50_us"),
    Target {
        name: "time of 100 handlers with one of them blocked, of that with none",
        // Rates, so the other way round.
        ours: ("100 handlers", OURS, "events_a_second"),
        theirs: Some(("100 handlers, 1 blocked", OURS, "events_a_second")),
        most: 1.1,
    },
];

const fn sync(name: &'static str, measure: &'static str, peer: &'static str, most: f64) -> Target {
    Target { name, ours: ("sync", OURS, measure), theirs: Some(("sync", peer, measure)), most }
}

const fn fan_out(name: &'static str, measure: &'static str) -> Target {
    let theirs = Some(("100 handlers", GO, measure));
    Target { name, ours: ("100 handlers", OURS, measure), theirs, most: 1.0 }
}

impl Target {
    /// Returns the measured ratio; `None` if it was not measured.
    pub(super) fn ratio(&self, figures: &Figures) -> Option<f64> {
        let get = |(part, client, measure): Figure| figures.get(part, client, measure);
        let theirs = match self.theirs {
            Some(theirs) => get(theirs)?,
            None => 1.0,
        };
        Some(get(self.ours)? / theirs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_computed_from_the_figures() {
        let mut figures = Figures::default();
        let cpu = &TARGETS[0];
        assert_eq!(cpu.ratio(&figures), None);
        figures.note("sync", "ours", "cpu_ms", 1.0);
        assert_eq!(cpu.ratio(&figures), None);
        figures.note("sync", "client-go", "cpu_ms", 4.0);
        assert_eq!(cpu.ratio(&figures), Some(0.25));
    }
}
