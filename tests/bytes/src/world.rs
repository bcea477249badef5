//! Performs a plan.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use client_rs_simulation::os;
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::check::{self, Violation};
use crate::client::{Client, Door, Network};
use crate::history::{Entry, Fact, Outcome, Recorder};
use crate::plan::{Call, Op, Plan, Reader, Verb, error};
use crate::server::{End, Server};

/// The time in which requests end, after the last fault.
const PATIENCE: Duration = Duration::from_secs(400);
/// The number of requests that must succeed, some time after the last fault.
const PROBES: usize = 4;
/// Longer than an idle connection lives.
const IDLE: Duration = Duration::from_secs(200);

/// A history and its verdict.
#[derive(Debug)]
pub struct Made {
    /// The plan.
    pub plan: Plan,
    /// The history.
    pub history: Vec<Entry>,
    /// The first rule that it breaks.
    pub outcome: Result<(), Violation>,
}

/// Performs a plan, and checks its history. Takes over the clock and the random numbers of this process.
pub fn perform(plan: Plan) -> Result<Made> {
    os::take_over(plan.setup.seed);
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let history = runtime.block_on(run(&plan))?;
    let outcome = check::all(&history);
    Ok(Made { plan, history, outcome })
}

async fn run(plan: &Plan) -> Result<Vec<Entry>> {
    let recorder = Recorder::new();
    let server = Server::new(plan.setup, &recorder);
    let network = Arc::new(Network::new(server.clone(), plan.setup, &recorder));
    let client = Client::new(&network, plan.setup, &recorder)?;
    let mut world = World {
        recorder,
        server,
        network,
        client,
        requests: JoinSet::new(),
        watches: JoinSet::new(),
        next: 0,
    };
    for op in &plan.ops {
        world.apply(op).await;
        world.gauge();
    }
    world.finish().await
}

struct World {
    recorder: Recorder,
    server: Server,
    network: Arc<Network>,
    client: Client,
    requests: JoinSet<Outcome>,
    watches: JoinSet<()>,
    next: u32,
}

impl World {
    async fn apply(&mut self, op: &Op) {
        match op {
            Op::Run(millis) => tokio::time::sleep(Duration::from_millis((*millis).into())).await,
            Op::Request(call) => {
                let id = self.id();
                self.server.expect(id, call.clone());
                self.requests.spawn(self.client.clone().request(id, call.clone()));
            }
            Op::Watch => {
                let id = self.id();
                self.watches.spawn(self.client.clone().watch(id));
            }
            Op::Cut { connection, toward, after, reset } => {
                if let Some((wire, _)) = self.network.wire(*connection) {
                    wire.cut_after(*toward, *after, *reset);
                }
            }
            Op::Stall { connection, toward } => {
                if let Some((wire, _)) = self.network.wire(*connection) {
                    wire.stall(*toward);
                }
            }
            Op::Trickle { connection, toward, bytes, pause } => {
                if let Some((wire, _)) = self.network.wire(*connection) {
                    wire.trickle(*toward, *bytes, *pause);
                }
            }
            Op::Heal => {
                self.network.heal(false);
                self.recorder.record(Fact::Heal);
            }
            Op::GoAway(connection) => self.end(*connection, End::Graceful),
            Op::Abort(connection, place) => self.end(*connection, End::Abrupt(error(*place))),
            Op::Refuse => self.door(Door::Refuses),
            Op::Mute => self.door(Door::Mute),
        }
        // Tasks that have begun run up to their first wait.
        tokio::task::yield_now().await;
    }

    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn end(&self, connection: u8, end: End) {
        let Some((wire, ends)) = self.network.wire(connection) else { return };
        let connection = wire.number;
        self.recorder.record(match end {
            End::Graceful => Fact::GoAway { connection },
            End::Abrupt(reason) => Fact::Abort { connection, error: format!("{reason:?}") },
        });
        // The server may have ended it already.
        let _ = ends.send(end);
    }

    fn door(&self, door: Door) {
        self.network.set_door(door);
        self.recorder.record(Fact::Door { refused: door == Door::Refuses });
    }

    fn gauge(&self) {
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.recorder.record(Fact::Gauge {
            pooled: count(self.client.pooled()),
            open: count(self.network.open()),
            active: count(self.client.active()),
        });
    }

    /// Sends a request that must succeed soon.
    async fn probe(&mut self) {
        let id = self.id();
        let call = Call {
            verb: Verb::Get,
            rest: true,
            upload: 0,
            streamed: false,
            download: 1_000,
            reader: Reader::Eager,
            fates: Vec::new(),
        };
        self.server.expect(id, call.clone());
        self.recorder.record(Fact::Probe { id });
        self.client.clone().request(id, call).await;
    }

    /// Ends all faults, and waits until nothing is left.
    async fn finish(mut self) -> Result<Vec<Entry>> {
        self.network.heal(true);
        self.recorder.record(Fact::Over);
        // Requests go on while the client finds out which connections are dead.
        let recovered = Instant::now() + Duration::from_millis(check::RECOVERY);
        while Instant::now() < recovered {
            self.probe().await;
            tokio::time::sleep(Duration::from_secs(10)).await;
        }
        for _ in 0..PROBES {
            self.probe().await;
        }
        // Those that are left are dropped, which the history shows.
        let all = async { while self.requests.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(PATIENCE, all).await;
        self.requests.shutdown().await;
        self.watches.shutdown().await;
        tokio::time::sleep(IDLE).await;
        self.recorder.record(Fact::Idle);
        self.gauge();
        let Self { recorder, network, client, .. } = self;
        drop(client);
        tokio::time::sleep(Duration::from_secs(10)).await;
        network.cut_all();
        tokio::time::sleep(Duration::from_secs(10)).await;
        let tasks = Handle::current().metrics().num_alive_tasks();
        recorder.record(Fact::Left { tasks: u32::try_from(tasks).unwrap_or(u32::MAX) });
        Ok(recorder.take())
    }
}
