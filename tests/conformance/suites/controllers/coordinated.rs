//! An election that the control plane decides.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_api::coordination::v1::{Lease, LeaseSpec};
use client_rs_api::coordination::v1beta1;
use client_rs_apiserver::{ServerOptions, StorageOptions};
use client_rs_client::{Api, RestClient};
use client_rs_leaderelection::{
    CandidateOptions, FencingToken, LeaderElector, LeaseCandidate, LeaseLock, LeaseLockOptions, Loss,
};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{MicroTime, Object, Str};
use client_rs_tests::{Backend, Cluster, Stage, eventually};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

const LEASE: &str = "coordinated";
const STRATEGY: &str = "OldestEmulationVersion";

/// The events of the scenario, in order.
#[derive(Clone, Debug, PartialEq)]
enum Happened {
    Leads(FencingToken),
    Lost(FencingToken, Loss),
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Happened>>>);

impl Log {
    fn add(&self, happened: Happened) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(happened);
    }

    fn read(&self) -> Vec<Happened> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The token of a term of this candidate.
    async fn leads(&self, who: &str) -> Result<FencingToken> {
        eventually(&format!("{who} leads"), || async {
            let found = self.read().into_iter().find_map(|happened| match happened {
                Happened::Leads(token) if token.holder == who => Some(token),
                _ => None,
            });
            found.with_context(|| format!("{:?}", self.read()))
        })
        .await
    }
}

pub(super) async fn oldest_version(stage: &Stage) -> Result<()> {
    // A server of its own: the API is off by default.
    let cluster = match stage.backend() {
        Backend::Embedded => {
            let also_serve = vec!["coordination.k8s.io/v1beta1".to_owned()];
            let storage = StorageOptions::default().with_also_serve(also_serve).into();
            Cluster::embedded_with(ServerOptions::default().with_tls(true).with_storage(storage)).await?
        }
        Backend::Real => {
            let gate = ("CoordinatedLeaderElection".to_owned(), true);
            let options = client_rs_testkit::Options::default()
                .with_feature_gates([gate].into_iter().collect())
                .with_apiserver_args(vec!["--runtime-config=coordination.k8s.io/v1beta1=true".to_owned()]);
            Cluster::real_with(options).await?
        }
    };
    let own = Stage::new(Arc::new(cluster));
    let (rest, namespace) = (own.client()?, own.namespace().await?);
    let (end, tasks) = (CancellationToken::new(), TaskTracker::new());
    let played = play(&own, &rest, &namespace, &end, &tasks).await;
    end.cancel();
    tasks.close();
    tasks.wait().await;
    own.strike().await;
    played
}

async fn play(
    stage: &Stage,
    rest: &RestClient,
    namespace: &str,
    end: &CancellationToken,
    tasks: &TaskTracker,
) -> Result<()> {
    if stage.backend() == Backend::Embedded {
        // In a real one the API server does it.
        let plane = ControlPlane { rest: rest.clone(), namespace: namespace.to_owned() };
        tasks.spawn(end.clone().run_until_cancelled_owned(plane.run()));
    }
    let log = Log::default();
    let stand = |name: &'static str, version: &'static str| {
        let candidate = Candidate { rest: rest.clone(), namespace: namespace.to_owned(), name, version };
        candidate.stand(end.clone(), log.clone(), tasks)
    };
    stand("newer", "1.37.0")?;
    let first = log.leads("newer").await?;

    // It responds to a ping.
    let candidates = Api::<v1beta1::LeaseCandidate>::namespaced(rest, namespace);
    let asked = MicroTime::now().truncated();
    eventually("a question that is put", || async {
        let mut candidate = candidates.get("newer").await?;
        candidate.spec.ping_time = Some(asked);
        Ok(candidates.update(candidate).await.map(drop)?)
    })
    .await?;
    eventually("an answer", || async {
        let renewed = candidates.get("newer").await?.spec.renew_time;
        ensure!(renewed >= Some(asked), "asked at {asked}, renewed at {renewed:?}");
        Ok(())
    })
    .await?;

    // One whose version is older comes: the leader's term ends, and never do both lead.
    stand("older", "1.36.0")?;
    let second = log.leads("older").await?;
    ensure!(second.transitions > first.transitions, "{second} after {first}");
    let happened = log.read();
    let place = |what: &Happened| happened.iter().position(|one| one == what);
    let ended = [Loss::EndOfTerm, Loss::Superseded]
        .into_iter()
        .find_map(|why| place(&Happened::Lost(first.clone(), why)))
        .with_context(|| format!("the first term never ended: {happened:?}"))?;
    ensure!(Some(ended) < place(&Happened::Leads(second)), "two led at once: {happened:?}");
    let lease = Api::<Lease>::namespaced(rest, namespace).get(LEASE).await?;
    ensure!(lease.spec.strategy.as_deref() == Some(STRATEGY), "{:?}", lease.spec);
    Ok(())
}

