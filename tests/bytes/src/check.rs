//! The rules of a history.

use std::collections::BTreeMap;
use std::fmt;

use crate::history::{Entry, Fact, Outcome};
use crate::plan::Verb;
use crate::server::{EVENT_EVERY, is_idempotent};

/// How long a request without a time limit may take, in milliseconds. A dead connection is found after 45 s, and the request
/// may be sent again three times.
const LONGEST: u64 = 240_000;
/// How long a watch may take to open: ten retries, each with the time limit of a connection.
const OPENING: u64 = 240_000;
/// How long a dead connection may go unnoticed: 30 s without a byte, and 15 s without an answer to the ping.
const DEAD: u64 = 45_000;
/// The delay of bytes in the pipes, and of timers.
const SLACK: u64 = 6_000;
/// The time after the last fault from which on every request must succeed. Until then it may meet a connection on which requests
/// do not arrive although events do: it is checked after 60 s, and given up after 120 s more.
pub const RECOVERY: u64 = 190_000;
/// How long bytes that have trickled may be late afterwards.
const BACKLOG: u64 = 60_000;

/// A rule that a history breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// How it is broken.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.what)
    }
}

/// A rule.
pub type Rule = fn(&[Entry]) -> Result<(), String>;

/// All rules.
pub const RULES: [(&str, Rule); 7] = [
    ("one outcome in time", outcomes),
    ("effects", effects),
    ("bodies", bodies),
    ("watches", watches),
    ("recovery", recovery),
    ("connections", connections),
    ("nothing is left", leaks),
];

/// Checks a history.
pub fn all(history: &[Entry]) -> Result<(), Violation> {
    for (rule, check) in RULES {
        check(history).map_err(|what| Violation { rule, what })?;
    }
    Ok(())
}

/// The times in which bytes trickled, with the time after them.
fn trickles(history: &[Entry]) -> Vec<(u64, u64)> {
    let (mut times, mut open) = (Vec::new(), None);
    for entry in history {
        match entry.op {
            Fact::Trickle { .. } => {
                open.get_or_insert(entry.t);
            }
            Fact::Heal | Fact::Over => times.extend(open.take().map(|from| (from, entry.t + BACKLOG))),
            _ => {}
        }
    }
    times
}

/// The end of the trickles within a time.
fn trickled(trickles: &[(u64, u64)], from: u64, to: u64) -> Option<u64> {
    let within = trickles.iter().filter(|(begin, end)| *begin <= to && from <= *end);
    within.map(|(_, end)| *end).max()
}

/// Every request has exactly one outcome, within its bound.
pub fn outcomes(history: &[Entry]) -> Result<(), String> {
    let trickles = trickles(history);
    let mut open = BTreeMap::new();
    let mut ended = BTreeMap::new();
    for entry in history {
        match &entry.op {
            Fact::Begin { id, limit, pauses, .. } => {
                open.insert(*id, (entry.t, *limit, *pauses));
            }
            Fact::End { id, outcome } => {
                if let Some(before) = ended.insert(*id, entry.t) {
                    return Err(format!("request {id} has outcomes at {before} and at {}", entry.t));
                }
                let Some((began, limit, pauses)) = open.remove(id) else {
                    return Err(format!("request {id} has an outcome and no beginning"));
                };
                if *outcome == Outcome::None {
                    return Err(format!("request {id} of {began} has no outcome"));
                }
                let latest = if let Some(limit) = limit {
                    began + limit + 1
                } else {
                    let from = trickled(&trickles, began, entry.t).unwrap_or(began).max(began);
                    from + LONGEST + pauses
                };
                if entry.t > latest {
                    return Err(format!("request {id} of {began} ended at {}, not by {latest}", entry.t));
                }
            }
            _ => {}
        }
    }
    match open.first_key_value() {
        Some((id, (began, ..))) => Err(format!("request {id} of {began} has no outcome")),
        None => Ok(()),
    }
}

/// No request is carried out twice, unless the server has answered that it was not, or that is safe.
pub fn effects(history: &[Entry]) -> Result<(), String> {
    let mut verbs = BTreeMap::new();
    let mut carried: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut unavailable: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in history {
        match &entry.op {
            Fact::Begin { id, verb, .. } => {
                verbs.insert(*id, *verb);
            }
            Fact::Answered { id, attempt, status: 503 } => unavailable.entry(*id).or_default().push(*attempt),
            Fact::Effect { id, attempt } => carried.entry(*id).or_default().push(*attempt),
            Fact::End { id, outcome: Outcome::Ok { .. } } if !carried.contains_key(id) => {
                return Err(format!("request {id} has succeeded without an effect"));
            }
            Fact::WrongUpload { id, bytes } => {
                return Err(format!("the server got {bytes} bytes of request {id} as its whole body"));
            }
            _ => {}
        }
    }
    for (id, attempts) in &carried {
        let verb = verbs.get(id).copied().unwrap_or(Verb::Post);
        if verb == Verb::Get {
            continue;
        }
        let known = unavailable.get(id).map(Vec::as_slice).unwrap_or_default();
        // Each but the last one was answered with 503, and may be repeated.
        let repeated = attempts.iter().rev().skip(1);
        let wrong = repeated.filter(|attempt| !(is_idempotent(verb) && known.contains(attempt))).count();
        if wrong > 0 {
            return Err(format!("{verb:?} request {id} was carried out by its attempts {attempts:?}"));
        }
    }
    Ok(())
}

