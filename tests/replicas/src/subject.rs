//! Histories of whole replicas, as a subject of the simulation.

use anyhow::Result;
use client_rs_sim::check::{REPLICAS, Violation, all};
use client_rs_sim::history::History;
use client_rs_simulation::os;
use fastrand::Rng;

use crate::op::{Op, Setup};
use crate::world::{KEYS, World};

/// The fewest steps of a history.
pub const STEPS: usize = 60;
/// The fewest faults of a history.
pub const FAULTS: usize = 3;

/// A history with the steps that made it.
#[derive(Debug)]
pub struct Made {
    /// The steps.
    pub ops: Vec<Op>,
    /// The history.
    pub history: History,
    /// The first broken rule.
    pub outcome: Result<(), Violation>,
}

/// Makes the history of a seed. It takes over the clock and the random numbers of the process, so it can be called once.
pub fn make(seed: u64) -> Result<Made> {
    // Neighbouring seeds have nothing in common.
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    os::take_over(mixed);
    // A thread takes the keys of its hash maps when it makes the first one. This thread may have made some.
    let made = std::thread::spawn(move || {
        fastrand::seed(mixed);
        history(mixed)
    });
    made.join().map_err(|_| anyhow::anyhow!("seed {seed}: the simulation panicked"))?
}

fn history(mixed: u64) -> Result<Made> {
    let mut random = Rng::with_seed(mixed);
    let setup = Setup { replicas: random.u8(1..=4), elected: random.u8(..3) == 0, seed: random.u64(..) };
    let mut world = World::new(setup)?;
    let (mut ops, mut faults) = (Vec::new(), 0);
    while ops.len() < STEPS || faults < FAULTS {
        let op = choose(&mut random, setup.replicas);
        if world.apply(op)? {
            faults += usize::from(op.is_fault());
            ops.push(op);
        }
    }
    world.settle()?;
    let history = world.into_history();
    let outcome = all(&REPLICAS, &history);
    Ok(Made { ops, history, outcome })
}

fn choose(random: &mut Rng, replicas: u8) -> Op {
    let (node, key) = (random.u8(..replicas), random.u8(..KEYS));
    match random.u8(..64) {
        0..14 => Op::Run(random.u16(10..1_000)),
        14..20 => Op::Run(random.u16(1_000..8_000)),
        20 => Op::Run(random.u16(8_000..20_000)),
        21..32 => Op::Put(key, random.u8(..20)),
        32..34 => Op::Delete(key),
        34 => Op::DeleteChild(key),
        35 => Op::Kill(node),
        36 => Op::Stop(node),
        37..39 => Op::Pause(node),
        39..43 => Op::Resume(node),
        43 => Op::Refuse(node),
        44 => Op::LoseRequests(node),
        45 => Op::LoseResponses(node),
        46 => Op::Storm(node, random.u8(..4)),
        47..53 => Op::Heal(node),
        53..55 => Op::Cut(node),
        55 => Op::Hang(node),
        56..58 => Op::Lag(node, random.u8(..40)),
        58..60 => Op::Route(node, random.u8(..2)),
        60 => Op::Compact,
        _ => Op::LoseNext(node),
    }
}
