//! Runs a plugin when a credential is needed, and caches the result.

use std::{
    collections::HashMap,
    env,
    io::{IsTerminal, stdin},
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::SystemTime,
};

use http::HeaderValue;
use tokio::{sync::watch, time::Instant};

use super::{
    ExecCluster, ExecConfig, ExecError, InteractiveMode,
    expiry::ExpirySlot,
    hint::Hint,
    process::{Invocation, Run, RunError, System},
    protocol::{self, Version},
};
use crate::{
    auth::{
        AuthError, CredentialMetrics, ExecCall,
        credentials::bearer,
        refresh::{Expiry, Failure, Refresh, Serial},
        single_flight::{Clock, Fetched, SingleFlight},
    },
    tls_source::ClientIdentity,
};

const EXEC_INFO: &str = "KUBERNETES_EXEC_INFO";

/// One plugin for one cluster. Clients with equal settings share it, so that the user logs in only once.
#[derive(Debug)]
pub(crate) struct ExecAuthenticator {
    credential: SingleFlight<Arc<ExecCredential>>,
    rotations: watch::Receiver<u64>,
}

/// The credential of a plugin, ready to send.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExecCredential {
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) identity: Option<Arc<ClientIdentity>>,
}

/// The settings and environment of a plugin.
struct Plugin {
    config: ExecConfig,
    version: Version,
    cluster: ExecCluster,
    terminal: fn() -> bool,
    runner: Box<dyn Run>,
    metrics: Arc<dyn CredentialMetrics>,
    hint: Mutex<Hint>,
    last: Mutex<Last>,
    expiry: ExpirySlot,
    rotations: watch::Sender<u64>,
}

/// The certificate of the last credential.
#[derive(Default)]
enum Last {
    #[default]
    NeverAnswered,
    Answered(Option<Arc<ClientIdentity>>),
}

type Key = (ExecConfig, ExecCluster);

/// Some programs create a client for each call, so a credential outlives the client that fetched it.
static SHARED: LazyLock<Mutex<HashMap<Key, Arc<ExecAuthenticator>>>> = LazyLock::new(Mutex::default);

/// From this number on, authenticators that no client uses are dropped.
const MANY: usize = 64;

impl ExecAuthenticator {
    /// The authenticator for these settings, created if necessary. `metrics` apply only to a new one.
    pub(crate) fn shared(
        config: &ExecConfig,
        cluster: ExecCluster,
        metrics: Arc<dyn CredentialMetrics>,
    ) -> Result<Arc<Self>, ExecError> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (config.clone(), cluster);
        if let Some(authenticator) = shared.get(&key) {
            return Ok(authenticator.clone());
        }
        let terminal = || stdin().is_terminal();
        let authenticator =
            Self::new(key.0.clone(), key.1.clone(), terminal, Box::new(System), metrics, Clock::system())?;
        let authenticator = Arc::new(authenticator);
        if shared.len() >= MANY {
            shared.retain(|_, authenticator| Arc::strong_count(authenticator) > 1);
        }
        shared.insert(key, authenticator.clone());
        Ok(authenticator)
    }

    pub(super) fn new(
        config: ExecConfig,
        cluster: ExecCluster,
        terminal: fn() -> bool,
        runner: Box<dyn Run>,
        metrics: Arc<dyn CredentialMetrics>,
        clock: Clock,
    ) -> Result<Self, ExecError> {
        let version = Version::parse(&config.api_version)?;
        config.policy.validate()?;
        let (sender, rotations) = watch::channel(0);
        let plugin = Arc::new(Plugin {
            config,
            version,
            cluster,
            terminal,
            runner,
            metrics,
            hint: Mutex::default(),
            last: Mutex::default(),
            expiry: ExpirySlot::new(),
            rotations: sender,
        });
        let credential = SingleFlight::new(Refresh::new(Failure::Reported), clock, move || {
            let plugin = plugin.clone();
            Box::pin(async move { plugin.fetch().await })
        });
        Ok(Self { credential, rotations })
    }

    /// The credential for a request that begins now.
    pub(crate) async fn get(&self) -> Result<(Arc<ExecCredential>, Serial), AuthError> {
        self.credential.get().await
    }

    /// After a 401: the credential that replaces this one.
    pub(crate) async fn refused(&self, serial: Serial) -> Result<(Arc<ExecCredential>, Serial), AuthError> {
        self.credential.refused(serial).await
    }

    /// A counter that increases each time the client certificate is replaced.
    pub(crate) fn rotations(&self) -> watch::Receiver<u64> {
        self.rotations.clone()
    }
}