struct Candidate {
    rest: RestClient,
    namespace: String,
    name: &'static str,
    version: &'static str,
}

impl Candidate {
    /// Becomes a candidate, and leads whenever it is picked.
    fn stand(self, end: CancellationToken, log: Log, tasks: &TaskTracker) -> Result<()> {
        let key = (self.namespace.as_str(), self.name);
        let candidate = LeaseCandidate::<v1beta1::LeaseCandidate>::new(
            self.rest.clone(),
            CandidateOptions::new(key, LEASE, self.version),
        );
        let options = super::child::timings().with_coordinated(true);
        let lock =
            LeaseLock::new(&self.rest, LeaseLockOptions::new((self.namespace.as_str(), LEASE), self.name));
        let elector = LeaderElector::with_options(lock, options)?;
        let standing = end.clone();
        tasks.spawn(async move { candidate.run(standing).await });
        tasks.spawn(async move {
            while let Some(leadership) = end.run_until_cancelled(elector.acquire()).await {
                let token = leadership.fencing_token().clone();
                log.add(Happened::Leads(token.clone()));
                if let Some(why) = end.run_until_cancelled(leadership.lost()).await {
                    log.add(Happened::Lost(token, why));
                }
                leadership.release().await;
            }
        });
        Ok(())
    }
}

/// The API server's part, reduced: the candidate of the oldest version holds the Lease.
struct ControlPlane {
    rest: RestClient,
    namespace: String,
}

impl ControlPlane {
    async fn run(self) {
        loop {
            if let Err(error) = self.decide().await {
                // Another client has written meanwhile: try again.
                println!("the election waits: {error:#}");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn decide(&self) -> Result<()> {
        let candidates = Api::<v1beta1::LeaseCandidate>::namespaced(&self.rest, self.namespace.as_str());
        let leases = Api::<Lease>::namespaced(&self.rest, self.namespace.as_str());
        let all = candidates.list().await?.items;
        let oldest = all.iter().min_by_key(|candidate| candidate.spec.emulation_version.clone());
        let Some(best) = oldest.map(|candidate| Str::from(candidate.name())) else { return Ok(()) };
        let mut lease = match leases.get(LEASE).await {
            Ok(lease) => lease,
            Err(error) if error.is_not_found() => {
                let metadata = ObjectMeta { name: LEASE.into(), ..ObjectMeta::EMPTY };
                let made = Lease { metadata, spec: picked(&best, 0).into() };
                leases.create(made).await?;
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        match lease.spec.holder_identity.as_deref() {
            Some(holder) if holder == best => return Ok(()),
            None | Some("") => {
                let transitions = lease.spec.lease_transitions.unwrap_or_default() + 1;
                lease.spec = picked(&best, transitions).into();
            }
            // The holder is requested to step down.
            Some(_) if lease.spec.preferred_holder.as_ref() == Some(&best) => return Ok(()),
            Some(_) => lease.spec.preferred_holder = Some(best),
        }
        leases.update(lease).await?;
        Ok(())
    }
}

fn picked(holder: &Str, transitions: i32) -> LeaseSpec {
    let now = Some(MicroTime::now().truncated());
    LeaseSpec {
        holder_identity: Some(holder.clone()),
        lease_duration_seconds: Some(5),
        acquire_time: now,
        renew_time: now,
        lease_transitions: Some(transitions),
        strategy: Some(STRATEGY.into()),
        ..LeaseSpec::EMPTY
    }
}
