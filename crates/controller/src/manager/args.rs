//! The command-line arguments that every manager has.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use client_rs_cache::FactoryOptions;
use client_rs_client::{Error, RestClient};
use client_rs_leaderelection::{
    LeaderElectionOptions, LeaderElector, LeaseLock, LeaseLockOptions, OptionsError, unique_identity,
};
use client_rs_transport::Config;

use super::{AccessReview, EndpointTls, ManagerOptions};
use crate::ControllerOptions;

/// How a manager and its controllers run, as arguments. Flatten it into your own, beside `KubeArgs`, which say which
/// cluster:
///
/// ```
/// use clap::Parser;
/// use client_rs_controller::{Controller, Manager, ManagerArgs};
/// # use client_rs_cache::InformerFactory;
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
///
/// #[derive(Parser)]
/// struct Cli {
///     #[command(flatten)]
///     manager: ManagerArgs,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// let cli = Cli::parse_from(["operator", "--health-listen", "127.0.0.1:8081", "--concurrency", "4"]);
/// assert_eq!(cli.manager.controller_options().workers, 4);
/// let informers = InformerFactory::new(cli.manager.factory_options());
/// # let config = Config::new("https://cluster.example".parse().unwrap());
/// let rest = RestClient::from_config(&config)?;
/// let manager = Manager::new(informers, cli.manager.manager_options(&rest));
/// # drop(manager);
/// # Ok(())
/// # }
/// ```
///
/// Times are Go's: `15s`, `1m30s`. The names are those of Kubernetes' own components where these have such an argument.
#[derive(Args, Clone, Debug, PartialEq)]
// The text above is for Rust's readers: the help of a program that flattens this has its own.
#[command(next_help_heading = "Manager", about = None, long_about = None)]
pub struct ManagerArgs {
    /// Where /healthz and /readyz are served, without TLS; nowhere if absent
    #[arg(long, value_name = "ADDRESS:PORT", alias = "health-probe-bind-address")]
    pub health_listen: Option<SocketAddr>,
    /// Where /metrics is served; nowhere if absent
    #[arg(long, value_name = "ADDRESS:PORT", alias = "metrics-bind-address")]
    pub metrics_listen: Option<SocketAddr>,
    /// Where /debug/state is served; nowhere if absent. Without --metrics-secure it must be a loopback address
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub debug_listen: Option<SocketAddr>,
    /// Serve metrics and debug with TLS, and to those alone whom the API server lets read them
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set)]
    pub metrics_secure: bool,
    /// The folder of tls.crt and tls.key for --metrics-secure
    #[arg(long, value_name = "FOLDER", default_value = "/tmp/k8s-metrics-server/serving-certs")]
    pub metrics_cert_path: PathBuf,
    /// How many keys each controller works at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub concurrency: u32,
    /// How long one run of a reconcile may take; for ever if absent
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub reconcile_timeout: Option<Duration>,
    /// How long a start waits for the caches to have their first list
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = time)]
    pub cache_sync_timeout: Duration,
    /// How long a stop waits for what is running
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub shutdown_timeout: Duration,
    /// Watch this namespace only; may be given more than once. All namespaces if absent
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub watch_namespace: Vec<String>,
    /// How many requests a second the client allows itself in the long run; no limit if absent, or not above 0: the server
    /// shares itself out between its clients
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(f32))]
    pub kube_api_qps: Option<f32>,
    /// How many requests may go out at once after a pause, with --kube-api-qps; 10 if absent
    #[arg(long, value_name = "N", requires = "kube_api_qps")]
    pub kube_api_burst: Option<u32>,
    /// How often every object is looked at again though nothing has changed; never if absent
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub resync_period: Option<Duration>,
    /// Work only while this replica leads
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set)]
    pub leader_elect: bool,
    /// How long the other replicas wait for a leader that says nothing
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = time)]
    pub leader_elect_lease_duration: Duration,
    /// How long a leader that can't renew goes on
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub leader_elect_renew_deadline: Duration,
    /// How long between two tries
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time)]
    pub leader_elect_retry_period: Duration,
    /// The Lease; the program's own name for it if absent
    #[arg(long, value_name = "NAME")]
    pub leader_elect_resource_name: Option<String>,
    /// The Lease's namespace; the one that the program runs in if absent
    #[arg(long, value_name = "NAME")]
    pub leader_elect_resource_namespace: Option<String>,
}