impl Plugin {
    async fn fetch(&self) -> Fetched<Arc<ExecCredential>> {
        let output = self.run().await?;
        let answer = protocol::answer(self.version, &output)
            .map_err(|reason| ExecError::Output { command: self.config.command.clone(), reason })?;
        let authorization = answer.token.as_ref().map(bearer).transpose()?;
        let identity = self.rotate(answer.identity.map(Arc::new));
        let expiry = answer.expiry.map_or(Expiry::Never, Expiry::At);
        Ok((Arc::new(ExecCredential { authorization, identity }), expiry))
    }

    /// Records the certificate. If it replaces another one, the connections that used the old one must close.
    fn rotate(&self, identity: Option<Arc<ClientIdentity>>) -> Option<Arc<ClientIdentity>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // If the certificate is equal, keep the existing value, so that TLS sessions stay valid.
        let identity = match std::mem::take(&mut *last) {
            Last::Answered(old) if old == identity => old,
            Last::Answered(old) => {
                if let Some(validity) = old.and_then(|old| old.validity()) {
                    let age = SystemTime::now().duration_since(validity.not_before).unwrap_or_default();
                    self.metrics.exec_certificate_rotated(age);
                }
                self.rotations.send_modify(|count| *count += 1);
                identity
            }
            Last::NeverAnswered => identity,
        };
        *last = Last::Answered(identity.clone());
        let expiry = identity.as_ref().and_then(|identity| identity.validity());
        self.metrics.exec_certificate_expiry(self.expiry.set(expiry.map(|validity| validity.not_after)));
        identity
    }

    async fn run(&self) -> Result<Vec<u8>, ExecError> {
        let command = &self.config.command;
        let interactive = self.interactive().map_err(ExecError::NotInteractive)?;
        let cluster = self.config.provide_cluster_info.then_some(&self.cluster);
        let info = protocol::question(self.version, interactive, cluster);

        let (name, policy) = (command.clone(), self.config.policy.clone());
        // File systems can be slow: do not block an async worker.
        let look = tokio::task::spawn_blocking(move || {
            policy.program(&name, &env::var_os("PATH").unwrap_or_default())
        });
        let program = look
            .await
            .map_err(|error| ExecError::Run { command: command.clone(), reason: error.to_string() })?;
        self.metrics.exec_policy(program.is_ok());
        let Some(program) = program? else {
            self.metrics.exec_call(ExecCall::PluginNotFoundError, 1);
            let mut hint = self.hint.lock().unwrap_or_else(PoisonError::into_inner);
            let hint = hint.tell(&self.config.install_hint, Instant::now());
            return Err(ExecError::NotFound { command: command.clone(), hint });
        };

        let timeout = self.config.timeout.unwrap_or(ExecConfig::DEFAULT_TIMEOUT);
        let env =
            self.config.env.iter().map(|variable| (variable.name.clone(), variable.value.clone().into()));
        let env = env.chain([(EXEC_INFO.to_owned(), info.into())]).collect();
        let args = self.config.args.clone();
        let run = self.runner.run(Invocation { program, args, env, stdin: interactive, timeout }).await;
        let (call, code) = match &run {
            Ok(_) => (ExecCall::NoError, 0),
            Err(RunError::Exit(code)) => (ExecCall::PluginExecutionError, *code),
            Err(_) => (ExecCall::ClientInternalError, 1),
        };
        self.metrics.exec_call(call, code);
        let command = command.clone();
        run.map_err(|error| match error {
            RunError::Exit(code) => ExecError::Exit { command, code },
            RunError::TimedOut => ExecError::TimedOut { command, after: timeout },
            RunError::TooMuch => ExecError::Output {
                command,
                reason: "its output is larger than a credential can be".to_owned(),
            },
            RunError::System(reason) => ExecError::Run { command, reason },
        })
    }

    /// Returns whether the plugin gets the user's standard input.
    fn interactive(&self) -> Result<bool, String> {
        let mode = match (&self.config.interactive_mode, self.version) {
            (InteractiveMode::Unset, Version::V1beta1) => &InteractiveMode::IfAvailable,
            (mode, _) => mode,
        };
        match mode {
            InteractiveMode::Never => Ok(false),
            InteractiveMode::IfAvailable => Ok(self.config.stdin_unavailable.is_none() && (self.terminal)()),
            InteractiveMode::Always if !(self.terminal)() => {
                Err("standard input is not a terminal".to_owned())
            }
            InteractiveMode::Always => match self.config.stdin_unavailable.as_deref() {
                None => Ok(true),
                Some("") => Err("standard input is unavailable".to_owned()),
                Some(message) => Err(format!("standard input is unavailable: {message}")),
            },
            InteractiveMode::Unset => Err("interactiveMode is not set, which v1 needs".to_owned()),
            InteractiveMode::Other(other) => Err(format!("unknown interactiveMode: {other:?}")),
        }
    }
}
