//! The result of a campaign, for people and for tools.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::generate::described;
use crate::plan::{Op, Plan};
use crate::record::{Event, What};
use crate::simulation::Simulation;
use crate::world::Outcome;

/// The most lines of a history in a message.
const LINES: usize = 80;

/// A history with its causes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Explained {
    pub(crate) whole: Outcome,
    /// The steps that are left, if it breaks a property.
    pub(crate) ops: Vec<Op>,
    /// The history of these steps.
    pub(crate) shrunk: Outcome,
    /// The number of histories that shrinking has made.
    pub(crate) tries: u32,
}

/// The result of a simulation that has found nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The number of histories.
    pub histories: usize,
    /// The number of writes in the history without faults.
    pub writes: u64,
    /// The real time.
    pub seconds: f64,
}

impl Summary {
    /// Returns the number of histories per second of real time.
    pub fn rate(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
        let histories = self.histories as f64;
        histories / self.seconds.max(0.001)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { histories, writes, seconds } = self;
        write!(
            f,
            "{histories} histories in {seconds:.1} s ({:.0}/s), no property is broken ({writes} writes without faults)",
            self.rate()
        )
    }
}

/// A broken property, with the history that breaks it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The name of the test.
    pub name: String,
    /// The property.
    pub property: String,
    /// The details.
    pub text: String,
    /// The seed that repeats it.
    pub seed: String,
    /// The number of histories until it was found.
    pub histories: usize,
    /// The steps that are left after shrinking: changes of the user, faults, and waiting.
    pub steps: Vec<String>,
    /// The number of steps before.
    pub steps_before: usize,
    /// Everything that happened in the shrunk history.
    pub history: Vec<Event>,
    /// The file with all of it.
    pub file: Option<PathBuf>,
}

impl Failure {
    pub(crate) fn cannot_run(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            property: "the simulation runs".to_owned(),
            text: text.to_owned(),
            seed: String::new(),
            histories: 0,
            steps: Vec::new(),
            steps_before: 0,
            history: Vec::new(),
            file: None,
        }
    }

    pub(crate) fn of(
        simulation: &Simulation,
        name: &str,
        plan: Plan,
        histories: usize,
        explained: &Explained,
    ) -> Self {
        let violation = explained.shrunk.violation.as_ref().or(explained.whole.violation.as_ref());
        let (property, text) =
            violation.map(|found| (found.property.clone(), found.text.clone())).unwrap_or_default();
        let mut failure = Self {
            name: name.to_owned(),
            property,
            text,
            seed: plan.to_string(),
            histories,
            steps: explained.ops.iter().map(|op| describe(simulation, *op)).collect(),
            steps_before: plan.ops(&simulation.shape()).len(),
            history: explained.shrunk.events.clone(),
            file: None,
        };
        failure.file = failure.write(&explained.whole.events);
        failure
    }

    pub(crate) fn diverged(name: &str, plan: Plan, one: &[Event], other: &[Event]) -> Self {
        let place =
            one.iter().zip(other).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
        let line = |events: &[Event]| {
            events.get(place).map_or_else(|| "nothing more".to_owned(), ToString::to_string)
        };
        let text = format!(
            "the same seed gave two histories in two processes. They are equal for {place} events, then:\n    \
             one process:   {}\n    the other one: {}\n  \
             Threads, blocking tasks, the addresses of objects, maps with another hasher than std's (hashbrown, ahash) \
             and clocks that are not tokio's or std's do that.",
            line(one).trim(),
            line(other).trim()
        );
        let from = place.saturating_sub(10);
        Self {
            property: "a seed has one history".to_owned(),
            seed: plan.to_string(),
            history: one[from..place].to_vec(),
            ..Self::cannot_run(name, &text)
        }
    }

    /// Writes everything to a file next to the program, for tools.
    fn write(&self, whole: &[Event]) -> Option<PathBuf> {
        let program = std::env::current_exe().ok()?;
        let folder = program.ancestors().nth(2)?.join("simulation");
        std::fs::create_dir_all(&folder).ok()?;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let file =
            folder.join(format!("{}-{}.json", self.name.chars().map(plain).collect::<String>(), self.seed));
        let document = json!({
            "name": self.name,
            "property": self.property,
            "text": self.text,
            "seed": self.seed,
            "steps": self.steps,
            "history": self.history,
            "wholeHistory": whole,
        });
        std::fs::write(&file, document.to_string()).ok()?;
        Some(file)
    }
}

