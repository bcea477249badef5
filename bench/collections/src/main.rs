//! Our side of `cargo xtask bench collections`: services joined with pods by label selector, as a graph of derived collections and as an
//! index that is written by hand. One line of JSON on stdout.
//!
//! Each service selects four pods of its namespace. Three kinds of changes, each of one pod: its status, which the routes do not
//! show; its address; and its labels, so that it moves to another service. A change is one epoch, and an observer takes it. Times are CPU
//! times.

#![allow(clippy::cast_precision_loss, reason = "figures for people")]

mod by_hand;
mod counting;
mod derived;
mod peers;
mod usage;

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Parser;
use client_rs_collections::{LabelSet, Selection};
use client_rs_machinery::{ObjectKey, Str};

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// The joins, measured.
#[derive(Parser)]
struct Args {
    /// How many pods; there are a quarter as many services
    #[arg(long, default_value_t = 10_000)]
    pods: usize,
    /// How many changes of each kind
    #[arg(long, default_value_t = 100_000)]
    changes: usize,
    /// How many of the pods change in turn, evenly spread; all of them if it is not given
    #[arg(long)]
    changing: Option<usize>,
    /// Measure the index that is written by hand, instead of the graph
    #[arg(long)]
    by_hand: bool,
    /// Measure a join that krt does too
    #[arg(long)]
    scenario: Option<Scenario>,
    /// Make changes of this kind only
    #[arg(long)]
    only: Option<String>,
}

/// The joins that `bench/krt` does too; see there.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Scenario {
    Controllers,
    Churn,
}

/// A pod, as far as it matters here.
#[derive(Clone, Debug, PartialEq)]
pub struct Pod {
    labels: LabelSet,
    address: Str,
    status: u64,
}

/// The addresses of a service.
pub type Route = Vec<Str>;

/// A join under test.
pub trait Join {
    fn services(&mut self, services: Vec<(ObjectKey, Selection)>);
    fn pods(&mut self, pods: Vec<(ObjectKey, Arc<Pod>)>);
    /// Changes a pod and returns how many routes have changed.
    fn change(&mut self, key: &ObjectKey, pod: Arc<Pod>) -> usize;
    fn route(&self, service: &ObjectKey) -> Option<Arc<Route>>;
}

fn main() {
    let args = Args::parse();
    let outcome = match args.scenario {
        Some(Scenario::Controllers) => peers::controllers(args.changes),
        Some(Scenario::Churn) => peers::churn(args.changes, args.pods),
        None if args.by_hand => measure(&args, &mut by_hand::ByHand::default()),
        None => measure(&args, &mut derived::Derived::new()),
    };
    println!("{}", serde_json::to_string(&outcome).expect("plain numbers"));
}

/// The number of namespaces. It divides the number of services at every size, so that a pod that moves stays in its namespace.
const NAMESPACES: usize = 50;

fn pod_key(number: usize) -> ObjectKey {
    ObjectKey::new(format!("namespace-{:03}", number / 4 % NAMESPACES), format!("pod-{number:07}"))
}

fn service_key(number: usize) -> ObjectKey {
    ObjectKey::new(format!("namespace-{:03}", number % NAMESPACES), format!("service-{number:07}"))
}

fn labels(key: &ObjectKey, service: usize) -> LabelSet {
    LabelSet::new([("app", app(service)), ("tier", Str::from("backend"))]).in_namespace(key.namespace.clone())
}

/// The label of a service's pods. It has the same length at every size: a `Str` of up to seven bytes would need no memory of its own.
fn app(service: usize) -> Str {
    format!("app-{service:07}").into()
}

/// The pods that change: all of them, or some services with their four pods, spread evenly.
///
/// The same number of them at two sizes are alike: as many pods, services and namespaces, with the same moves between them. Only the
/// number of the other pods and services differs.
struct Changing {
    pods: usize,
    /// The number of all services for one that changes.
    stride: usize,
}

impl Changing {
    fn new(args: &Args) -> Self {
        let pods = args.changing.unwrap_or(args.pods).clamp(1, args.pods);
        let stride = args.pods / pods;
        assert!(
            stride == 1 || args.pods.is_multiple_of(4 * NAMESPACES),
            "each namespace has as many services"
        );
        Self { pods, stride }
    }

