//! All histories of a small world up to a depth. A state that was seen before is not continued.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use client_rs_cache::sim::Wants;

use super::Informers;
use super::op::{Op, Setup};
use super::world::World;
use crate::check::Violation;
use crate::content::content;
use crate::history::Fault;
use crate::subject::{Case, Run, base};

/// The result of a search.
#[derive(Debug, Default)]
pub struct Search {
    /// The number of different states.
    pub states: u64,
    /// The number of histories.
    pub histories: u64,
    /// A history that breaks a rule.
    pub failed: Option<(Case<Setup, Op>, Violation)>,
}

/// Searches all histories up to a depth, of informers with and without streamed lists, with and without a limit.
pub fn search(depth: usize) -> Search {
    let mut search = Search::default();
    for watch_list in [false, true] {
        for limit in [0, 2] {
            let setup = Setup {
                watch_list,
                page_size: u8::from(!watch_list),
                resync: 0,
                selected: true,
                watch_cache: true,
                limit,
                pace: 1,
                keys: 2,
                restores: false,
                readable_end: false,
                seed: 1,
            };
            search_setup(setup, depth, &mut search);
            if search.failed.is_some() {
                return search;
            }
        }
    }
    search
}

fn search_setup(setup: Setup, depth: usize, search: &mut Search) {
    let mut seen = HashSet::new();
    let mut run = Run::default();
    let mut frontier: Vec<Vec<Op>> = vec![Vec::new()];
    for _ in 0..depth {
        let mut next = Vec::new();
        for ops in frontier {
            let mut world = rebuild(setup, &ops, &mut run);
            let possible = possible(&mut world);
            run.history = world.into_history();
            for op in possible {
                let mut longer = ops.clone();
                longer.push(op);
                let world = rebuild(setup, &longer, &mut run);
                let is_new = seen.insert(fingerprint(&world));
                run.history = world.into_history();
                search.histories += 1;
                if !is_new {
                    continue;
                }
                search.states += 1;
                if let Err(violation) = run.case::<Informers>(setup, &longer) {
                    search.failed = Some((Case { setup, ops: longer }, violation));
                    return;
                }
                next.push(longer);
            }
        }
        frontier = next;
    }
}

fn rebuild(setup: Setup, ops: &[Op], run: &mut Run) -> World {
    let mut world = World::new(setup, base(), std::mem::take(&mut run.history));
    for op in ops {
        world.apply(*op);
    }
    world
}

/// The steps of a small world: two objects, two contents, one server at a time, and few faults.
fn possible(world: &mut World) -> Vec<Op> {
    let mut ops =
        vec![Op::Write(0, content(true, 0, true, false)), Op::Write(0, content(false, 1, true, false))];
    ops.extend([Op::Write(1, content(true, 1, false, false)), Op::Delete(0), Op::CatchUp(0), Op::Evict(0)]);
    match world.informer.wants() {
        Wants::List(_) | Wants::Watch(_) => {
            ops.extend([
                Op::Answer,
                Op::Fail(Fault::Expired),
                Op::Fail(Fault::Cut),
                Op::Fail(Fault::Refused),
            ]);
        }
        Wants::Event => {
            ops.extend([Op::Deliver, Op::Bookmark, Op::Cut(Fault::Cut), Op::Close(Fault::Expired)]);
        }
        Wants::Time => ops.push(Op::Tick),
    }
    ops.extend([Op::Process, Op::Take(0), Op::Take(1), Op::Take(2), Op::Work]);
    ops.retain(|op| *op != Op::Process || world.informer.can_process());
    ops
}

/// Everything that later steps and checkers depend on.
fn fingerprint(world: &World) -> u64 {
    let mut text = String::new();
    let _ = world.informer.fingerprint(&mut text);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:?}{:?}{:?}", world.server, world.watcher, world.queue).hash(&mut hasher);
    world.known.hash(&mut hasher);
    for key in 0..2 {
        world.stored(key).hash(&mut hasher);
    }
    (world.route, world.now).hash(&mut hasher);
    hasher.finish()
}
