//! The steps of a history, as data, and how they are chosen.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::os::mix;

/// The number of different workloads of random histories. Histories with the same workload share their run without faults.
const SCRIPTS: u64 = 24;

/// The first seed of histories with many faults.
pub(crate) const LONG: u64 = 1_000_000_000;

/// How long an outage lasts that begins at a write. A controller that runs again at once fails again.
pub(crate) const OUTAGE: Duration = Duration::from_secs(4);

/// The beginning of the names of histories whose fault happens while the controller cleans up.
const DELETING: &str = "deletion-";

/// Something that happens at a certain write of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum AtWrite {
    /// The process is killed before the write leaves it.
    KillBefore,
    /// The process is killed when the server has carried out the write.
    KillAfter,
    /// The connection breaks before the server has the request.
    LoseRequest,
    /// The server carries out the write, and the connection breaks.
    LoseResponse,
    /// The server answers with an internal error.
    Refuse,
    /// Another client changes the object directly before.
    Conflict,
    /// All writes get an internal error from here on, for a few seconds, as if an admission webhook were down. Reads work.
    Outage,
}

impl AtWrite {
    pub(crate) const ALL: [Self; 7] = [
        Self::KillBefore,
        Self::KillAfter,
        Self::LoseRequest,
        Self::LoseResponse,
        Self::Refuse,
        Self::Conflict,
        Self::Outage,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::KillBefore => "kill-before",
            Self::KillAfter => "kill-after",
            Self::LoseRequest => "lose-request",
            Self::LoseResponse => "lose-response",
            Self::Refuse => "refuse",
            Self::Conflict => "conflict",
            Self::Outage => "outage",
        }
    }

    pub(crate) fn text(self, request: u64) -> String {
        match self {
            Self::KillBefore => format!("the process is killed before #{request} leaves it"),
            Self::KillAfter => format!("the process is killed when the server has carried out #{request}"),
            Self::LoseRequest => format!("the connection breaks before #{request} reaches the server"),
            Self::LoseResponse => {
                format!("the server carries out #{request}, and the connection breaks before the response")
            }
            Self::Refuse => format!("#{request} gets 500"),
            Self::Conflict => format!("another client changes the object directly before #{request}"),
            Self::Outage => {
                format!("all writes of the process get 500 from #{request} on, for {} s", OUTAGE.as_secs())
            }
        }
    }
}

/// One step. A step that is not possible in the current state does nothing, so any part of a list of steps is a list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Op {
    /// Everything runs for this many milliseconds.
    Run(u32),
    /// The user creates an object of the workload, or changes it to one of its states.
    Put(u8, u8),
    /// The user deletes an object of the workload.
    Delete(u8),
    /// Somebody deletes an object that a process has made.
    DeleteMade(u8),
    /// Somebody else annotates an object that a process has made.
    TouchMade(u8),
    /// Something happens at the write with this number, counted from now.
    At(u32, AtWrite),
    /// A process is killed, and starts again.
    Kill(u8),
    /// A process is killed, and starts again with a server whose watch cache is this many changes behind.
    Behind(u8, u8),
    /// A process has to end in order, and starts again.
    Stop(u8),
    /// A process is paused.
    Pause(u8),
    /// It continues.
    Resume(u8),
    /// Connections of a process are refused.
    Refuse(u8),
    /// Requests of a process do not arrive.
    LoseRequests(u8),
    /// Responses to a process do not arrive.
    LoseResponses(u8),
    /// Requests of a process get an error of this kind.
    Storm(u8, u8),
    /// The network of a process works again.
    Heal(u8),
    /// Open watches of a process end with an error.
    Cut(u8),
    /// Open watches of a process are silent from now on.
    Hang(u8),
    /// Each watch event reaches a process this many times 100 ms late.
    Lag(u8, u8),
    /// The servers drop their history.
    Compact,
    /// All faults end, and the end is checked. Then the user deletes every object of the workload. Faults that follow happen
    /// while the controller cleans up.
    DeleteAll,
}

impl Op {
    /// Whether the step belongs to the workload.
    pub(crate) fn is_users(self) -> bool {
        matches!(self, Self::Put(..) | Self::Delete(_) | Self::DeleteMade(_) | Self::TouchMade(_))
    }

