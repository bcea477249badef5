//! The options of a [`ClusterClient`](crate::ClusterClient).

use std::fmt;
use std::time::Duration;

use client_rs_cache::FactoryOptions;
use client_rs_events::EventRecorder;
use client_rs_machinery::Str;

use crate::Prometheus;

/// The reaction of a [`ClusterClient`](crate::ClusterClient) to a read of a kind that has no informer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uncached {
    /// The read is an error, [`ReadError::NotCached`](crate::ReadError::NotCached), so that no cache of a large kind is filled by
    /// mistake.
    #[default]
    Refuse,
    /// The server is asked, each time. Good for kinds that are read rarely, such as one Secret.
    AskServer,
    /// The first read starts an informer of the whole kind, within the namespaces and selectors of the factory, logs that, and waits for
    /// its first list. This is controller-runtime's behaviour. The program needs the right to list and watch the kind.
    StartInformer,
}

client_rs_machinery::options! {
    /// The options of a [`ClusterClient`](crate::ClusterClient).
    ///
    /// ```
    /// use client_rs_cache::{FactoryOptions, KindOptions};
    /// use client_rs_controller::{ClusterOptions, Uncached};
    /// use client_rs_api::core::v1::{Pod, Secret};
    ///
    /// let caches = FactoryOptions::default()
    ///     .with_namespaces(["shop"])
    ///     .with_kind(KindOptions::<Pod>::default().with_label_selector("app=web"))
    ///     .with_kind(KindOptions::<Secret>::default().with_field_selector("type=example.com/key"));
    /// let options = ClusterOptions::default().with_factory(caches).with_uncached(Uncached::AskServer);
    /// assert_eq!(options.uncached, Uncached::AskServer);
    /// ```
    #[derive(Default)]
    pub struct ClusterOptions {
        /// The options of the caches: namespaces, selectors, transforms and layouts, for all kinds and per kind. Their metrics default to
        /// those of the client.
        pub factory: FactoryOptions => with_factory,
        /// The reaction to a read of a kind without an informer. Default: it is refused.
        pub uncached: Uncached => with_uncached,
        /// How long a read waits for the first list of an informer. Zero does not wait: good for one of several clusters, which may be
        /// down, so that its keys do not occupy the workers. Default: 2 minutes.
        pub sync_timeout: Option<Duration> => with_sync_timeout,
        /// The name of the cluster in the metrics of its informers: their label `name` is `CLUSTER/KIND`. Set it if clients of several
        /// clusters share [`metrics`](Self::metrics). Default: none.
        pub cluster: Option<Str> => with_cluster,
        /// The registry of the metrics. Default: a new one.
        pub metrics: Option<Prometheus> => with_metrics,
        /// The recorder of events, such as one of [`EventRecorder::channel`] in a test. Default: one that sends to the server.
        pub recorder: Option<EventRecorder> => with_recorder,
    }
}

impl fmt::Debug for ClusterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterOptions")
            .field("factory", &self.factory)
            .field("uncached", &self.uncached)
            .field("sync_timeout", &self.sync_timeout)
            .finish_non_exhaustive()
    }
}
