//! The steps of a history of whole replicas, as data.

use fastrand::Rng;
use serde::{Deserialize, Serialize};

/// The fewest steps of a history.
pub const STEPS: usize = 60;
/// The fewest faults of a history.
pub const FAULTS: usize = 6;
/// The number of config maps.
pub const KEYS: u8 = 6;

/// A history before it happens. A list of steps without some of them is a list of steps too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The setup.
    pub setup: Setup,
    /// The steps.
    pub ops: Vec<Op>,
}

/// One step. A step that is not possible in the current state does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Everything runs for this many milliseconds.
    Run(u16),
    /// A user creates or changes an object.
    Put(u8, u8),
    /// A user deletes an object.
    Delete(u8),
    /// A user deletes the object that a controller has made.
    DeleteChild(u8),
    /// A user creates or changes a custom object that the controller watches.
    PutWidget(u8, u8),
    /// A user deletes a custom object.
    DeleteWidget(u8),
    /// A process is killed, with all of its tasks, and another takes its place.
    Kill(u8),
    /// The same, and the new process lists from a watch cache that is this many changes behind.
    Behind(u8, u8),
    /// A process ends in order, and another takes its place when it has ended.
    Stop(u8),
    /// A process is paused.
    Pause(u8),
    /// A process continues.
    Resume(u8),
    /// The wall clock of a process jumps: from now on it is this many seconds ahead, or behind.
    Jump(u8, i32),
    /// The next run of a process is dropped when it is polled for this many times.
    Cancel(u8, u8),
    /// The next write of a process is dropped when it is polled for this many times, and its run continues with an error: as with a
    /// timeout of the user's own.
    CancelWrite(u8, u8),
    /// Connections of a process to the servers are refused.
    Refuse(u8),
    /// The name of the servers can't be resolved by a process.
    Unresolve(u8),
    /// Requests of a process do not arrive.
    LoseRequests(u8),
    /// Responses to a process do not arrive.
    LoseResponses(u8),
    /// Each request of a process, and each response, takes up to this many times 100 ms longer.
    Slow(u8, u8),
    /// Requests of a process get an error of this kind.
    Storm(u8, u8),
    /// The network of a process works again.
    Heal(u8),
    /// Open responses to a process end with an error.
    Cut(u8),
    /// The next part of a response to a process ends at a random byte.
    CutInside(u8),
    /// Open responses to a process are silent from now on.
    Hang(u8),
    /// The next response to a process has no body for a long time.
    HangNext(u8),
    /// Events reach a process this many times 100 ms late.
    Lag(u8, u8),
    /// New requests of a process go to this server.
    Route(u8, u8),
    /// The servers drop their history.
    Compact,
    /// A server ends its watches in good order, as one that shuts down.
    DropWatches(u8),
    /// The next request of a process is carried out, and its response is lost.
    LoseNext(u8),
    /// A user deletes the namespace with all objects in it.
    DeleteNamespace,
    /// A user creates the namespace again, if it is gone.
    CreateNamespace,
    /// A user deletes the definition of the custom objects, and with it all of them.
    RemoveDefinition,
    /// A user creates the definition again, if it is gone.
    AddDefinition,
    /// The replicas lose their permissions.
    Forbid,
    /// The replicas have their permissions again.
    Permit,
    /// There is a new token. The old ones stay valid.
    Rotate,
    /// There is a new token, and the old ones are invalid.
    Expire,
    /// Nobody can get a token.
    HideTokens,
    /// Everybody can get a token again.
    ShowTokens,
}

impl Op {
    /// Returns whether the step is a fault.
    pub fn is_fault(self) -> bool {
        !matches!(
            self,
            Self::Run(_)
                | Self::Put(..)
                | Self::Delete(_)
                | Self::DeleteChild(_)
                | Self::PutWidget(..)
                | Self::DeleteWidget(_)
                | Self::Stop(_)
                | Self::Resume(_)
                | Self::Heal(_)
                | Self::Route(..)
                | Self::CreateNamespace
                | Self::AddDefinition
                | Self::Permit
                | Self::Rotate
                | Self::ShowTokens
        )
    }

