//! Command-line arguments of a manager.

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

/// The command-line arguments of a manager and its controllers, for clap.
///
/// Flatten it into your own arguments, next to `KubeArgs` of the client crate, which select the cluster. Each method returns
/// the options of one part, so you can change them before you use them.
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
/// let informers = InformerFactory::with_options(cli.manager.factory_options());
/// # let config = Config::new("https://cluster.example".parse().unwrap());
/// let rest = RestClient::from_config(&config)?;
/// let manager = Manager::with_options(informers, cli.manager.manager_options(&rest));
/// # drop(manager);
/// # Ok(())
/// # }
/// ```
///
/// Durations are written as in Go: `15s`, `1m30s`. Arguments that Kubernetes' own components have too have the same names.
#[derive(Args, Clone, Debug, PartialEq)]
// The rustdoc above is not for `--help`: a program that flattens this has its own description.
#[command(next_help_heading = "Manager", about = None, long_about = None)]
#[non_exhaustive]
pub struct ManagerArgs {
    /// Serve /healthz and /readyz at this address, without TLS
    #[arg(long, value_name = "ADDRESS:PORT", alias = "health-probe-bind-address")]
    pub health_listen: Option<SocketAddr>,
    /// Serve /metrics at this address
    #[arg(long, value_name = "ADDRESS:PORT", alias = "metrics-bind-address")]
    pub metrics_listen: Option<SocketAddr>,
    /// Serve /debug/state at this address. Without --metrics-secure it must be a loopback address
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub debug_listen: Option<SocketAddr>,
    /// Serve /metrics and /debug/state with TLS, and only to clients that the API server authorizes
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set)]
    pub metrics_secure: bool,
    /// Read tls.crt and tls.key for --metrics-secure from this folder
    #[arg(long, value_name = "FOLDER", default_value = "/tmp/k8s-metrics-server/serving-certs")]
    pub metrics_cert_path: PathBuf,
    /// Reconcile this many keys per controller in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub concurrency: u32,
    /// Cancel a reconcile after this time, and retry the key. No limit by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub reconcile_timeout: Option<Duration>,
    /// Fail if the caches have no first list after this time
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = time)]
    pub cache_sync_timeout: Duration,
    /// Wait this long for running work when the program stops
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub shutdown_timeout: Duration,
    /// Watch only this namespace. May be repeated. All namespaces by default
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub watch_namespace: Vec<String>,
    /// Limit the client to this many requests per second on average. No limit by default, or if not above 0: the server
    /// has priority and fairness of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(f32))]
    pub kube_api_qps: Option<f32>,
    /// Allow bursts of this many requests with --kube-api-qps. 10 by default
    #[arg(long, value_name = "N", requires = "kube_api_qps")]
    pub kube_api_burst: Option<u32>,
    /// Reconcile every object again after this time, even if nothing has changed. Never by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub resync_period: Option<Duration>,
    /// Run controllers only while this replica leads
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set)]
    pub leader_elect: bool,
    /// Let other replicas take over if the leader has not renewed its lease for this time
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = time)]
    pub leader_elect_lease_duration: Duration,
    /// Stop leading if the lease could not be renewed for this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub leader_elect_renew_deadline: Duration,
    /// Wait this long between two attempts to acquire or renew the lease
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = time)]
    pub leader_elect_retry_period: Duration,
    /// Use the Lease of this name. The program chooses one by default
    #[arg(long, value_name = "NAME")]
    pub leader_elect_resource_name: Option<String>,
    /// Use the Lease in this namespace. The namespace of the program by default
    #[arg(long, value_name = "NAME")]
    pub leader_elect_resource_namespace: Option<String>,
}