    /// Steps that say the same in a simpler way, the simplest one first.
    pub(crate) fn simpler(self) -> Vec<Self> {
        match self {
            Self::Put(object, state) if state > 0 => {
                let mut states = vec![0, state / 2, state - 1];
                states.dedup();
                states.into_iter().map(|state| Self::Put(object, state)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the step is a fault.
    #[cfg(test)]
    pub(crate) fn is_fault(self) -> bool {
        !self.is_users() && !matches!(self, Self::Run(_) | Self::Heal(_) | Self::Resume(_) | Self::DeleteAll)
    }
}

/// The properties of a simulation that plans depend on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) replicas: u8,
    /// The number of states of each object of the workload.
    pub(crate) states: Vec<u8>,
    /// The workload, if it is not random.
    pub(crate) script: Option<Vec<Op>>,
}

/// A part of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    /// The user creates, changes and deletes objects.
    Working,
    /// The user has deleted everything, and the controller cleans up.
    Deleting,
}

/// The name of a history: a seed, or a fault at a certain write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Plan {
    /// The first workload without faults.
    Calm,
    /// One fault at one write.
    At(Phase, u32, AtWrite),
    /// A restart after a write, with a watch cache that is some changes behind.
    Behind(Phase, u32, u8),
    /// A random history.
    Random(u64),
}

impl Phase {
    fn prefix(self) -> &'static str {
        match self {
            Self::Working => "",
            Self::Deleting => DELETING,
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Calm => f.write_str("calm"),
            Self::At(phase, write, act) => write!(f, "{}{}-{write}", phase.prefix(), act.name()),
            Self::Behind(phase, write, back) => write!(f, "{}behind-{back}-{write}", phase.prefix()),
            Self::Random(seed) => write!(f, "{seed}"),
        }
    }
}

impl FromStr for Plan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("CLIENT_RS_SEED={text} is not a seed: use the one that a failure has printed");
        if text == "calm" {
            return Ok(Self::Calm);
        }
        if let Ok(seed) = text.parse() {
            return Ok(Self::Random(seed));
        }
        let (phase, name) = match text.strip_prefix(DELETING) {
            Some(rest) => (Phase::Deleting, rest),
            None => (Phase::Working, text),
        };
        let (name, write) = name.rsplit_once('-').ok_or_else(wrong)?;
        let write = write.parse().map_err(|_| wrong())?;
        if let Some(back) = name.strip_prefix("behind-") {
            return Ok(Self::Behind(phase, write, back.parse().map_err(|_| wrong())?));
        }
        let act = AtWrite::ALL.into_iter().find(|act| act.name() == name).ok_or_else(wrong)?;
        Ok(Self::At(phase, write, act))
    }
}

impl Plan {
    /// The number of plans for each write.
    pub(crate) const PER_WRITE: u32 = 10;

    /// The plans of one fault each, for a run with this many writes in each phase.
    pub(crate) fn targeted(working: u32, deleting: u32) -> Vec<Self> {
        let mut plans = Vec::new();
        let working = (0..working).map(|write| (Phase::Working, write));
        for (phase, write) in working.chain((0..deleting).map(|write| (Phase::Deleting, write))) {
            plans.extend(AtWrite::ALL.map(|act| Self::At(phase, write, act)));
            plans.extend([1, 3, 8].map(|back| Self::Behind(phase, write, back)));
        }
        plans
    }

    /// The seed of everything but the steps.
    pub(crate) fn seed(self) -> u64 {
        let of_phase = |phase| if phase == Phase::Deleting { 1_000_000 } else { 0 };
        match self {
            Self::Calm => 1,
            Self::At(phase, write, act) => of_phase(phase) + 1000 + u64::from(write) * 16 + act as u64,
            Self::Behind(phase, write, back) => {
                of_phase(phase) + 500_000 + u64::from(write) * 256 + u64::from(back)
            }
            Self::Random(seed) => mix(seed ^ 0x5851_f42d_4c95_7f2d),
        }
    }

    /// Whether the replicas run when the history begins. Otherwise they start with it, while the user makes the first changes.
    pub(crate) fn is_warm(self) -> bool {
        match self {
            Self::Calm => false,
            Self::At(..) | Self::Behind(..) => true,
            Self::Random(seed) => !mix(seed.wrapping_add(1)).is_multiple_of(4),
        }
    }