    /// Returns the name of a fault, for counts.
    pub fn name(self) -> String {
        let text = format!("{self:?}");
        text.split('(').next().unwrap_or_default().to_owned()
    }
}

/// The setup of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The number of replicas, from 1 to 4.
    pub replicas: u8,
    /// Whether one replica leads; otherwise they share the keys.
    pub elected: bool,
    /// The seed of everything else.
    pub seed: u64,
}

impl Plan {
    /// Makes the plan of a seed.
    pub fn of_seed(seed: u64) -> Self {
        // Neighbouring seeds have nothing in common.
        let mut random = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        let setup = Setup { replicas: random.u8(1..=4), elected: random.u8(..3) == 0, seed: random.u64(..) };
        let (mut ops, mut faults) = (Vec::new(), 0);
        while ops.len() < STEPS || faults < FAULTS {
            let op = choose(&mut random, setup.replicas);
            faults += usize::from(op.is_fault());
            ops.push(op);
        }
        Self { setup, ops }
    }
}

fn choose(random: &mut Rng, replicas: u8) -> Op {
    let (node, key) = (random.u8(..replicas), random.u8(..KEYS));
    match random.u8(..100) {
        0..18 => Op::Run(random.u16(10..1_000)),
        18..26 => Op::Run(random.u16(1_000..8_000)),
        26..28 => Op::Run(random.u16(8_000..20_000)),
        28..39 => Op::Put(key, random.u8(..20)),
        39..41 => Op::Delete(key),
        41 => Op::DeleteChild(key),
        42..46 => Op::PutWidget(key, random.u8(..20)),
        46 => Op::DeleteWidget(key),
        47 => Op::Kill(node),
        48 => Op::Behind(node, random.u8(1..12)),
        49 => Op::Stop(node),
        50..52 => Op::Pause(node),
        52..56 => Op::Resume(node),
        56 => Op::Jump(node, random.i32(-100_000..100_000)),
        57..59 => Op::Cancel(node, random.u8(..12)),
        59 => Op::CancelWrite(node, random.u8(..8)),
        60 => Op::Refuse(node),
        61 => Op::Unresolve(node),
        62 => Op::LoseRequests(node),
        63 => Op::LoseResponses(node),
        64 => Op::Slow(node, random.u8(1..120)),
        65 => Op::Storm(node, random.u8(..8)),
        66..72 => Op::Heal(node),
        72 => Op::Cut(node),
        73 => Op::CutInside(node),
        74 => Op::Hang(node),
        75 => Op::HangNext(node),
        76..78 => Op::Lag(node, random.u8(..40)),
        78..80 => Op::Route(node, random.u8(..2)),
        80 => Op::Compact,
        81 => Op::DropWatches(random.u8(..2)),
        82..84 => Op::LoseNext(node),
        84 => Op::DeleteNamespace,
        85..88 => Op::CreateNamespace,
        88 => Op::RemoveDefinition,
        89..91 => Op::AddDefinition,
        91 => Op::Forbid,
        92..94 => Op::Permit,
        94 => Op::Rotate,
        95 => Op::Expire,
        96 => Op::HideTokens,
        97..99 => Op::ShowTokens,
        _ => Op::Run(random.u16(20_000..60_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_enough_steps_and_faults_and_is_data() {
        for seed in 0..100 {
            let plan = Plan::of_seed(seed);
            assert!(plan.ops.len() >= STEPS);
            assert!(plan.ops.iter().filter(|op| op.is_fault()).count() >= FAULTS);
            let text = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
        }
        assert_ne!(Plan::of_seed(1).ops, Plan::of_seed(2).ops);
        assert_eq!(Op::Storm(1, 2).name(), "Storm");
    }
}
