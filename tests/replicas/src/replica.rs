//! A replica: a manager with a controller, sharded or with an election. Each config map gets a service account with its value, and
//! with that of the custom object of the same name. Each write is recorded as an event, too.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use client_rs_api::core::v1::{ConfigMap, ServiceAccount};
use client_rs_cache::FactoryOptions;
use client_rs_client::{Api, Error, RestClient, RestClientOptions};
use client_rs_controller::{
    Action, Context, Controller, ControllerOptions, LostLeadership, Manager, ManagerOptions, ReconcileError,
    RunnableController,
};
use client_rs_events::{EventBroadcaster, EventRecorder, EventType, RestEventSink};
use client_rs_informers::{DynamicSharedInformerFactory, SharedInformerFactory};
use client_rs_leaderelection::sharding::{Replica, ShardingOptions, Shards};
use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{GroupVersionResource, ObjectKey, Str};
use client_rs_sim::history::{Fact, History, Phase};
use client_rs_simulation::harness::{Network, service};
use client_rs_transport::auth::Credentials;
use client_rs_transport::http::{Body, Target, Transport};
use http::{Request, Uri};
use tokio_util::sync::CancellationToken;
use tower::{Service as _, ServiceExt as _};

use crate::cancel::Cancelled;
use crate::vault;

/// The number of shards.
pub const SHARDS: u32 = 4;
/// The namespace of all objects.
pub const NAMESPACE: &str = "work";
/// The namespace of the Leases.
pub const LEASES: &str = "default";
/// The annotation with the value of the config map, or of a custom object.
pub const VALUE: &str = "example.com/value";
/// The annotation with the value of the custom object.
pub const WIDGET: &str = "example.com/widget";
/// The group of the custom objects.
pub const GROUP: &str = "example.com";

/// The facts of a history, with the time.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<(Duration, History)>>);

impl Recorder {
    /// Sets the time of the next facts.
    pub fn set_time(&self, now: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = now;
    }

    /// Records a fact.
    pub fn record(&self, node: u8, phase: Phase, fact: Fact) {
        let (now, history) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        history.push(u64::try_from(now.as_micros()).unwrap_or(u64::MAX), node, phase, fact);
    }

    /// Returns the number of writes.
    pub fn writes(&self) -> usize {
        let history = &self.0.lock().unwrap_or_else(PoisonError::into_inner).1;
        history
            .entries
            .iter()
            .filter(|entry| matches!(entry.op, Fact::ShardWrite { .. } | Fact::Effect { .. }))
            .count()
    }

    /// Takes the history.
    pub fn take(&self) -> History {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}

/// The surroundings of a replica.
#[derive(Clone)]
pub struct Site {
    /// The number of the process, from 1.
    pub node: u8,
    /// Whether one replica leads; otherwise they share the keys.
    pub elected: bool,
    /// Its network.
    pub network: Network,
    /// The servers behind it.
    pub servers: Arc<[Transport]>,
    /// Its tokens; `None` if the servers do without.
    pub credentials: Option<Credentials>,
    /// Whether there are custom objects.
    pub widgets: bool,
    /// The polls after which the next run is dropped.
    pub cancel: Arc<Mutex<Option<u8>>>,
    /// The polls after which the next write is dropped.
    pub cancel_write: Arc<Mutex<Option<u8>>>,
    /// Its history.
    pub recorder: Recorder,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Site {
    fn transport(&self) -> Transport {
        let target = Target { host: "sim".to_owned(), port: 80, tls: false, server_name: None };
        let network = Transport::from_service(target.clone(), service(&self.network, &self.servers));
        let Some(credentials) = self.credentials.clone() else { return network };
        let authenticated = tower::service_fn(move |request: Request<Body>| {
            let (credentials, network) = (credentials.clone(), network.clone());
            async move { vault::send(&credentials, network, request).await }
        });
        Transport::from_service(target, authenticated)
    }

    fn client_over(transport: Transport) -> Result<RestClient> {
        let options = RestClientOptions::default().with_server_id("sim");
        Ok(RestClient::with_options(&Uri::from_static("http://sim"), transport, options)?)
    }

    /// Returns a client for the writes under a fencing token: each is recorded when it is sent.
    fn writer(&self, shard: Option<u32>, token: i32) -> Result<RestClient> {
        let (recorder, node, inner) = (self.recorder.clone(), self.node, self.transport());
        let token = token.into();
        let fact = match shard {
            Some(shard) => Fact::ShardWrite { shard: number(shard), token, count: number(SHARDS) },
            None => Fact::Effect { token },
        };
        let target = inner.target().clone();
        let tagged = tower::service_fn(move |request: Request<Body>| {
            if request.method() != http::Method::GET {
                recorder.record(node, Phase::Ok, fact);
            }
            let mut inner = inner.clone();
            async move { inner.ready().await?.call(request).await }
        });
        Self::client_over(Transport::from_service(target, tagged))
    }

    /// Sends a write, unless it is dropped first.
    async fn write<T>(&self, write: impl IntoFuture<Output = Result<T, Error>>) -> Result<T, ReconcileError> {
        let polls = self.cancel_write.lock().unwrap_or_else(PoisonError::into_inner).take();
        match Cancelled::new(write.into_future(), polls).await {
            Some(written) => Ok(written?),
            None => Err(ReconcileError::message("the write was dropped")),
        }
    }

    /// Runs a replica until it is stopped. `held` gets the number of its shards.
    pub async fn run(self, identity: String, stop: CancellationToken, held: Arc<Mutex<usize>>) -> Result<()> {
        let rest = Self::client_over(self.transport())?;
        let events = EventBroadcaster::new();
        events.start_recording_to_sink(RestEventSink::new(rest.clone()))?;
        let ended = self.run_manager(rest, identity, stop, held, events.recorder("accounts", "")).await;
        events.shutdown().await;
        ended
    }

    async fn run_manager(
        self,
        rest: RestClient,
        identity: String,
        stop: CancellationToken,
        held: Arc<Mutex<usize>>,
        events: EventRecorder,
    ) -> Result<()> {
        let options = FactoryOptions::default().with_namespaces([NAMESPACE]);
        let factory = SharedInformerFactory::with_options(rest.clone(), options.clone());
        let widgets = DynamicSharedInformerFactory::with_options(rest.clone(), options);
        if self.elected {
            let lock = LeaseLock::new(&rest, LeaseLockOptions::new((LEASES, "leader"), identity));
            let controller = self.controller(&factory, &widgets, None, events);
            let options = ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain);
            let manager = Manager::with_options(&factory, options).controller(controller);
            widgets.start();
            return manager
                .election(LeaderElector::new(lock)?)
                .run(stop)
                .await
                .context("the manager has failed");
        }
        let replica = Replica::start(rest, ShardingOptions::new(LEASES, "group", SHARDS, identity))?;
        let controller = self.controller(&factory, &widgets, Some(replica.shards()), events);
        let manager = Manager::new(&factory).controller_without_election(controller);
        widgets.start();
        let mut changes = replica.held();
        let counting = tokio::spawn(async move {
            loop {
                let count = changes.borrow_and_update().len();
                *held.lock().unwrap_or_else(PoisonError::into_inner) = count;
                if changes.changed().await.is_err() {
                    return;
                }
            }
        });
        let ended = manager.run(stop).await;
        replica.shutdown().await;
        counting.abort();
        ended.context("the manager has failed")
    }