/// No election can be held so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ElectionArgsError {
    /// The timings do not fit together.
    #[error(transparent)]
    Timings(#[from] OptionsError),
    /// There is no client for it.
    #[error(transparent)]
    Client(#[from] Error),
}

impl ManagerArgs {
    /// For [`Manager::new`](super::Manager::new). The client asks who may read metrics, with `--metrics-secure`.
    pub fn manager_options(&self, rest: &RestClient) -> ManagerOptions {
        ManagerOptions {
            health_listen: self.health_listen,
            metrics_listen: self.metrics_listen,
            debug_listen: self.debug_listen,
            tls: self.metrics_secure.then(|| EndpointTls::in_folder(&self.metrics_cert_path)),
            access: self.metrics_secure.then(|| AccessReview::new(rest.clone())),
            sync_timeout: self.cache_sync_timeout,
            stop_timeout: self.shutdown_timeout,
            ..ManagerOptions::default()
        }
    }

    /// For [`Controller::new`](crate::Controller::new).
    pub fn controller_options(&self) -> ControllerOptions {
        ControllerOptions {
            workers: usize::try_from(self.concurrency).unwrap_or(usize::MAX),
            reconcile_timeout: self.reconcile_timeout,
            drain_timeout: self.shutdown_timeout,
            sync_timeout: self.cache_sync_timeout,
            ..ControllerOptions::default()
        }
    }

    /// For the informers.
    pub fn factory_options(&self) -> FactoryOptions {
        FactoryOptions {
            resync_period: self.resync_period.unwrap_or_default(),
            namespaces: self.watch_namespace.iter().map(|name| name.as_str().into()).collect(),
            ..FactoryOptions::default()
        }
    }

    /// The configuration with the rate limit of the arguments, if they set one: for the client of the informers and the
    /// reconcilers. Without one there is [no limit](Config::qps).
    #[must_use]
    pub fn rate_limited(&self, config: Config) -> Config {
        Config {
            qps: self.kube_api_qps.unwrap_or(config.qps),
            burst: self.kube_api_burst.unwrap_or(config.burst),
            ..config
        }
    }

    /// For a [`LeaderElector`] of one's own.
    pub fn election_options(&self) -> LeaderElectionOptions {
        LeaderElectionOptions {
            lease_duration: self.leader_elect_lease_duration,
            renew_deadline: self.leader_elect_renew_deadline,
            retry_period: self.leader_elect_retry_period,
            ..LeaderElectionOptions::default()
        }
    }

    /// The election, if one is asked for: over a Lease of this name unless another was given, in the configuration's
    /// namespace unless another was given, with an identity that no other process has.
    pub fn elector(&self, config: &Config, name: &str) -> Result<Option<LeaderElector>, ElectionArgsError> {
        self.elector_with(config, name, self.election_options())
    }

    /// The same with other options, such as metrics.
    pub fn elector_with(
        &self,
        config: &Config,
        name: &str,
        options: LeaderElectionOptions,
    ) -> Result<Option<LeaderElector>, ElectionArgsError> {
        if !self.leader_elect {
            return Ok(None);
        }
        let name = self.leader_elect_resource_name.as_deref().unwrap_or(name);
        let namespace = self.leader_elect_resource_namespace.as_deref();
        let namespace = namespace.unwrap_or(&config.default_namespace);
        let lock = LeaseLockOptions::new((namespace, name), unique_identity());
        let lock = LeaseLock::from_config(config, options.renew_deadline, lock)?;
        let named = if options.name.is_empty() { name.to_owned() } else { options.name.clone() };
        Ok(Some(LeaderElector::new(lock, LeaderElectionOptions { name: named, ..options })?))
    }
}

/// A time as Go writes it; not a negative one.
fn time(text: &str) -> Result<Duration, String> {
    let parsed: client_rs_machinery::Duration = text.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from(parsed).map_err(|_| "a time can't be negative".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        manager: ManagerArgs,
    }

    fn config() -> Config {
        Config::new(http::Uri::from_static("https://cluster.example"))
    }

    fn parsed(args: &[&str]) -> Result<ManagerArgs, String> {
        let cli = Cli::try_parse_from(["operator"].iter().chain(args));
        cli.map(|cli| cli.manager).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn without_arguments_everything_is_as_without_them() {
        let args = parsed(&[]).unwrap();
        let rest = RestClient::from_config(&config()).unwrap();
        let (ours, theirs) = (args.controller_options(), ControllerOptions::default());
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        let (ours, theirs) = (args.manager_options(&rest), ManagerOptions::default());
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        let (ours, theirs) = (args.election_options(), LeaderElectionOptions::default());
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        assert_eq!(format!("{:?}", args.factory_options()), format!("{:?}", FactoryOptions::default()));
        assert!(args.elector(&config(), "operator").unwrap().is_none());
        assert_eq!(args.rate_limited(config()), config());
    }

    #[tokio::test]
    async fn arguments_become_options() {
        let args = parsed(&[
            "--health-listen=0.0.0.0:8081",
            "--metrics-bind-address=0.0.0.0:8443",
            "--debug-listen=127.0.0.1:8082",
            "--metrics-secure",
            "--metrics-cert-path=/certs",
            "--concurrency=4",
            "--reconcile-timeout=1m30s",
            "--watch-namespace=a",
            "--watch-namespace=b",
            "--resync-period=10h",
            "--leader-elect",
            "--leader-elect-lease-duration=30s",
        ])
        .unwrap();
        let manager = args.manager_options(&RestClient::from_config(&config()).unwrap());
        assert_eq!(manager.health_listen, Some(([0, 0, 0, 0], 8081).into()));
        assert_eq!(manager.metrics_listen, Some(([0, 0, 0, 0], 8443).into()));
        assert_eq!(manager.debug_listen, Some(([127, 0, 0, 1], 8082).into()));
        assert_eq!(manager.tls, Some(EndpointTls::in_folder("/certs")));
        assert!(manager.access.is_some());
        let controller = args.controller_options();
        assert_eq!((controller.workers, controller.reconcile_timeout), (4, Some(Duration::from_secs(90))));
        let factory = args.factory_options();
        assert_eq!((factory.namespaces.len(), factory.resync_period), (2, Duration::from_hours(10)));
        assert_eq!(args.election_options().lease_duration, Duration::from_secs(30));
        assert!(args.leader_elect);
        let limited = parsed(&["--kube-api-qps=20", "--kube-api-burst=30"]).unwrap().rate_limited(config());
        assert_eq!((limited.qps, limited.burst), (20.0, 30));
        assert!(!parsed(&["--leader-elect=false"]).unwrap().leader_elect);
    }

    #[tokio::test]
    async fn an_election_is_by_the_programs_name_unless_told_otherwise() {
        let config = config();
        let args = parsed(&["--leader-elect"]).unwrap();
        let elector = args.elector(&config, "operator").unwrap().unwrap();
        assert!(!elector.identity().is_empty() && !elector.is_leader());
        let args = parsed(&["--leader-elect", "--leader-elect-renew-deadline=20s"]).unwrap();
        let error = args.elector(&config, "operator").unwrap_err();
        assert!(matches!(error, ElectionArgsError::Timings(OptionsError::LeaseDuration)), "{error}");
    }

    #[test]
    fn the_help_of_a_program_shows_nothing_of_our_rustdoc() {
        let help = <Cli as clap::CommandFactory>::command().render_long_help().to_string();
        assert!(help.starts_with("Usage:"), "{help}");
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        for (args, said) in [
            (["--concurrency=0"], "0 is not in 1.."),
            (["--reconcile-timeout=-5s"], "a time can't be negative"),
            (["--shutdown-timeout=soon"], "invalid value 'soon'"),
            (["--health-listen=here"], "invalid value 'here'"),
            (["--kube-api-qps=many"], "invalid value 'many'"),
            (["--kube-api-burst=30"], "--kube-api-qps"),
        ] {
            let error = parsed(&args).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