/// The reason why the arguments do not configure an election.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ElectionArgsError {
    /// The durations contradict each other.
    #[error(transparent)]
    Timings(#[from] OptionsError),
    /// The client for the Lease can't be built.
    #[error(transparent)]
    Client(#[from] Error),
}

impl ManagerArgs {
    /// The options of [`Manager::with_options`](super::Manager::with_options). With `--metrics-secure` the client sends the
    /// token and access reviews.
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

    /// The options of [`Controller::with_options`](crate::Controller::with_options).
    pub fn controller_options(&self) -> ControllerOptions {
        ControllerOptions {
            workers: usize::try_from(self.concurrency).unwrap_or(usize::MAX),
            reconcile_timeout: self.reconcile_timeout,
            drain_timeout: self.shutdown_timeout,
            sync_timeout: self.cache_sync_timeout,
            ..ControllerOptions::default()
        }
    }

    /// The options of the informer factory.
    ///
    /// ```
    /// # use clap::Parser;
    /// # use client_rs_controller::ManagerArgs;
    /// # #[derive(Parser)]
    /// # struct Cli {
    /// #     #[command(flatten)]
    /// #     manager: ManagerArgs,
    /// # }
    /// let args = ["operator", "--watch-namespace=shop", "--watch-namespace=bank"];
    /// let options = Cli::parse_from(args).manager.factory_options();
    /// assert_eq!(options.namespaces.len(), 2);
    /// ```
    pub fn factory_options(&self) -> FactoryOptions {
        FactoryOptions::default()
            .with_resync_period(self.resync_period.unwrap_or_default())
            .with_namespaces(self.watch_namespace.iter().map(String::as_str))
    }

    /// Returns the configuration with the rate limit of the arguments, for the client of the informers and the reconcilers.
    /// Without such an argument the configuration is unchanged; its default is [no limit](Config::qps).
    ///
    /// ```
    /// # use clap::Parser;
    /// # use client_rs_controller::ManagerArgs;
    /// # use client_rs_transport::Config;
    /// # #[derive(Parser)]
    /// # struct Cli {
    /// #     #[command(flatten)]
    /// #     manager: ManagerArgs,
    /// # }
    /// let config = Config::new("https://cluster.example".parse()?);
    /// let cli = Cli::parse_from(["operator", "--kube-api-qps=20", "--kube-api-burst=30"]);
    /// let limited = cli.manager.rate_limited(config);
    /// assert_eq!((limited.qps, limited.burst), (20.0, 30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rate_limited(&self, config: Config) -> Config {
        let (qps, burst) = (config.qps, config.burst);
        config.with_qps(self.kube_api_qps.unwrap_or(qps)).with_burst(self.kube_api_burst.unwrap_or(burst))
    }

    /// The options of leader election, for a [`LeaderElector`] that the program builds itself.
    pub fn election_options(&self) -> LeaderElectionOptions {
        LeaderElectionOptions::default()
            .with_lease_duration(self.leader_elect_lease_duration)
            .with_renew_deadline(self.leader_elect_renew_deadline)
            .with_retry_period(self.leader_elect_retry_period)
    }

    /// Returns the elector if `--leader-elect` was given. Pass it to [`Manager::election`](super::Manager::election).
    ///
    /// The Lease has this name and is in the configuration's namespace, unless the arguments name others. The identity is
    /// unique to this process.
    ///
    /// # Errors
    ///
    /// [`ElectionArgsError`] if the durations contradict each other or the configuration gives no client.
    ///
    /// ```
    /// # use clap::Parser;
    /// # use client_rs_controller::ManagerArgs;
    /// # use client_rs_transport::Config;
    /// # #[derive(Parser)]
    /// # struct Cli {
    /// #     #[command(flatten)]
    /// #     manager: ManagerArgs,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let config = Config::new("https://cluster.example".parse()?);
    /// let cli = Cli::parse_from(["operator", "--leader-elect"]);
    /// assert!(cli.manager.elector(&config, "operator")?.is_some());
    /// let cli = Cli::parse_from(["operator", "--leader-elect", "--leader-elect-renew-deadline=1h"]);
    /// assert!(cli.manager.elector(&config, "operator").is_err()); // Longer than the lease.
    /// # Ok(())
    /// # }
    /// ```
    pub fn elector(&self, config: &Config, name: &str) -> Result<Option<LeaderElector>, ElectionArgsError> {
        self.elector_with(config, name, self.election_options())
    }

    /// Like [`elector`](Self::elector), with other options, such as metrics.
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
        Ok(Some(LeaderElector::with_options(lock, options.with_name(named))?))
    }
}

/// Parses a duration in Go's syntax; a negative one is refused.
fn time(text: &str) -> Result<Duration, String> {
    let parsed: client_rs_machinery::Duration = text.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from(parsed).map_err(|_| "a duration can't be negative".to_owned())
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
    async fn without_arguments_all_options_have_their_defaults() {
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
    async fn leader_elect_makes_an_elector_and_checks_its_durations() {
        let config = config();
        let args = parsed(&["--leader-elect"]).unwrap();
        let elector = args.elector(&config, "operator").unwrap().unwrap();
        assert!(!elector.identity().is_empty() && !elector.is_leader());
        let args = parsed(&["--leader-elect", "--leader-elect-renew-deadline=20s"]).unwrap();
        let error = args.elector(&config, "operator").unwrap_err();
        assert!(matches!(error, ElectionArgsError::Timings(OptionsError::LeaseDuration)), "{error}");
    }

    #[test]
    fn the_help_of_a_program_does_not_include_the_rustdoc_of_the_arguments() {
        let help = <Cli as clap::CommandFactory>::command().render_long_help().to_string();
        assert!(help.starts_with("Usage:"), "{help}");
    }

    #[test]
    fn invalid_values_are_refused_with_a_message() {
        for (args, message) in [
            (["--concurrency=0"], "0 is not in 1.."),
            (["--reconcile-timeout=-5s"], "a duration can't be negative"),
            (["--shutdown-timeout=soon"], "invalid value 'soon'"),
            (["--health-listen=here"], "invalid value 'here'"),
            (["--kube-api-qps=many"], "invalid value 'many'"),
            (["--kube-api-burst=30"], "--kube-api-qps"),
        ] {
            let error = parsed(&args).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
