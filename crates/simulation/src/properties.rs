//! Ready-made properties of the writes of a history, as pure functions.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::{Event, What};
use crate::simulation::{Property, Simulation};
use crate::world::Violation;

/// The time of a storm, in milliseconds, and the largest number of writes of one object in it.
const STORM: (u64, usize) = (10_000, 40);
/// The time in which two writers in turn are too many, in milliseconds.
const TURN: u64 = 5_000;

/// Checks the writes of a history; an error says what is wrong.
type Rule = fn(&[Event]) -> Result<(), String>;

/// Checks the properties of writes that are on.
pub(crate) fn check(simulation: &Simulation, events: &[Event]) -> Result<(), Violation> {
    let rules: [(Property, Rule); 3] = [
        (Property::NoStaleWrite, no_stale_write),
        (Property::OneWriter, one_writer),
        (Property::NoWriteStorm, no_storm),
    ];
    for (property, rule) in rules.into_iter().filter(|(property, _)| simulation.has(*property)) {
        rule(events).map_err(|text| Violation { property: property.name().to_owned(), text })?;
    }
    Ok(())
}

/// The writes that processes sent: time, process, method and object.
fn sent(events: &[Event]) -> impl Iterator<Item = (u64, &str, &str, &str)> {
    events.iter().filter_map(|event| match &event.what {
        What::Sent { method, object, .. } => {
            Some((event.at, event.who.as_str(), method.as_str(), object.as_str()))
        }
        _ => None,
    })
}

/// Objects that the program creates and others delete are no storm of its own: the garbage collector deletes a child at once whose
/// owner the program does not know to be gone. If that never ends, the program does not come to rest.
fn no_storm(events: &[Event]) -> Result<(), String> {
    let created: BTreeSet<u64> = events
        .iter()
        .filter_map(|event| match &event.what {
            What::Wrote { request, status: 201, .. } => Some(*request),
            _ => None,
        })
        .collect();
    let others: Vec<Event> = events
        .iter()
        .filter(|event| !matches!(&event.what, What::Sent { request, .. } if created.contains(request)))
        .cloned()
        .collect();
    let mut times: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let (window, limit) = STORM;
    for (at, who, _, object) in sent(&others) {
        let times = times.entry(object).or_default();
        times.push(at);
        if let Some(first) = times.len().checked_sub(limit + 1).map(|place| times[place])
            && at - first < window
        {
            return Err(format!("{who} writes {object} more than {limit} times within {} s", window / 1000));
        }
    }
    Ok(())
}

fn one_writer(events: &[Event]) -> Result<(), String> {
    let mut last: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for (at, who, _, object) in sent(events) {
        let writers = last.entry(object).or_default();
        if writers.last().is_none_or(|(_, last)| *last != who) {
            if let [.., (first, one), (_, other)] = writers.as_slice()
                && *one == who
                && at - first < TURN
            {
                let seconds = TURN / 1000;
                return Err(format!("{who} and {other} write {object} in turn, within {seconds} s"));
            }
            writers.push((at, who));
        } else if let Some(writer) = writers.last_mut() {
            writer.0 = at;
        }
    }
    Ok(())
}

fn no_stale_write(events: &[Event]) -> Result<(), String> {
    for event in events {
        let What::Wrote { method, object, status, known, before, conditional, request, mistaken, .. } =
            &event.what
        else {
            continue;
        };
        let carried_out = *status < 300 && !*conditional && !before.is_empty();
        let who = &event.who;
        if carried_out && method == "DELETE" && *mistaken {
            return Err(format!(
                "{who} deletes {object} by its name (#{request}): the object that it knew is gone, and another one has its name"
            ));
        }
        if carried_out && method == "PUT" && known != before {
            let known = if known.is_empty() { "none" } else { known };
            return Err(format!(
                "{who} replaces version {before} of {object} (#{request}); the last version that it saw is {known}, and the update has no version that the server could check"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(at: u64, who: &str, object: &str) -> Event {
        let what = What::Sent { request: at, method: "PUT".to_owned(), object: object.to_owned() };
        Event { at, who: who.to_owned(), what }
    }

    fn wrote(method: &str, known: &str, conditional: bool, mistaken: bool) -> Event {
        let what = What::Wrote {
            request: 1,
            method: method.to_owned(),
            object: "o".to_owned(),
            status: 200,
            known: known.to_owned(),
            before: "5".to_owned(),
            version: "6".to_owned(),
            fields: Vec::new(),
            conditional,
            mistaken,
        };
        Event { at: 0, who: "a".to_owned(), what }
    }

    #[test]
    fn storms_are_counted_per_object() {
        let burst: Vec<Event> = (0..41).map(|at| write(at * 100, "a", "o")).collect();
        assert!(no_storm(&burst).is_err());
        assert!(no_storm(&burst[..40]).is_ok());
        let slow: Vec<Event> = (0..100).map(|at| write(at * 1_000, "a", "o")).collect();
        assert!(no_storm(&slow).is_ok());
        let wide: Vec<Event> = (0..100).map(|at| write(at, "a", &format!("o{}", at % 5))).collect();
        assert!(no_storm(&wide).is_ok());
    }

    #[test]
    fn two_writers_in_turn_are_too_many() {
        let turns = |last: u64| [write(0, "a", "o"), write(1_000, "b", "o"), write(last, "a", "o")];
        assert!(one_writer(&turns(2_000)).is_err());
        assert!(one_writer(&turns(20_000)).is_ok());
        assert!(one_writer(&[write(0, "a", "o"), write(1, "b", "o"), write(2, "c", "o")]).is_ok());
        assert!(one_writer(&[write(0, "a", "o"), write(1, "b", "p"), write(2, "a", "o")]).is_ok());
    }

    #[test]
    fn unconditional_writes_of_unseen_versions_are_stale() {
        let stale = |method, known, conditional, mistaken| {
            no_stale_write(&[wrote(method, known, conditional, mistaken)]).is_err()
        };
        assert!(stale("PUT", "4", false, false));
        assert!(!stale("PUT", "5", false, false));
        assert!(!stale("PUT", "4", true, false));
        assert!(stale("DELETE", "", false, true));
        assert!(!stale("DELETE", "", true, true));
        assert!(!stale("DELETE", "", false, false));
        assert!(!stale("DELETE", "4", false, false));
    }
}
