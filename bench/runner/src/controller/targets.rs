//! The targets of the benchmark.

use super::programs::Program;
use super::{FEWEST_WRITES, LAGS, part};
use crate::figures::Figures;

/// A figure of ours, or its ratio to one of another program, that must not be passed.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) is: f64,
    pub(super) most: f64,
}

impl Target {
    pub(super) fn is_met(&self) -> bool {
        self.is <= self.most
    }
}

/// A figure of ours by itself: the lag, the measure, its name, its limit.
const ALONE: &[(u64, &str, &str, f64)] = &[
    (500, "stale", "runs with a stale cache", 0.0),
    (500, "writes_per_object", "writes per App", FEWEST_WRITES),
    (500, "cold_writes", "writes of a restart", 0.0),
    (0, "writes_per_object", "writes per App", FEWEST_WRITES),
    (0, "cold_writes", "writes of a restart", 0.0),
];

/// A ratio: the lags, the measure, its name, the other program, the limit.
const RATIOS: &[(&[u64], &str, &str, Program, f64)] = &[
    (&LAGS, "cpu_us_per_object", "CPU per App", Program::ControllerRuntime, 1.0 / 3.0),
    (&LAGS, "cpu_us_per_object", "CPU per App", Program::Consistent, 1.0 / 3.0),
    (&LAGS, "cpu_us_per_object", "CPU per App", Program::KubeRs, 1.0),
    (&LAGS, "cpu_us_per_object", "CPU per App", Program::Bare, 1.3),
    (&LAGS, "peak_mb", "peak memory", Program::ControllerRuntime, 1.0 / 4.0),
    (&LAGS, "peak_mb", "peak memory", Program::Consistent, 1.0 / 4.0),
    (&[0], "p99_ms", "p99 from create to first write", Program::ControllerRuntime, 1.0),
    (&[0], "p99_ms", "p99 from create to first write", Program::Consistent, 1.0),
    (&[0], "p99_ms", "p99 from create to first write", Program::KubeRs, 1.0),
];

/// The targets whose figures were measured.
pub(super) fn targets(figures: &Figures) -> Vec<Target> {
    let of = |lag: u64, program: Program, measure| figures.get(&part(lag), program.name(), measure);
    let alone = ALONE.iter().filter_map(|(lag, measure, name, most)| {
        let is = of(*lag, Program::Ours, measure)?;
        Some(Target { name: format!("{name}, {}", part(*lag)), is, most: *most })
    });
    let ratios = RATIOS.iter().flat_map(|(lags, measure, name, peer, most)| {
        lags.iter().filter_map(move |lag| {
            let is = of(*lag, Program::Ours, measure)? / of(*lag, *peer, measure)?;
            let name = format!("{name}, {}: ours of {}", part(*lag), peer.name());
            Some(Target { name, is, most: *most })
        })
    });
    alone.chain(ratios).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_measured_figures_have_targets() {
        let mut figures = Figures::default();
        assert!(targets(&figures).is_empty());
        figures.note(&part(500), Program::Ours.name(), "stale", 1.0);
        figures.note(&part(0), Program::Ours.name(), "peak_mb", 10.0);
        figures.note(&part(0), Program::ControllerRuntime.name(), "peak_mb", 40.0);
        let targets = targets(&figures);
        let found: Vec<_> = targets.iter().map(|target| (target.is, target.is_met())).collect();
        assert_eq!(found, [(1.0, false), (0.25, true)]);
        assert_eq!(targets[1].name, "peak memory, watches 0 ms late: ours of controller-runtime");
    }
}
