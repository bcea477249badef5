//! Histories of whole replicas, as a subject of the simulation.

use anyhow::Result;
use client_rs_sim::check::{REPLICAS, Violation, all};
use client_rs_sim::history::History;
use client_rs_simulation::os;

use crate::op::{Op, Plan};
use crate::world::World;

/// A history with the steps that made it.
#[derive(Debug)]
pub struct Made {
    /// The steps that were possible.
    pub ops: Vec<Op>,
    /// The history.
    pub history: History,
    /// The first broken rule.
    pub outcome: Result<(), Violation>,
}

/// Performs a plan. It takes over the clock and the random numbers of the process, so it can be called once.
pub fn perform(plan: Plan) -> Result<Made> {
    let seed = plan.setup.seed;
    os::take_over(seed);
    // A thread takes the keys of its hash maps when it makes the first one. This thread may have made some.
    let made = std::thread::spawn(move || {
        fastrand::seed(seed);
        history(&plan)
    });
    made.join().map_err(|_| anyhow::anyhow!("the simulation panicked"))?
}

fn history(plan: &Plan) -> Result<Made> {
    let mut world = World::new(plan.setup)?;
    let mut ops = Vec::new();
    for op in &plan.ops {
        if world.apply(*op)? {
            ops.push(*op);
        }
    }
    world.settle()?;
    let history = world.into_history();
    let outcome = all(&REPLICAS, &history);
    Ok(Made { ops, history, outcome })
}