    fn controller(
        self,
        factory: &SharedInformerFactory,
        custom: &DynamicSharedInformerFactory,
        shards: Option<Shards>,
        events: EventRecorder,
    ) -> RunnableController {
        let (maps, accounts) = (factory.of::<ConfigMap>(), factory.of::<ServiceAccount>());
        let (map_lister, account_lister) = (maps.lister(), accounts.lister());
        let options = ControllerOptions::default().with_workers(2);
        let mut controller =
            Controller::with_options("accounts", maps.informer(), options).owns(&accounts.informer());
        let mut widgets = None;
        if self.widgets {
            let informer = custom.for_resource(GroupVersionResource::new(GROUP, "v1", "widgets"));
            widgets = Some(informer.lister());
            controller = controller
                .watches(&informer.informer(), |widget| [ObjectKey::new(widget.namespace(), widget.name())]);
        }
        if let Some(shards) = &shards {
            controller = controller.sharded(shards.clone());
        }
        controller.reconcile(move |key: ObjectKey, context: Context| {
            let (site, shard) = (self.clone(), shards.as_ref().map(|shards| shards.of(&key)));
            let (map, account) = (map_lister.get(&key).ok(), account_lister.get(&key).ok());
            let widget = widgets.as_ref().and_then(|lister| lister.get(&key).ok());
            let widget = widget.and_then(|widget| widget.annotation(VALUE).map(Str::from));
            let polls = self.cancel.lock().unwrap_or_else(PoisonError::into_inner).take();
            let events = events.clone();
            let run = async move {
                let Some(map) = map.filter(|map| map.metadata.deletion_timestamp.is_none()) else {
                    return Ok(Action::done());
                };
                let value = map.data.get("value").cloned().unwrap_or(Str::EMPTY);
                let token = context.fencing_token().map_or(0, |token| token.transitions);
                let client =
                    site.writer(shard, token).map_err(|error| ReconcileError::message(error.to_string()))?;
                let api = Api::<ServiceAccount>::namespaced(&context.gated(&client), NAMESPACE);
                let annotate = |metadata: &mut ObjectMeta| {
                    metadata.annotations.insert(VALUE, value.clone());
                    match widget.clone() {
                        Some(widget) => drop(metadata.annotations.insert(WIDGET, widget)),
                        None => drop(metadata.annotations.remove(WIDGET)),
                    }
                };
                match account {
                    Some(account)
                        if account.metadata.annotations.get(VALUE) == Some(&value)
                            && account.metadata.annotations.get(WIDGET) == widget.as_ref() =>
                    {
                        return Ok(Action::done());
                    }
                    Some(account) => {
                        let mut account = ServiceAccount::clone(&account);
                        annotate(&mut account.metadata);
                        site.write(api.update(account)).await?;
                    }
                    None => {
                        let mut metadata = ObjectMeta { name: key.name.clone(), ..ObjectMeta::EMPTY };
                        metadata.namespace = key.namespace.clone();
                        annotate(&mut metadata);
                        metadata.owner_references = [controller_reference(&*map)?].into_iter().collect();
                        site.write(api.create(ServiceAccount { metadata, ..ServiceAccount::EMPTY })).await?;
                    }
                }
                events.event(&*map, EventType::Normal, "Written", format_args!("the value is {value}"));
                Ok(Action::done())
            };
            async move {
                let done = Cancelled::new(run, polls).await;
                done.unwrap_or_else(|| Err(ReconcileError::message("the run was dropped")))
            }
        })
    }
}

fn number(shard: u32) -> u8 {
    u8::try_from(shard).unwrap_or(u8::MAX)
}