/// A body that is delivered as complete is complete, and what was sent.
pub fn bodies(history: &[Entry]) -> Result<(), String> {
    for entry in history {
        if let Fact::End { id, outcome: Outcome::Ok { same: false, bytes } } = entry.op {
            return Err(format!("request {id} has got {bytes} bytes that are not its response"));
        }
    }
    Ok(())
}

/// Events arrive in order, without a gap; a watch whose connection is dead ends in time.
pub fn watches(history: &[Entry]) -> Result<(), String> {
    let trickles = trickles(history);
    let every = u64::try_from(EVENT_EVERY.as_millis()).unwrap_or(u64::MAX);
    let mut open: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    let end = history.iter().find(|entry| entry.op == Fact::Idle).map_or(u64::MAX, |entry| entry.t);
    let last = history.iter().rev().find(|entry| matches!(entry.op, Fact::End { .. }));
    let dropped = last.map_or(end, |entry| entry.t);
    let in_time = |id: u32, from: u64, next: u32, to: u64| {
        let longest = if next == 0 { OPENING } else { every + DEAD + SLACK };
        let from = trickled(&trickles, from, to).unwrap_or(from).max(from);
        if to > from + longest {
            return Err(format!("watch {id} was silent from {from} to {to}"));
        }
        Ok(())
    };
    for entry in history {
        match &entry.op {
            Fact::Watch { id } => {
                open.insert(*id, (entry.t, 0));
            }
            Fact::Event { id, number } => {
                let (from, next) = open.get(id).copied().unwrap_or_default();
                if *number != next {
                    return Err(format!("watch {id} has event {number}, and not {next}"));
                }
                in_time(*id, from, next, entry.t)?;
                open.insert(*id, (entry.t, number + 1));
            }
            Fact::Ended { id, .. } => {
                if let Some((from, next)) = open.remove(id) {
                    in_time(*id, from, next, entry.t)?;
                }
            }
            _ => {}
        }
    }
    // Those that were dropped at the end.
    open.into_iter().try_for_each(|(id, (from, next))| in_time(id, from, next, dropped))
}

/// Some time after the last fault every request succeeds.
pub fn recovery(history: &[Entry]) -> Result<(), String> {
    let (mut over, mut probes, mut succeeded) = (u64::MAX, BTreeMap::new(), 0);
    for entry in history {
        match &entry.op {
            Fact::Over => over = entry.t,
            Fact::Probe { id } => {
                probes.insert(*id, entry.t);
            }
            Fact::End { id, outcome } => match (probes.get(id), outcome) {
                (Some(_), Outcome::Ok { .. }) => succeeded += 1,
                (Some(began), outcome) if *began >= over.saturating_add(RECOVERY) => {
                    return Err(format!(
                        "request {id} of {began}, long after the last fault at {over}: {outcome:?}"
                    ));
                }
                _ => {}
            },
            _ => {}
        }
    }
    let late = probes.values().filter(|began| **began >= over.saturating_add(RECOVERY)).count();
    if late == 0 || succeeded == 0 {
        return Err(format!(
            "{succeeded} requests have succeeded after the last fault; {late} were late enough"
        ));
    }
    Ok(())
}

/// There are not more connections than requests, and none that nobody has used for long.
pub fn connections(history: &[Entry]) -> Result<(), String> {
    let (mut most, mut idle) = (1, false);
    for entry in history {
        match entry.op {
            Fact::Idle => idle = true,
            Fact::Gauge { pooled, open, active } => {
                most = most.max(active);
                if pooled > most + 2 {
                    return Err(format!("{pooled} connections at {}, for {most} requests", entry.t));
                }
                if idle && (pooled > 0 || open > 0) {
                    return Err(format!("{pooled} idle connections, {open} open ones"));
                }
            }
            _ => {}
        }
    }
    if idle { Ok(()) } else { Err("the history has no end".to_owned()) }
}

