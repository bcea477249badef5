//! Histories of sharding: three replicas, the Leases of their shards and of themselves, and the writes of their work.

pub mod op;
pub mod replica;
mod server;
mod shell;
pub mod world;

use fastrand::Rng;

use self::op::{Op, Setup};
use self::world::{NODES, World};
use crate::check::{Checker, SHARDING};
use crate::schedule::Mode;
use crate::subject::{Run, Subject, base};

/// The histories of sharding.
#[derive(Debug)]
pub struct Sharding;

impl Subject for Sharding {
    const NAME: &'static str = "sharding";
    const CHECKERS: &'static [Checker] = &SHARDING;
    const STEPS: usize = 160;
    const FAULTS: usize = 3;
    const SHARE: u64 = 60;
    type Setup = Setup;
    type Op = Op;

    fn generate(mut random: Rng, mode: Mode, ops: &mut Vec<Op>, run: &mut Run) -> Setup {
        let rate = |random: &mut Rng| random.u8(82..=122);
        let setup = Setup {
            rates: [rate(&mut random), rate(&mut random), rate(&mut random)],
            kills: random.bool(),
            odd: random.u8(..4) == 0,
            seed: random.u64(..),
        };
        let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
        let mut faults = 0;
        // One replica is slow for a while.
        let mut slow = random.u8(..NODES);
        while ops.len() < Self::STEPS || faults < Self::FAULTS {
            if random.usize(..Self::STEPS) < 2 {
                slow = random.u8(..NODES);
            }
            let op = choose(&world, &mut random, (mode == Mode::Pct).then_some(slow));
            if world.apply(op) {
                faults += usize::from(op.is_fault());
                ops.push(op);
            }
        }
        world.settle();
        run.history = world.into_history();
        setup
    }

    fn replay(setup: Setup, ops: &[Op], run: &mut Run) {
        let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
        for op in ops {
            world.apply(*op);
        }
        world.settle();
        run.history = world.into_history();
    }

    fn is_fault(op: Op) -> bool {
        op.is_fault()
    }
}

fn choose(world: &World, random: &mut Rng, slow: Option<u8>) -> Op {
    let (node, shard) = (random.u8(..NODES), random.u8(..3));
    let place = random.u8(..);
    let message = world.messages.get(usize::from(place) % world.messages.len().max(1));
    if let Some(message) = message
        && (slow != Some(message.node) || random.u8(..16) == 0)
    {
        match random.u8(..32) {
            0 => return Op::Lose(place),
            1 => return Op::Duplicate(place),
            2 => return Op::Refuse(place),
            3..15 if message.is_response() => return Op::Answer(place),
            3..15 => return Op::Arrive(place),
            _ => {}
        }
    }
    match random.u8(..48) {
        0..6 => Op::Next,
        6..10 if world.is_due(node) => Op::Tick(node),
        6..8 => Op::Wait(random.u16(1..4_000)),
        8 => Op::Wait(random.u16(4_000..20_000)),
        9 | 10 => Op::Calm(random.u16(1..2_000)),
        11 => Op::Calm(random.u16(1_000..20_000)),
        12 | 13 if world.is_paused(node) => Op::Resume(node),
        12 => Op::Pause(node),
        14 => Op::Kill(node),
        15 => Op::Stop(node),
        16 => Op::Delete(shard),
        17 => Op::DeleteMember(node),
        18..28 => Op::Claim(node, shard),
        28..33 => Op::Done(node, shard),
        _ => Op::Write(node, shard),
    }
}
