//! Starts the programs of one cluster and waits until it is ready.

use std::fs::{OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::binaries::Binaries;
use crate::error::{Context, Error, Result};
use crate::flags;
use crate::folders::{Folders, create_private, remove_if_empty};
use crate::identity::ProcessIdentity;
use crate::kubeconfig::{self, Kubeconfig};
use crate::layout::Layout;
use crate::options::Options;
use crate::pki::Pki;
use crate::port::{Attempt, with_port};
use crate::probe::Probe;
use crate::watchdog::Watchdog;

pub(crate) const ETCD: &str = "etcd";
pub(crate) const APISERVER: &str = "kube-apiserver";
pub(crate) const CONTROLLER_MANAGER: &str = "kube-controller-manager";

const POLL: Duration = Duration::from_millis(100);

/// The running programs of a cluster. Dropped, they end and their files go; [`Launch::detach`] lets them live.
#[derive(Debug)]
pub(crate) struct Launch {
    layout: Layout,
    programs: Vec<Program>,
    watchdog: Option<Watchdog>,
    server: String,
}

#[derive(Debug)]
struct Program {
    name: &'static str,
    child: Child,
    identity: ProcessIdentity,
}

impl Launch {
    /// Starts a cluster and waits until it serves and its controllers work, if their program is there. `name` is part of the folder's name.
    pub(crate) fn start(name: &str, options: &Options, binaries: &Binaries) -> Result<Self> {
        let deadline = Instant::now() + options.start_timeout;
        let folder = data_folder(&options.folders, name)?;
        let watchdog = Watchdog::start(&folder);
        let layout = Layout::new(&folder);
        let mut launch = match (layout, watchdog) {
            (Ok(layout), Ok(watchdog)) => {
                Self { layout, programs: Vec::new(), watchdog: Some(watchdog), server: String::new() }
            }
            (Err(error), watchdog) => {
                watchdog.map(Watchdog::dismiss).ok();
                let _ = std::fs::remove_dir_all(&folder);
                return Err(error);
            }
            (Ok(_), Err(error)) => {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(error);
            }
        };
        let pki = Pki::create(&launch.layout)?;
        launch.spawn(ETCD, binaries, flags::etcd(&launch.layout, options))?;
        with_port(options.port, |port| launch.start_apiserver(port, options, binaries, &pki, deadline))?;
        if !binaries.has(CONTROLLER_MANAGER) {
            // As with controller-runtime's envtest: nothing collects garbage, and namespaces have no service account.
            return Ok(launch);
        }
        launch.spawn(CONTROLLER_MANAGER, binaries, flags::controller_manager(&launch.layout, options))?;
        // Two of its controllers create the service account: it exists once they work.
        launch.wait_for(
            "/api/v1/namespaces/default/serviceaccounts/default",
            CONTROLLER_MANAGER,
            deadline,
        )?;
        Ok(launch)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.layout.folder()
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.layout.kubeconfig()
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    pub(crate) fn processes(&self) -> Vec<(String, ProcessIdentity)> {
        self.programs.iter().map(|program| (program.name.to_owned(), program.identity.clone())).collect()
    }

    /// Lets the programs live on, whatever becomes of us.
    pub(crate) fn detach(mut self) {
        self.programs.clear();
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.dismiss();
        }
    }

    /// Ends the programs, waits for their end and removes the files.
    pub(crate) fn stop(mut self) -> Result<()> {
        self.clean_up()
    }

    fn start_apiserver(
        &mut self,
        port: u16,
        options: &Options,
        binaries: &Binaries,
        pki: &Pki,
        deadline: Instant,
    ) -> Result<Attempt<()>> {
        self.server = format!("https://127.0.0.1:{port}");
        self.layout.write("kubeconfig", &kubeconfig::admin(&self.server, pki))?;
        self.layout
            .write("controller-manager.kubeconfig", &kubeconfig::controller_manager(&self.server, pki))?;
        let mut flags = flags::apiserver(&self.layout, options, port);
        if !binaries.has(CONTROLLER_MANAGER) {
            // Nothing creates the accounts that this plugin asks for. The user's flags come later, so they win.
            flags.insert(0, "--disable-admission-plugins=ServiceAccount".to_owned());
        }
        self.spawn(APISERVER, binaries, flags)?;
        match self.wait_for("/readyz", APISERVER, deadline) {
            Ok(()) => Ok(Attempt::Done(())),
            Err(error) => {
                let log = std::fs::read_to_string(self.layout.log(APISERVER)).unwrap_or_default();
                let gone = self.programs.iter_mut().any(|program| {
                    program.name == APISERVER && program.child.try_wait().is_ok_and(|status| status.is_some())
                });
                if gone && log.contains("address already in use") {
                    self.programs.retain(|program| program.name != APISERVER);
                    return Ok(Attempt::Taken);
                }
                Err(error)
            }
        }
    }

    fn spawn(&mut self, name: &'static str, binaries: &Binaries, flags: Vec<String>) -> Result<()> {
        let log = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .mode(0o600)
            .open(self.layout.log(name));
        let log = log.context(|| format!("write the log of {name}"))?;
        let also = log.try_clone().context(|| format!("write the log of {name}"))?;
        let mut command = Command::new(binaries.path(name));
        command.args(flags).current_dir(self.layout.folder()).stdin(Stdio::null()).stdout(log).stderr(also);
        if let Some(watchdog) = &self.watchdog {
            command.process_group(watchdog.group());
        }
        let mut child = command.spawn().context(|| format!("start {name}"))?;
        let identity = match ProcessIdentity::of(child.id()) {
            Ok(Some(identity)) => identity,
            // It has ended already: the task that waits for it reports why.
            Ok(None) => return Err(ended(name, child.try_wait().ok().flatten(), &self.layout)),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(error).context(|| format!("tell the process of {name} from others"));
            }
        };
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.watch(child.id())?;
        }
        self.programs.push(Program { name, child, identity });
        Ok(())
    }

    /// Waits until a GET of `path` is answered with 200; an error as soon as a program ends.
    fn wait_for(&mut self, path: &str, component: &'static str, deadline: Instant) -> Result<()> {
        let probe = Probe::new(&Kubeconfig::read(&self.kubeconfig())?.access(None)?)?;
        loop {
            for program in &mut self.programs {
                if let Some(status) =
                    program.child.try_wait().context(|| format!("wait for {}", program.name))?
                {
                    return Err(ended(program.name, Some(status), &self.layout));
                }
            }
            let answer = match probe.get(path) {
                Ok(answer) if answer.status == 200 => return Ok(()),
                Ok(answer) => format!("status {}", answer.status),
                Err(error) => error.to_string(),
            };
            if Instant::now() > deadline {
                let what = format!("did not get ready in time (GET {path}: {answer})");
                return Err(Error::Component { component, what, log: last_words(&self.layout, component) });
            }
            thread::sleep(POLL);
        }
    }

    fn clean_up(&mut self) -> Result<()> {
        // The last started ends first, so that no program reports the end of another.
        while let Some(mut program) = self.programs.pop() {
            // Its data is thrown away: there is nothing to finish. An error means that it has ended.
            let _ = program.child.kill();
            program.child.wait().context(|| format!("wait for {}", program.name))?;
        }
        let Some(watchdog) = self.watchdog.take() else { return Ok(()) };
        let removed = std::fs::remove_dir_all(self.layout.folder())
            .context(|| format!("remove {}", self.layout.folder().display()));
        if let Some(data) = self.layout.folder().parent() {
            remove_if_empty(data);
        }
        watchdog.dismiss();
        removed
    }
}