impl Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "simulation {}: broken property: {}", self.name, self.property)?;
        writeln!(f, "  {}", self.text)?;
        if self.seed.is_empty() {
            return Ok(());
        }
        if !self.steps.is_empty() {
            let (left, before) = (self.steps.len(), self.steps_before);
            writeln!(
                f,
                "\nSeed {}, history {}. Of {before} steps, these {left} are enough:",
                self.seed, self.histories
            )?;
            for (number, step) in self.steps.iter().enumerate() {
                writeln!(f, "  {:2}. {step}", number + 1)?;
            }
        }
        let lines: Vec<&Event> =
            self.history.iter().filter(|event| !matches!(event.what, What::Sent { .. })).collect();
        if !lines.is_empty() {
            writeln!(f, "\nWhat happened:")?;
        }
        let skipped = lines.len().saturating_sub(LINES);
        for (place, event) in lines.iter().enumerate() {
            if place == LINES / 2 && skipped > 0 {
                writeln!(f, "   … {skipped} more …")?;
            }
            if place < LINES / 2 || place >= LINES / 2 + skipped {
                writeln!(f, "{event}")?;
            }
        }
        let test = self.name.rsplit("::").next().unwrap_or(&self.name);
        writeln!(f, "\nRepeat it: CLIENT_RS_SEED={} cargo test {test}", self.seed)?;
        writeln!(
            f,
            "With every event: CLIENT_RS_SEED={} CLIENT_RS_EXPLAIN=1 cargo test {test} -- --nocapture",
            self.seed
        )?;
        if let Some(file) = &self.file {
            writeln!(f, "As JSON: {}", file.display())?;
        }
        Ok(())
    }
}

fn describe(simulation: &Simulation, op: Op) -> String {
    let object = |place: u8| {
        let subject = simulation.subjects.get(usize::from(place));
        subject.map_or_else(|| format!("object {place}"), |subject| subject.path.to_string())
    };
    let replica = |node: u8| format!("replica-{}", node % simulation.replicas + 1);
    match op {
        Op::Run(millis) => format!("{:.2} s pass", f64::from(millis) / 1000.0),
        Op::Put(place, state) => {
            let states =
                simulation.subjects.get(usize::from(place)).map_or(1, |subject| subject.states.len());
            let state = usize::from(state) % states;
            let content = simulation.subjects.get(usize::from(place)).map(|subject| &subject.states[state]);
            let content = content.map(described).unwrap_or_default();
            format!("the user creates {}, or changes it to state {state}: {content}", object(place))
        }
        Op::Delete(place) => format!("the user deletes {}", object(place)),
        Op::DeleteMade(number) => {
            format!("somebody deletes an object that the program has made (number {number})")
        }
        Op::TouchMade(number) => {
            format!("somebody annotates an object that the program has made (number {number})")
        }
        Op::At(write, act) => format!("FAULT at write {write} from here: {}", act.text(write.into())),
        Op::Kill(node) => format!("FAULT: {} is killed", replica(node)),
        Op::Behind(u8::MAX, back) => {
            format!(
                "FAULT: the process that is killed next starts with a watch cache that is {back} changes behind"
            )
        }
        Op::Behind(node, back) => {
            format!(
                "FAULT: {} is killed, and starts with a watch cache that is {back} changes behind",
                replica(node)
            )
        }
        Op::Stop(node) => format!("FAULT: {} has to end in order", replica(node)),
        Op::Pause(node) => format!("FAULT: {} is paused", replica(node)),
        Op::Resume(node) => format!("{} continues", replica(node)),
        Op::Refuse(node) => format!("FAULT: connections of {} are refused", replica(node)),
        Op::LoseRequests(node) => format!("FAULT: requests of {} do not arrive", replica(node)),
        Op::LoseResponses(node) => format!("FAULT: responses to {} do not arrive", replica(node)),
        Op::Storm(node, kind) => {
            format!(
                "FAULT: requests of {} get {}",
                replica(node),
                [429, 500, 503, 403][usize::from(kind) % 4]
            )
        }
        Op::Heal(node) => format!("the network of {} works again", replica(node)),
        Op::Cut(node) => format!("FAULT: the watches of {} are cut", replica(node)),
        Op::Hang(node) => format!("FAULT: the watches of {} are silent", replica(node)),
        Op::Lag(node, tenths) => {
            format!("FAULT: each watch event reaches {} {} ms late", replica(node), u32::from(tenths) * 100)
        }
        Op::Compact => "FAULT: the servers drop their history".to_owned(),
        Op::DeleteAll => {
            "all faults end; when nothing changes any more, the user deletes every object".to_owned()
        }
    }
}
