//! Priority and fairness: how many requests of each sort are served at once.
//!
//! Flow schemas sort requests into priority levels; a level has seats by its share of all, and refuses or queues what finds
//! none. Not as the real server does: levels lend each other nothing, a level has one queue in which all wait in order, and
//! every request takes one seat.

mod bootstrap;
mod schema;
mod seats;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_machinery::{Json, Str};

use crate::access::Attributes;
use crate::registry::{ListRequest, Registry, Selection, Stored};
use crate::request::User;
pub(crate) use bootstrap::create as create_bootstrap_flows;
use schema::Schema;
pub(crate) use seats::Seat;
use seats::{Seats, Taken};

const GROUP: &str = "flowcontrol.apiserver.k8s.io";
/// All seats: what the real server serves at once by default.
const SEATS: i64 = 600;
/// The longest that a request waits for a seat.
const PATIENCE: Duration = Duration::from_secs(15);

/// Gives out seats.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    seats: Arc<Seats>,
    plan: Mutex<Option<Arc<Plan>>>,
}

/// What the objects say, as they were at these revisions.
#[derive(Debug)]
struct Plan {
    revisions: (u64, u64),
    schemas: Vec<Schema>,
    levels: HashMap<Str, Level>,
}

#[derive(Debug)]
struct Level {
    uid: String,
    /// `None` for one that is exempt.
    limit: Option<usize>,
    /// How many may wait.
    queue: usize,
}

/// A request that may be served.
#[derive(Debug, Default)]
pub(crate) struct Ticket {
    /// Given back when the answer is over; `None` for a request that needs none.
    pub(crate) seat: Option<Seat>,
    /// The UIDs of the schema and of the level that it was sorted into.
    pub(crate) sorted: Option<(String, String)>,
}

/// A request that found no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

impl Flow {
    /// Waits for a request's turn.
    pub(crate) async fn admit(
        &self,
        registry: &Registry,
        user: &User,
        asked: &Attributes,
    ) -> Result<Ticket, Refused> {
        let plan = self.plan(registry);
        let Some(schema) = plan.schemas.iter().find(|schema| schema.matches(user, asked)) else {
            return Ok(Ticket::default());
        };
        let Some(level) = plan.levels.get(&schema.level) else { return Ok(Ticket::default()) };
        let sorted = Some((schema.uid.clone(), level.uid.clone()));
        let Some(limit) = level.limit else { return Ok(Ticket { seat: None, sorted }) };
        let seat = match self.seats.take(&schema.level, limit, level.queue) {
            Taken::Seat(seat) => seat,
            Taken::Refused => return Err(Refused),
            Taken::Queued(turn) => match tokio::time::timeout(PATIENCE, turn).await {
                Ok(Ok(seat)) => seat,
                _ => return Err(Refused),
            },
        };
        Ok(Ticket { seat: Some(seat), sorted })
    }

    /// What the objects say now.
    fn plan(&self, registry: &Registry) -> Arc<Plan> {
        let revisions =
            (registry.latest(GROUP, "flowschemas"), registry.latest(GROUP, "prioritylevelconfigurations"));
        let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        match &*plan {
            Some(known) if known.revisions == revisions => Arc::clone(known),
            _ => Arc::clone(plan.insert(Arc::new(Plan::read(registry, revisions)))),
        }
    }
}

impl Plan {
    fn read(registry: &Registry, revisions: (u64, u64)) -> Self {
        let mut schemas: Vec<Schema> =
            objects(registry, "flowschemas").iter().map(|stored| Schema::read(&stored.object)).collect();
        schemas.sort_by(|a, b| (a.precedence, &a.name).cmp(&(b.precedence, &b.name)));
        let levels = objects(registry, "prioritylevelconfigurations");
        let share = |stored: &Stored| {
            let spec = stored.object.object.get("spec")?;
            (spec["type"].as_str() == Some("Limited"))
                .then(|| spec["limited"]["nominalConcurrencyShares"].as_i64().unwrap_or(30))
        };
        let all: i64 = levels.iter().filter_map(|stored| share(stored)).sum();
        let levels = levels
            .iter()
            .map(|stored| {
                let spec = stored.object.object.get("spec").cloned().unwrap_or_default();
                let limit = share(stored).map(|share| seats_of(share, all));
                let level = Level { uid: stored.object.uid().to_owned(), limit, queue: queue(&spec) };
                (stored.object.name().into(), level)
            })
            .collect();
        Self { revisions, schemas, levels }
    }
}

/// The seats of a share, rounded up; one request is always served.
fn seats_of(share: i64, all: i64) -> usize {
    let seats = if all > 0 { SEATS.saturating_mul(share).saturating_add(all - 1) / all } else { 0 };
    usize::try_from(seats.max(1)).unwrap_or(1)
}

fn queue(spec: &Json) -> usize {
    let response = &spec["limited"]["limitResponse"];
    if response["type"].as_str() != Some("Queue") {
        return 0;
    }
    let of = |field: &str, default: i64| response["queuing"][field].as_i64().unwrap_or(default);
    usize::try_from(of("queues", 64).saturating_mul(of("queueLengthLimit", 50))).unwrap_or(0)
}

fn objects(registry: &Registry, plural: &str) -> Vec<Arc<Stored>> {
    let Some(served) = registry.catalog().find(GROUP, "v1", plural) else { return Vec::new() };
    let everything = Selection::default();
    registry.list(&served, &ListRequest::all("", &everything)).map(|list| list.items).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_part_of_all_seats_and_never_nothing() {
        assert_eq!(seats_of(20, 245), 49);
        assert_eq!(seats_of(0, 245), 1);
        assert_eq!(seats_of(0, 0), 1);
        assert_eq!(seats_of(i64::MAX, 1), usize::try_from(i64::MAX).unwrap());
    }
}