/// No task is left when the client is gone.
pub fn leaks(history: &[Entry]) -> Result<(), String> {
    match history.last().map(|entry| &entry.op) {
        Some(Fact::Left { tasks: 0 }) => Ok(()),
        other => Err(format!("at the end: {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Toward;

    fn entries(facts: impl IntoIterator<Item = (u64, Fact)>) -> Vec<Entry> {
        facts.into_iter().map(|(t, op)| Entry { t, op }).collect()
    }

    fn begin(id: u32, verb: Verb, limit: Option<u64>) -> Fact {
        Fact::Begin { id, verb, limit, pauses: 0 }
    }

    fn ok(id: u32) -> Fact {
        Fact::End { id, outcome: Outcome::Ok { same: true, bytes: 1 } }
    }

    #[test]
    fn an_outcome_is_missing_late_or_there_twice() {
        let one = |facts: Vec<(u64, Fact)>| outcomes(&entries(facts));
        assert!(one(vec![(0, begin(1, Verb::Get, Some(10))), (10, ok(1))]).is_ok());
        assert!(one(vec![(0, begin(1, Verb::Get, Some(10))), (20, ok(1))]).is_err());
        assert!(one(vec![(0, begin(1, Verb::Get, None)), (LONGEST + 1, ok(1))]).is_err());
        assert!(one(vec![(0, begin(1, Verb::Get, None))]).is_err());
        assert!(one(vec![(0, begin(1, Verb::Get, None)), (1, ok(1)), (2, ok(1))]).is_err());
        let none = Fact::End { id: 1, outcome: Outcome::None };
        assert!(one(vec![(0, begin(1, Verb::Get, None)), (1, none)]).is_err());
        // A network that trickles is slow.
        let trickle = Fact::Trickle { connection: 0, toward: Toward::Client };
        let slow =
            [(0, begin(1, Verb::Get, None)), (1, trickle), (LONGEST, Fact::Heal), (LONGEST + 5, ok(1))];
        assert!(one(slow.to_vec()).is_ok());
    }

    #[test]
    fn an_effect_happens_once_unless_the_server_says_otherwise() {
        let run = |verb, between: Option<Fact>| {
            let effect = |attempt| Fact::Effect { id: 1, attempt };
            let facts = [Some(begin(1, verb, None)), Some(effect(1)), between, Some(effect(2)), Some(ok(1))];
            effects(&entries(facts.into_iter().flatten().map(|fact| (0, fact))))
        };
        let unavailable = || Some(Fact::Answered { id: 1, attempt: 1, status: 503 });
        assert!(run(Verb::Get, None).is_ok());
        assert!(run(Verb::Post, None).is_err() && run(Verb::Put, None).is_err());
        assert!(run(Verb::Post, unavailable()).is_err());
        assert!(run(Verb::Put, unavailable()).is_ok());
        assert!(effects(&entries([(0, begin(1, Verb::Post, None)), (1, ok(1))])).is_err(), "no effect");
        assert!(effects(&entries([(0, Fact::WrongUpload { id: 1, bytes: 3 })])).is_err());
    }

    #[test]
    fn bodies_events_and_silence_are_checked() {
        let other = Fact::End { id: 1, outcome: Outcome::Ok { same: false, bytes: 5 } };
        assert!(bodies(&entries([(0, other)])).is_err());
        let event = |number| Fact::Event { id: 1, number };
        let ended = || Fact::Ended { id: 1, why: String::new() };
        let watch =
            |facts: Vec<(u64, Fact)>| watches(&entries([vec![(0, Fact::Watch { id: 1 })], facts].concat()));
        assert!(watch(vec![(1, event(0)), (2, event(1)), (50_000, ended())]).is_ok());
        assert!(watch(vec![(1, event(0)), (2, event(2))]).is_err(), "a gap");
        assert!(watch(vec![(1, event(0)), (2, event(0))]).is_err(), "twice");
        assert!(watch(vec![(1, event(0)), (70_000, ended())]).is_err(), "silent");
        assert!(watch(vec![(1, event(0)), (70_000, Fact::Idle)]).is_err(), "silent and never ended");
    }

    #[test]
    fn leaks_and_a_client_that_does_not_recover_are_found() {
        let gauge = |pooled, open| Fact::Gauge { pooled, open, active: 1 };
        assert!(connections(&entries([(0, gauge(1, 1)), (1, Fact::Idle), (1, gauge(0, 0))])).is_ok());
        assert!(connections(&entries([(1, Fact::Idle), (1, gauge(0, 1))])).is_err());
        assert!(connections(&entries([(0, gauge(9, 9)), (1, Fact::Idle)])).is_err());
        assert!(leaks(&entries([(0, Fact::Left { tasks: 0 })])).is_ok());
        assert!(leaks(&entries([(0, Fact::Left { tasks: 1 })])).is_err());
        let late = RECOVERY + 1;
        let probe =
            |end: Fact| recovery(&entries([(0, Fact::Over), (late, Fact::Probe { id: 1 }), (late, end)]));
        assert!(probe(ok(1)).is_ok());
        assert!(probe(Fact::End { id: 1, outcome: Outcome::Cancelled }).is_err());
        assert!(recovery(&entries([(0, Fact::Over)])).is_err());
    }
}
