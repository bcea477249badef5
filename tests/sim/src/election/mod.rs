//! Histories of an election: three candidates, a Lease, and the writes of their work.

pub mod op;
pub mod world;

use fastrand::Rng;

use self::op::{Op, Setup};
use self::world::{NODES, World};
use crate::check::{Checker, ELECTION};
use crate::schedule::Mode;
use crate::subject::{Run, Subject, base};

/// The histories of an election.
#[derive(Debug)]
pub struct Elections;

impl Subject for Elections {
    const NAME: &'static str = "election";
    const CHECKERS: &'static [Checker] = &ELECTION;
    const STEPS: usize = 160;
    const FAULTS: usize = 3;
    type Setup = Setup;
    type Op = Op;

    fn generate(mut random: Rng, mode: Mode, ops: &mut Vec<Op>, run: &mut Run) -> Setup {
        let rate = |random: &mut Rng| random.u8(82..=122);
        let setup = Setup {
            rates: [rate(&mut random), rate(&mut random), rate(&mut random)],
            kills: random.bool(),
            edits: random.u8(..8) == 0,
            late: random.u8(..4) == 0,
            seed: random.u64(..),
        };
        let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
        let mut faults = 0;
        // One candidate is slow for a while: priorities of processes, which change at a few places.
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
    let node = random.u8(..NODES);
    let place = random.u8(..);
    let message = world.messages.get(usize::from(place) % world.messages.len().max(1));
    if let Some(message) = message
        && (slow != Some(message.node()) || random.u8(..16) == 0)
        && !(world.setup.late && message.creates() && random.u8(..32) != 0)
    {
        match random.u8(..24) {
            0 => return Op::Lose(place),
            1 => return Op::Duplicate(place),
            2 => return Op::Refuse(place),
            3..14 if message.is_response() => return Op::Answer(place),
            3..14 => return Op::Arrive(place),
            _ => {}
        }
    }
    match random.u8(..32) {
        10..18 => Op::Next,
        18..22 if world.is_due(node) => Op::Tick(node),
        18..24 => Op::Wait(random.u16(1..3_000)),
        24 => Op::Wait(random.u16(3_000..16_000)),
        25 if random.bool() => Op::End(node),
        25 => Op::Quit(node),
        26 | 27 if world.is_paused(node) => Op::Resume(node),
        26 => Op::Pause(node),
        28 => Op::Kill(node),
        29 if world.setup.edits => Op::Edit,
        29 => Op::Delete,
        _ => Op::Work(node),
    }
}
