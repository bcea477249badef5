//! The Leases of a group, and the messages between them and the replicas.

use std::collections::BTreeMap;
use std::time::Duration;

use client_rs_leaderelection::LeaderElectionRecord;
use client_rs_leaderelection::sharding::sim::{Found, Outcome, Step};
use client_rs_leaderelection::sim::{Failure, Input};

/// The name of a Lease. Those of shards come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Shard(u32),
    Member(String),
}

#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) version: u32,
    record: LeaderElectionRecord,
    count: u32,
}

/// A request on its way, or its response.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) node: u8,
    /// The request that it belongs to. Responses to others are ignored.
    pub(super) id: u32,
    /// When the request was sent. A server gives up a request after a minute.
    pub(super) sent: Duration,
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A read, a creation, or an update of a version.
    Get(Name),
    Create(Name, LeaderElectionRecord, u32),
    Update(Name, LeaderElectionRecord, u32, u32),
    List,
    /// The deletion of a Lease, only at this version if it is given.
    Delete(Name, Option<u32>),
    Response(Response),
}

#[derive(Clone, Debug)]
pub(super) enum Response {
    /// For an election, with the version that its lock knows from then on.
    Shard(u32, Input, Option<u32>),
    /// For an announcement.
    Member(Outcome, Option<u32>),
    Listed(Option<Vec<Found>>),
    Deleted,
}

impl Message {
    pub(super) fn is_response(&self) -> bool {
        matches!(self.content, Content::Response(_))
    }
}

/// The result of a request for one Lease.
enum Outcomes {
    Read(Option<(LeaderElectionRecord, u32)>),
    Written(u32),
    Conflict,
    Missing,
    Failed,
}

/// The storage.
#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) leases: BTreeMap<Name, Lease>,
    versions: u32,
}

impl Server {
    /// Carries out a request. Returns the response.
    pub(super) fn answer(&mut self, request: Content) -> Response {
        match request {
            Content::Get(name) => {
                let read = self.leases.get(&name).map(|lease| (lease.record.clone(), lease.version));
                respond(&name, Step::Get, Outcomes::Read(read))
            }
            Content::Create(name, record, count) => {
                let outcome = if self.leases.contains_key(&name) {
                    Outcomes::Conflict
                } else {
                    self.store(name.clone(), record, count)
                };
                respond(&name, Step::Create, outcome)
            }
            Content::Update(name, record, count, version) => {
                let outcome = match self.leases.get(&name).map(|lease| lease.version) {
                    // The UID of an object that was deleted is a precondition that fails, as on kube-apiserver.
                    None if version % 2 == 0 => Outcomes::Conflict,
                    None => Outcomes::Missing,
                    Some(stored) if stored != version => Outcomes::Conflict,
                    Some(_) => self.store(name.clone(), record, count),
                };
                respond(&name, Step::Update, outcome)
            }
            Content::List => {
                let found = self.leases.iter().map(|(name, lease)| Found {
                    shard: match name {
                        Name::Shard(shard) => Some(*shard),
                        Name::Member(_) => None,
                    },
                    record: lease.record.clone(),
                    count: Some(lease.count),
                });
                Response::Listed(Some(found.collect()))
            }
            Content::Delete(name, version) => {
                if version.is_none_or(|version| {
                    self.leases.get(&name).is_some_and(|lease| lease.version == version)
                }) {
                    self.leases.remove(&name);
                }
                Response::Deleted
            }
            Content::Response(response) => response,
        }
    }

    fn store(&mut self, name: Name, record: LeaderElectionRecord, count: u32) -> Outcomes {
        self.versions += 1;
        let version = self.versions;
        self.leases.insert(name, Lease { version, record, count });
        Outcomes::Written(version)
    }
}

/// Returns the response to a request that fails without effect.
pub(super) fn refusal(request: &Content) -> Option<Response> {
    Some(match request {
        Content::Get(name) => respond(name, Step::Get, Outcomes::Failed),
        Content::Create(name, ..) => respond(name, Step::Create, Outcomes::Failed),
        Content::Update(name, ..) => respond(name, Step::Update, Outcomes::Failed),
        Content::List => Response::Listed(None),
        Content::Delete(..) => Response::Deleted,
        Content::Response(_) => return None,
    })
}

fn respond(name: &Name, step: Step, outcome: Outcomes) -> Response {
    match name {
        Name::Shard(shard) => {
            let (input, version) = match (outcome, step) {
                (Outcomes::Read(Some((record, version))), _) => (Input::Got(Ok(Some(record))), Some(version)),
                (Outcomes::Read(None), _) => (Input::Got(Ok(None)), None),
                (Outcomes::Written(version), _) => (Input::Wrote(Ok(())), Some(version)),
                (Outcomes::Conflict, _) => (Input::Wrote(Err(Failure::Conflict)), None),
                (_, Step::Get) => (Input::Got(Err(Failure::Other)), None),
                _ => (Input::Wrote(Err(Failure::Other)), None),
            };
            Response::Shard(*shard, input, version)
        }
        Name::Member(_) => match outcome {
            Outcomes::Read(Some((_, version))) | Outcomes::Written(version) => {
                Response::Member(Outcome::Done, Some(version))
            }
            Outcomes::Read(None) | Outcomes::Missing => Response::Member(Outcome::Missing, None),
            Outcomes::Conflict => Response::Member(Outcome::Conflict, None),
            Outcomes::Failed => Response::Member(Outcome::Failed, None),
        },
    }
}
