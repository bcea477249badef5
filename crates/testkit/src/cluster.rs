//! The cluster that a test talks to.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::binaries::Binaries;
use crate::error::{Context, Error, Result};
use crate::identity::ProcessIdentity;
use crate::kubeconfig::{Access, Kubeconfig};
use crate::launch::Launch;
use crate::namespace::Namespace;
use crate::options::Options;
use crate::probe::Probe;

/// Names the kubeconfig of a cluster to use instead of starting one.
pub const KUBECONFIG_VARIABLE: &str = "CLIENT_RS_KUBECONFIG";

/// A control plane that serves requests.
///
/// A cluster that was started here ends when it is dropped, and also when this process ends without dropping it
/// (SIGKILL, abort, a `static`): then a watchdog process ends it within moments. A cluster that already existed keeps
/// running.
#[derive(Debug)]
pub struct Cluster {
    kubeconfig: PathBuf,
    access: Access,
    options: Options,
    kubectl: OnceLock<PathBuf>,
    launch: Option<Launch>,
}

impl Cluster {
    /// The cluster of this process: the one that `CLIENT_RS_KUBECONFIG` names, else one that is started by
    /// the first call and lives until the process ends. Calls at the same time wait for one start.
    pub fn real() -> Result<Arc<Self>> {
        static SHARED: Mutex<Option<Arc<Cluster>>> = Mutex::new(None);
        // A start that panicked left nothing behind: the next call starts again.
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = &*shared {
            return Ok(Arc::clone(cluster));
        }
        let cluster = Arc::new(match env::var_os(KUBECONFIG_VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => Self::existing(Path::new(&path), Options::from_env())?,
            None => Self::start(Options::from_env())?,
        });
        *shared = Some(Arc::clone(&cluster));
        Ok(cluster)
    }

    /// Starts a new cluster for this caller alone, regardless of `CLIENT_RS_KUBECONFIG`.
    pub fn start(options: Options) -> Result<Self> {
        let binaries = Binaries::of(&options)?;
        options.progress.say(&format!("starting Kubernetes {}", binaries.kubernetes_version()));
        let launch = Launch::start("test", &options, &binaries)?;
        let kubeconfig = launch.kubeconfig();
        let access = Kubeconfig::read(&kubeconfig)?.access(None)?;
        let kubectl = OnceLock::new();
        if binaries.has("kubectl") {
            let _ = kubectl.set(binaries.path("kubectl"));
        }
        Ok(Self { kubeconfig, access, options, kubectl, launch: Some(launch) })
    }

    /// A cluster that runs already. Its kubeconfig must parse and its server answer; of `options`, only the
    /// folders and the progress matter.
    pub fn existing(kubeconfig: &Path, options: Options) -> Result<Self> {
        let access = Kubeconfig::read(kubeconfig)?.access(None)?;
        if !access.insecure {
            // Any answer will do: credentials may come from a plugin that only kubectl can run.
            Probe::new(&access).and_then(|probe| probe.get("/version")).map_err(|error| {
                Error::Kubeconfig {
                    path: kubeconfig.to_owned(),
                    reason: format!("its server does not answer: {error}"),
                }
            })?;
        }
        let kubeconfig = kubeconfig.canonicalize().context(|| format!("find {}", kubeconfig.display()))?;
        Ok(Self { kubeconfig, access, options, kubectl: OnceLock::new(), launch: None })
    }

    /// The administrator's kubeconfig. Of a cluster that was started here it has two contexts: `admin` (a
    /// client certificate, current) and `admin-token`.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// The server's address and the credentials of the current context.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the programs of a cluster that was started here; empty for one that already existed.
    pub fn processes(&self) -> Vec<(String, ProcessIdentity)> {
        self.launch.as_ref().map(Launch::processes).unwrap_or_default()
    }

    /// The folder with the logs, keys and data of a cluster that was started here.
    pub fn folder(&self) -> Option<&Path> {
        self.launch.as_ref().map(Launch::folder)
    }

    /// Returns kubectl with this cluster's kubeconfig: the built one, or for a cluster that already existed the one
    /// on the PATH if none is built.
    pub fn kubectl(&self) -> Result<Command> {
        let program = if let Some(program) = self.kubectl.get() {
            program
        } else {
            let found = self.find_kubectl()?;
            self.kubectl.get_or_init(|| found)
        };
        let mut command = Command::new(program);
        command.env_remove("KUBECONFIG").arg("--kubeconfig").arg(&self.kubeconfig);
        Ok(command)
    }

    /// Runs kubectl and returns its output; the error contains its message.
    pub fn run_kubectl(&self, arguments: &[&str]) -> Result<String> {
        let output = self.kubectl()?.args(arguments).output().context(|| "start kubectl".into())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Error::Kubectl {
            arguments: arguments.join(" "),
            reason: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    /// Whether the controllers of Kubernetes run. Folders of the user's may lack their program.
    pub(crate) fn has_controllers(&self) -> bool {
        let started = self.launch.as_ref().map(Launch::processes);
        started.is_none_or(|programs| programs.iter().any(|(name, _)| name == "kube-controller-manager"))
    }

    /// Creates a unique namespace, named after `prefix`, removed on drop.
    pub fn namespace(self: &Arc<Self>, prefix: &str) -> Result<Namespace> {
        Namespace::create(Arc::clone(self), prefix)
    }

    /// Stops a cluster that was started here and waits for it: no process and no file is left. A cluster that already
    /// existed keeps running.
    pub fn stop(mut self) -> Result<()> {
        self.launch.take().map_or(Ok(()), Launch::stop)
    }

    fn find_kubectl(&self) -> Result<PathBuf> {
        if let Some(binaries) = Binaries::existing(&self.options.folders)? {
            return Ok(binaries.path("kubectl"));
        }
        let on_path = env::var_os("PATH").and_then(|path| {
            env::split_paths(&path).map(|folder| folder.join("kubectl")).find(|file| file.is_file())
        });
        match on_path {
            Some(program) => Ok(program),
            None => Ok(Binaries::ready(&self.options.folders, &self.options.progress)?.path("kubectl")),
        }
    }
}