    fn services(&self) -> usize {
        self.pods.div_ceil(4)
    }

    /// Returns the number of the nth service that changes. Its namespace is the same at every size.
    fn service(&self, nth: usize) -> usize {
        nth * self.stride / NAMESPACES * NAMESPACES + nth % NAMESPACES
    }

    /// Returns the number of the nth pod that changes.
    fn pod(&self, nth: usize) -> usize {
        self.service(nth / 4) * 4 + nth % 4
    }
}

fn measure(args: &Args, join: &mut impl Join) -> BTreeMap<String, f64> {
    let services = args.pods / 4;
    let began = usage::cpu_time();
    join.services(
        (0..services)
            .map(|number| {
                let key = service_key(number);
                let selection =
                    Selection::parse(&format!("app={},tier=backend", app(number))).expect("a selector");
                let selection = selection.in_namespace(key.namespace.clone());
                (key, selection)
            })
            .collect(),
    );
    let mut pods: Vec<(ObjectKey, Pod)> = (0..args.pods)
        .map(|number| {
            let key = pod_key(number);
            let labels = labels(&key, number / 4);
            (
                key,
                Pod { labels, address: format!("10.0.{}.{}", number / 250, number % 250).into(), status: 0 },
            )
        })
        .collect();
    join.pods(pods.iter().map(|(key, pod)| (key.clone(), Arc::new(pod.clone()))).collect());
    let mut outcome = BTreeMap::new();
    let entries = (args.pods + services) as f64;
    outcome.insert(
        "sync_ns_an_entry".to_owned(),
        usage::cpu_time().saturating_sub(began).as_nanos() as f64 / entries,
    );

    // The same shuffled order in each process.
    let mut at = 1;
    let changing = Changing::new(args);
    let mut next = || {
        at = (at * 48_271_usize) % 2_147_483_647;
        at % changing.pods
    };
    for kind in ["status", "address", "labels"] {
        if args.only.as_deref().is_some_and(|only| only != kind) {
            continue;
        }
        let mut changes = Vec::with_capacity(args.changes);
        for number in 0..args.changes {
            let nth = next();
            let (key, pod) = &mut pods[changing.pod(nth)];
            match kind {
                "status" => pod.status += 1,
                "address" => pod.address = format!("10.1.{}.{}", number / 250, number % 250).into(),
                _ => {
                    // A service of the same namespace that changes too, and back.
                    let other = (nth / 4 + NAMESPACES * (number % 3)) % changing.services();
                    pod.labels = labels(key, changing.service(other));
                }
            }
            changes.push((key.clone(), Arc::new(pod.clone())));
        }
        let (before, began) = (counting::allocated(), usage::cpu_time());
        let routes: usize = changes.into_iter().map(|(key, pod)| join.change(&key, pod)).sum();
        let (elapsed, bytes) = (usage::cpu_time().saturating_sub(began), counting::allocated() - before);
        let count = args.changes as f64;
        outcome.insert(format!("{kind}_ns_a_change"), elapsed.as_nanos() as f64 / count);
        outcome.insert(format!("{kind}_bytes_a_change"), bytes as f64 / count);
        outcome.insert(format!("{kind}_routes_a_change"), routes as f64 / count);
    }
    check(join, &pods, services);
    outcome
}

/// Compares every route with a scan.
fn check(join: &impl Join, pods: &[(ObjectKey, Pod)], services: usize) {
    let mut expected: BTreeMap<(Str, Str), Vec<(&ObjectKey, Str)>> = BTreeMap::new();
    for (key, pod) in pods {
        let app = pod.labels.labels().get("app").expect("each pod has it").clone();
        expected.entry((key.namespace.clone(), app)).or_default().push((key, pod.address.clone()));
    }
    for number in 0..services {
        let service = service_key(number);
        let mut pods = expected.remove(&(service.namespace.clone(), app(number))).unwrap_or_default();
        pods.sort();
        let addresses: Vec<Str> = pods.into_iter().map(|(_, address)| address).collect();
        assert_eq!(join.route(&service).as_deref(), Some(&addresses), "{service}");
    }
}
