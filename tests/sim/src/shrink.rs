//! Shrinks the steps of a history that breaks a rule, by delta debugging.

use crate::check::Violation;
use crate::subject::{Case, Run, Subject};

/// Returns the shortest case found that breaks the same rule, and how it breaks it.
pub fn shrink<S: Subject>(
    setup: S::Setup,
    ops: &[S::Op],
    violation: Violation,
    run: &mut Run,
) -> (Case<S::Setup, S::Op>, Violation) {
    let mut best = (ops.to_vec(), violation);
    let mut parts = 2;
    loop {
        let size = best.0.len().div_ceil(parts).max(1);
        let shorter = (0..best.0.len()).step_by(size).find_map(|from| {
            let mut rest = best.0.clone();
            rest.drain(from..(from + size).min(rest.len()));
            let violation = run.case::<S>(setup, &rest).err()?;
            (violation.checker == best.1.checker).then_some((rest, violation))
        });
        match shorter {
            Some(shorter) => {
                best = shorter;
                parts = parts.saturating_sub(1).max(2);
            }
            None if size == 1 => break,
            None => parts = (parts * 2).min(best.0.len()),
        }
        if best.0.is_empty() {
            break;
        }
    }
    let (ops, violation) = best;
    (Case { setup, ops }, violation)
}