    /// Returns the steps.
    pub(crate) fn ops(self, shape: &Shape) -> Vec<Op> {
        let mut ops = match self {
            Self::Random(seed) => script(shape, seed % SCRIPTS),
            _ => script(shape, 0),
        };
        let mut at = |phase, faults: &[Op]| match phase {
            Phase::Working => drop(ops.splice(..0, faults.iter().copied())),
            Phase::Deleting => {
                ops.push(Op::DeleteAll);
                ops.extend_from_slice(faults);
                ops.push(Op::Run(10_000));
            }
        };
        match self {
            Self::Calm => {}
            Self::At(phase, write, act) => at(phase, &[Op::At(write, act)]),
            // The restart is a step of its own, so that shrinking can remove it.
            Self::Behind(phase, write, back) => {
                at(phase, &[Op::Behind(u8::MAX, back), Op::At(write, AtWrite::KillAfter)]);
            }
            Self::Random(seed) => {
                let mut random = Rng::with_seed(mix(seed));
                let faults = if seed < LONG { random.u8(1..=4) } else { random.u8(4..=9) };
                add_faults(&mut ops, faults, &mut random, shape.replicas);
            }
        }
        ops
    }
}

/// Returns the workload with this number. The first one is the longest.
fn script(shape: &Shape, number: u64) -> Vec<Op> {
    if let Some(script) = &shape.script {
        return script.clone();
    }
    let mut random = Rng::with_seed(mix(number + 77));
    let mut ops = Vec::new();
    let run =
        |random: &mut Rng| Op::Run(if random.bool() { random.u32(10..400) } else { random.u32(400..6_000) });
    let objects = u8::try_from(shape.states.len()).unwrap_or(u8::MAX);
    if objects == 0 {
        return vec![Op::Run(5_000)];
    }
    let state = |random: &mut Rng, object: u8| random.u8(..shape.states[usize::from(object)].max(1));
    for object in 0..objects {
        if number == 0 || random.u8(..4) > 0 {
            ops.push(Op::Put(object, 0));
            ops.push(run(&mut random));
        }
    }
    if number == 0 {
        // Every kind of change once.
        for object in 0..objects {
            let last = shape.states[usize::from(object)].saturating_sub(1);
            ops.extend([Op::Put(object, last), Op::Run(3_000)]);
        }
        ops.extend([
            Op::DeleteMade(0),
            Op::Run(3_000),
            Op::Delete(0),
            Op::Run(3_000),
            Op::Put(0, 0),
            Op::Run(2_000),
        ]);
        return ops;
    }
    for _ in 0..random.u8(2..8) {
        let object = random.u8(..objects);
        ops.push(match random.u8(..12) {
            0..6 => Op::Put(object, state(&mut random, object)),
            6..9 => Op::Delete(object),
            9 | 10 => Op::DeleteMade(random.u8(..4)),
            _ => Op::TouchMade(random.u8(..4)),
        });
        ops.push(run(&mut random));
    }
    ops
}

/// Adds faults, with the steps that end them. Some of them happen while the controller cleans up.
fn add_faults(ops: &mut Vec<Op>, faults: u8, random: &mut Rng, replicas: u8) {
    let mut cleanup = Vec::new();
    for _ in 0..faults {
        // One fault in four. The others are among the changes of the user.
        if random.u8(..4) == 0 {
            add_fault(&mut cleanup, random, replicas);
        } else {
            add_fault(ops, random, replicas);
        }
    }
    if !cleanup.is_empty() {
        ops.push(Op::DeleteAll);
        ops.append(&mut cleanup);
        ops.push(Op::Run(random.u32(500..8_000)));
    }
}