impl Drop for Launch {
    fn drop(&mut self) {
        if let Err(error) = self.clean_up() {
            eprintln!("warning: {error}");
        }
    }
}

/// A new folder for a cluster's files.
pub(crate) fn data_folder(folders: &Folders, name: &str) -> Result<PathBuf> {
    let mut attempts = 0;
    loop {
        create_private(&folders.data)?;
        attempts += 1;
        match new_folder(&folders.data, name) {
            Ok(folder) => return Ok(folder.keep()),
            // The last cluster that ended took the empty folder with it just now.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && attempts < 10 => (),
            Err(error) => {
                return Err(error).context(|| format!("create a folder in {}", folders.data.display()));
            }
        }
    }
}

fn new_folder(parent: &Path, name: &str) -> std::io::Result<tempfile::TempDir> {
    let private = Permissions::from_mode(0o700);
    tempfile::Builder::new().prefix(&format!("{name}-")).permissions(private).tempdir_in(parent)
}

fn ended(component: &'static str, status: Option<std::process::ExitStatus>, layout: &Layout) -> Error {
    let what = status.map_or_else(|| "ended".to_owned(), |status| format!("ended ({status})"));
    Error::Component { component, what, log: last_words(layout, component) }
}

/// Returns the most informative line of a log: the last error, else the last line.
fn last_words(layout: &Layout, component: &str) -> Option<String> {
    telling_line(&std::fs::read_to_string(layout.log(component)).ok()?)
}

fn telling_line(log: &str) -> Option<String> {
    let lines = || log.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    // klog's lines begin with their level and the date; etcd's are JSON; a refused flag is "Error: …".
    let is_error = |line: &&str| {
        let klog = line.starts_with(['E', 'F'])
            && line
                .as_bytes()
                .get(1..5)
                .is_some_and(|date| date.is_ascii() && date.iter().all(u8::is_ascii_digit));
        klog || line.starts_with("Error:")
            || line.starts_with("\"command failed\"")
            || line.contains("\"level\":\"fatal\"")
    };
    lines().find(is_error).or_else(|| lines().next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_telling_line_of_a_log_is_found() {
        let log =
            "I1115 09:00:00 a.go] fine\nE1115 09:00:01 b.go] \"command failed\" err=\"no\"\nI1115 bye\n\n";
        assert!(telling_line(log).unwrap().starts_with("E1115"));
        assert_eq!(telling_line("Error: unknown flag: --x\nUsage:\n").unwrap(), "Error: unknown flag: --x");
        assert_eq!(telling_line("Every line\nis plain\n").unwrap(), "is plain");
        assert_eq!(telling_line(" \n\n"), None);
    }

    #[test]
    fn data_folders_are_new_and_private() {
        let temp = tempfile::tempdir().unwrap();
        let own = temp.path().join("client-rs-7");
        let folders =
            Folders { cache: own.join("cache"), runtime: own.join("clusters"), data: own.join("data") };
        let (first, second) = (data_folder(&folders, "a").unwrap(), data_folder(&folders, "a").unwrap());
        assert_ne!(first, second);
        assert!(
            first.starts_with(&folders.data)
                && first.file_name().unwrap().to_string_lossy().starts_with("a-")
        );
        let mode = std::os::unix::fs::MetadataExt::mode(&first.metadata().unwrap());
        assert_eq!(mode & 0o777, 0o700);
    }
}
