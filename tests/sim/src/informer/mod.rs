//! Histories of one informer: reflector, queue, store, handlers and work queue, with a model of the control plane.

mod errors;
pub mod exhaustive;
pub mod generate;
mod handlers;
pub mod op;
mod requests;
mod settle;
mod workers;
pub mod world;

use fastrand::Rng;

use self::generate::Chooser;
use self::op::{Op, Setup};
use self::world::World;
use crate::check::{Checker, INFORMER};
use crate::schedule::Mode;
use crate::subject::{Run, Subject, base};

/// The histories of an informer.
#[derive(Debug)]
pub struct Informers;

impl Subject for Informers {
    const NAME: &'static str = "informer";
    const CHECKERS: &'static [Checker] = &INFORMER;
    const STEPS: usize = generate::STEPS;
    const FAULTS: usize = generate::FAULTS;
    type Setup = Setup;
    type Op = Op;

    fn generate(mut random: Rng, mode: Mode, ops: &mut Vec<Op>, run: &mut Run) -> Setup {
        let setup = generate::setup(&mut random);
        let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
        let mut chooser = Chooser::new(random, mode);
        while ops.len() < generate::STEPS || chooser.faults() < generate::FAULTS {
            let op = chooser.next(&mut world, ops.len());
            if world.apply(op) {
                chooser.performed(op);
                ops.push(op);
            }
        }
        finish(world, run);
        setup
    }

    fn replay(setup: Setup, ops: &[Op], run: &mut Run) {
        let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
        for op in ops {
            world.apply(*op);
        }
        finish(world, run);
    }

    fn is_fault(op: Op) -> bool {
        op.is_fault()
    }
}

fn finish(mut world: World, run: &mut Run) {
    world.settle();
    for transition in world.informer.transitions() {
        run.coverage.add(transition);
    }
    run.history = world.into_history();
}