fn add_fault(ops: &mut Vec<Op>, random: &mut Rng, replicas: u8) {
    let node = random.u8(..replicas.max(1));
    let (fault, end) = match random.u8(..40) {
        0..12 => (Op::At(random.u32(..12), AtWrite::ALL[random.usize(..AtWrite::ALL.len())]), None),
        12..15 => (Op::Kill(node), None),
        15..20 => (Op::Behind(node, random.u8(1..20)), None),
        20 => (Op::Stop(node), None),
        21..23 => (Op::Pause(node), Some(Op::Resume(node))),
        23 => (Op::Refuse(node), Some(Op::Heal(node))),
        24 => (Op::LoseRequests(node), Some(Op::Heal(node))),
        25..27 => (Op::LoseResponses(node), Some(Op::Heal(node))),
        27..30 => (Op::Storm(node, random.u8(..4)), Some(Op::Heal(node))),
        30..34 => (Op::Cut(node), None),
        34 => (Op::Hang(node), None),
        35..39 => (Op::Lag(node, random.u8(1..40)), Some(Op::Heal(node))),
        _ => (Op::Compact, None),
    };
    let place = random.usize(..=ops.len());
    ops.insert(place, fault);
    if random.bool() {
        ops.insert(place + 1, Op::Run(random.u32(10..8_000)));
    }
    if let Some(end) = end {
        let after = random.usize(place + 1..=(place + 8).min(ops.len()));
        ops.insert(after, end);
    }
}

/// Returns the workload of a list of steps, with time for each change: the steps of the run without faults.
pub(crate) fn calm(ops: &[Op]) -> Vec<Op> {
    let users = ops.iter().filter(|op| op.is_users());
    users.flat_map(|op| [*op, Op::Run(3_000)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_have_names() {
        let mut plans = Plan::targeted(3, 2);
        assert_eq!(plans.len(), 5 * Plan::PER_WRITE as usize);
        plans.extend([Plan::Calm, Plan::Random(0), Plan::Random(u64::MAX)]);
        for plan in plans {
            assert_eq!(plan.to_string().parse(), Ok(plan));
        }
        assert!("kill-sometimes".parse::<Plan>().is_err());
    }

    #[test]
    fn a_seed_has_one_history_with_faults_and_a_workload() {
        let shape = Shape { replicas: 2, states: vec![2, 3], script: None };
        for seed in 0..200 {
            let ops = Plan::Random(seed).ops(&shape);
            assert_eq!(ops, Plan::Random(seed).ops(&shape));
            assert!(
                ops.iter().any(|op| op.is_fault()) && ops.iter().any(|op| op.is_users()),
                "{seed}: {ops:?}"
            );
        }
        assert_ne!(Plan::Random(1).ops(&shape), Plan::Random(1 + SCRIPTS).ops(&shape));
    }

    #[test]
    fn faults_also_happen_while_the_controller_cleans_up() {
        let shape = Shape { replicas: 1, states: vec![2], script: None };
        let after = |ops: &[Op]| {
            let place = ops.iter().position(|op| *op == Op::DeleteAll).unwrap_or(ops.len());
            assert!(ops[place..].iter().all(|op| !op.is_users()), "{ops:?}");
            ops[place..].iter().filter(|op| op.is_fault()).count()
        };
        let plan: Plan = "deletion-kill-after-2".parse().unwrap();
        let ops = plan.ops(&shape);
        assert_eq!((after(&ops), ops.iter().filter(|op| op.is_fault()).count()), (1, 1));
        let random: usize = (0..100).map(|seed| after(&Plan::Random(seed).ops(&shape))).sum();
        assert!((20..200).contains(&random), "{random}");
        let faults = |seed| Plan::Random(seed).ops(&shape).iter().filter(|op| op.is_fault()).count();
        assert!((0..100).all(|seed| (1..=4).contains(&faults(seed))));
        assert!((0..100).all(|seed| (4..=9).contains(&faults(LONG + seed))));
    }

    #[test]
    fn simpler_steps_come_in_their_order() {
        assert_eq!(Op::Put(1, 9).simpler(), [Op::Put(1, 0), Op::Put(1, 4), Op::Put(1, 8)]);
        assert_eq!(Op::Put(1, 1).simpler(), [Op::Put(1, 0)]);
        assert!(Op::Put(1, 0).simpler().is_empty() && Op::Kill(0).simpler().is_empty());
    }

    #[test]
    fn a_run_without_faults_has_the_same_changes() {
        let shape = Shape { replicas: 1, states: vec![2], script: None };
        let ops = Plan::Random(3).ops(&shape);
        let users = |ops: &[Op]| ops.iter().copied().filter(|op| op.is_users()).collect::<Vec<_>>();
        assert_eq!(users(&ops), users(&calm(&ops)));
        assert!(!calm(&ops).iter().any(|op| op.is_fault()));
    }
}
