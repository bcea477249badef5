//! API priority and fairness: limits how many requests of each kind are served concurrently.
//!
//! Flow schemas assign requests to priority levels. A level has a number of seats in proportion to its shares. It
//! rejects or queues requests when no seat is free. This differs from the real server in three ways: levels do not
//! borrow seats from each other, each level has a single FIFO queue, and each request takes one seat.

mod bootstrap;
mod schema;
mod seats;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use client_rs_machinery::{Json, Str, collections::VecMap};
use http::HeaderValue;
use tokio::sync::watch::Receiver;

use crate::access::Attributes;
use crate::registry::{ListRequest, Registry, Selection, Stored};
use crate::request::User;
pub(crate) use bootstrap::create as create_bootstrap_flows;
use schema::Schema;
pub(crate) use seats::Seat;
use seats::{Seats, Taken};

const GROUP: &str = "flowcontrol.apiserver.k8s.io";
/// The total number of seats: the real server's default limit on concurrent requests.
const SEATS: i64 = 600;
/// The longest time that a request waits for a seat.
const PATIENCE: Duration = Duration::from_secs(15);

/// Assigns seats to requests.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    seats: Arc<Seats>,
    plan: Mutex<Option<Arc<Plan>>>,
    /// The revisions of the latest writes of flow schemas and priority levels.
    latest: OnceLock<(Receiver<u64>, Receiver<u64>)>,
}

/// The flow schemas and priority levels at these revisions.
#[derive(Debug)]
struct Plan {
    revisions: (u64, u64),
    schemas: Vec<Schema>,
    levels: HashMap<Str, Level>,
}

#[derive(Debug)]
struct Level {
    uid: HeaderValue,
    /// The number of seats; `None` for an exempt level.
    limit: Option<usize>,
    /// The number of requests that may wait.
    queue: usize,
}

/// The permission to serve a request.
#[derive(Debug, Default)]
pub(crate) struct Ticket {
    /// Released when the response ends; `None` for a request that needs no seat.
    pub(crate) seat: Option<Seat>,
    /// The UIDs of the flow schema and of the priority level of the request.
    pub(crate) sorted: Option<(HeaderValue, HeaderValue)>,
}

/// The error of a request that found no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

impl Flow {
    /// Sorts a request that needs no seat.
    pub(crate) fn sort(&self, registry: &Registry, user: &User, asked: &Attributes) -> Ticket {
        let plan = self.plan(registry);
        let sorted = plan
            .schemas
            .iter()
            .find(|schema| schema.matches(user, asked))
            .and_then(|schema| Some((schema.uid.clone(), plan.levels.get(&schema.level)?.uid.clone())));
        Ticket { seat: None, sorted }
    }

    /// Waits until the request may be served.
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

    /// The seats of each priority level, by name. An exempt level has none of its own.
    pub(crate) fn nominal_seats(&self, registry: &Registry) -> VecMap<Str, usize> {
        let plan = self.plan(registry);
        plan.levels.iter().map(|(name, level)| (name.clone(), level.limit.unwrap_or(0))).collect()
    }

    /// The current flow schemas and priority levels.
    fn plan(&self, registry: &Registry) -> Arc<Plan> {
        let latest = self.latest.get().or_else(|| {
            let of = |plural| registry.follow(GROUP, plural);
            let both = (of("flowschemas")?, of("prioritylevelconfigurations")?);
            Some(self.latest.get_or_init(|| both))
        });
        let revisions = latest.map_or((0, 0), |(schemas, levels)| (*schemas.borrow(), *levels.borrow()));
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
                let level = Level { uid: header(stored.object.uid()), limit, queue: queue(&spec) };
                (stored.object.name().into(), level)
            })
            .collect();
        Self { revisions, schemas, levels }
    }
}

/// A UID as the value of a header. It consists of letters and dashes.
fn header(uid: &str) -> HeaderValue {
    HeaderValue::from_str(uid).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The number of seats of a share, rounded up. It is at least one.
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
    fn a_share_has_at_least_one_seat() {
        assert_eq!(seats_of(20, 245), 49);
        assert_eq!(seats_of(0, 245), 1);
        assert_eq!(seats_of(0, 0), 1);
        assert_eq!(seats_of(i64::MAX, 1), usize::try_from(i64::MAX).unwrap());
    }
}
