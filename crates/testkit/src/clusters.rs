//! Named clusters that outlive the process that started them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::binaries::Binaries;
use crate::error::{Context, Error, Result};
use crate::folders::{Folders, remove_if_empty};
use crate::identity::ProcessIdentity;
use crate::launch::Launch;
use crate::layout::{Layout, write_private};
use crate::lock::FileLock;
use crate::options::Options;
use crate::progress::Progress;

/// How long a process may take to vanish after SIGKILL.
const END: Duration = Duration::from_secs(20);

/// The named clusters of one user.
///
/// Each has a record with its processes, identified by PID and start time, so that another process that has
/// inherited a number is never ended. Changes to one name are made one at a time, across processes.
#[derive(Clone, Debug)]
pub struct Clusters {
    folders: Folders,
}

/// The state of a named cluster.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// The version of Kubernetes, such as `v1.37.1`.
    pub kubernetes: String,
    /// The server's address.
    pub server: String,
    /// The administrator's kubeconfig.
    pub kubeconfig: PathBuf,
    /// The folder that holds all its files.
    pub folder: PathBuf,
    /// When it was started, in seconds since 1970.
    pub started: u64,
    /// Its programs.
    pub processes: Vec<(String, ProcessIdentity)>,
    /// The options that it was started with.
    options: serde_json::Value,
}

impl Record {
    /// The programs that should run and don't.
    pub fn dead(&self) -> Vec<&str> {
        self.processes
            .iter()
            .filter(|(_, process)| !process.is_alive())
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Whether all its programs run.
    pub fn is_running(&self) -> bool {
        self.dead().is_empty()
    }

    /// The log of one of its programs.
    pub fn log(&self, component: &str) -> PathBuf {
        self.folder.join(format!("{component}.log"))
    }

    /// How long ago it was started.
    pub fn age(&self) -> Duration {
        Duration::from_secs(seconds_since_1970().saturating_sub(self.started))
    }
}

/// The result of [`Clusters::up`].
#[derive(Clone, Debug)]
pub struct Up {
    /// The running cluster.
    pub record: Record,
    /// How long its start took once its programs were built; none if it ran already.
    pub started_in: Option<Duration>,
}

impl Clusters {
    /// The clusters whose records are in these folders.
    pub fn new(folders: Folders) -> Self {
        Self { folders }
    }

    /// Makes sure that a cluster of this name runs: starts one, or takes the one that runs with the same
    /// options. One that has lost a program is replaced.
    pub fn up(&self, name: &str, options: &Options) -> Result<Up> {
        check_name(name)?;
        let lock = self.lock(name, &options.progress)?;
        let outcome = self.up_locked(name, options);
        self.unlock(lock);
        outcome
    }

    /// Ends a cluster and waits for it: no process and no file is left. None when there was none.
    pub fn down(&self, name: &str, progress: &Progress) -> Result<Option<Record>> {
        check_name(name)?;
        let lock = self.lock(name, progress)?;
        let outcome = self.get(name).and_then(|record| {
            if let Some(record) = &record {
                self.end(record)?;
            }
            Ok(record)
        });
        self.unlock(lock);
        outcome
    }

    /// The record of a name, if there is one; its programs may have ended meanwhile.
    pub fn get(&self, name: &str) -> Result<Option<Record>> {
        check_name(name)?;
        let path = self.record_file(name);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).context(|| format!("read {}", path.display())),
        };
        match serde_json::from_slice::<Record>(&text) {
            Ok(record) if record.name == name => Ok(Some(record)),
            Ok(record) => {
                Err(Error::Record { path, reason: format!("it speaks of cluster {}", record.name) })
            }
            Err(error) => Err(Error::Record { path, reason: error.to_string() }),
        }
    }

    /// The names that have a record, in order.
    pub fn names(&self) -> Result<Vec<String>> {
        let entries = match std::fs::read_dir(&self.folders.runtime) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).context(|| format!("read {}", self.folders.runtime.display())),
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".json").map(str::to_owned))
            .filter(|name| check_name(name).is_ok())
            .collect();
        names.sort();
        Ok(names)
    }

    fn up_locked(&self, name: &str, options: &Options) -> Result<Up> {
        if let Some(record) = self.get(name)? {
            if record.is_running() {
                if record.options != options.shape() {
                    return Err(Error::OtherOptions { name: name.into() });
                }
                return Ok(Up { record, started_in: None });
            }
            options
                .progress
                .say(&format!("cluster {name} has lost {}: replacing it", record.dead().join(", ")));
            self.end(&record)?;
        }
        let binaries = Binaries::of(options)?;
        options
            .progress
            .say(&format!("starting cluster {name}, Kubernetes {}", binaries.kubernetes_version()));
        let start = Instant::now();
        let launch = Launch::start(name, options, &binaries)?;
        let record = Record {
            name: name.into(),
            kubernetes: binaries.kubernetes_version().into(),
            server: launch.server().into(),
            kubeconfig: launch.kubeconfig(),
            folder: launch.folder().to_owned(),
            started: seconds_since_1970(),
            processes: launch.processes(),
            options: options.shape(),
        };
        self.write(&record)?;
        // Only now: a cluster without a record dies with us.
        launch.detach();
        Ok(Up { record, started_in: Some(start.elapsed()) })
    }

    /// Ends what is left of a cluster, and forgets it.
    fn end(&self, record: &Record) -> Result<()> {
        for (component, process) in record.processes.iter().rev() {
            let ended =
                process.end(END).context(|| format!("end {component} (process {})", process.pid()))?;
            if !ended {
                return Err(Error::Immortal {
                    component: component.clone(),
                    pid: process.pid(),
                    seconds: END.as_secs(),
                });
            }
        }
        if !is_data_folder(&record.folder, &record.name) {
            return Err(Error::Record {
                path: self.record_file(&record.name),
                reason: format!("{} is no folder of ours", record.folder.display()),
            });
        }
        match std::fs::remove_dir_all(&record.folder) {
            Ok(()) => (),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (),
            Err(error) => return Err(error).context(|| format!("remove {}", record.folder.display())),
        }
        if let Some(data) = record.folder.parent() {
            remove_if_empty(data);
        }
        let file = self.record_file(&record.name);
        std::fs::remove_file(&file).context(|| format!("remove {}", file.display()))
    }

    /// Whole or not at all: readers take no lock.
    fn write(&self, record: &Record) -> Result<()> {
        let path = self.record_file(&record.name);
        let text = serde_json::to_vec_pretty(record)
            .map_err(|error| Error::Record { path: path.clone(), reason: error.to_string() })?;
        let draft = path.with_extension("draft");
        write_private(&draft, &text)?;
        std::fs::rename(&draft, &path).context(|| format!("write {}", path.display()))
    }

    fn lock(&self, name: &str, progress: &Progress) -> Result<FileLock> {
        let mut told = Duration::ZERO;
        FileLock::acquire(&self.folders.runtime.join(format!("{name}.lock")), |waited| {
            if waited >= told {
                progress
                    .say(&format!("waiting for another command on cluster {name}, {} s", waited.as_secs()));
                told = waited + Duration::from_secs(5);
            }
        })
    }

    fn unlock(&self, lock: FileLock) {
        lock.remove();
        remove_if_empty(&self.folders.runtime);
    }

    fn record_file(&self, name: &str) -> PathBuf {
        self.folders.runtime.join(format!("{name}.json"))
    }
}

/// Names go into names of files.
fn check_name(name: &str) -> Result<()> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let valid = (1..=32).contains(&name.len())
        && name.bytes().all(|byte| plain(byte) || byte == b'-')
        && name.bytes().next().is_some_and(plain)
        && name.bytes().last().is_some_and(plain);
    if valid { Ok(()) } else { Err(Error::Name { name: name.into() }) }
}

/// A record is a file that anyone with the user's rights may have edited: what it names is removed only if
/// it looks like what we create.
fn is_data_folder(folder: &Path, name: &str) -> bool {
    let own = format!("client-rs-{}", rustix::process::geteuid().as_raw());
    let mut parts = folder.iter().rev().map(|part| part.to_string_lossy());
    folder.is_absolute()
        && Layout::new(folder).is_ok()
        && !folder.components().any(|part| part == std::path::Component::ParentDir)
        && parts.next().is_some_and(|last| last.starts_with(&format!("{name}-")))
        && parts.next().is_some_and(|data| data == "data")
        && parts.next().is_some_and(|base| *base == *own)
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_secs()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};

    struct Scene {
        temp: tempfile::TempDir,
        clusters: Clusters,
        data: PathBuf,
    }

    impl Scene {
        fn new() -> Self {
            let temp = tempfile::tempdir().unwrap();
            let own = temp.path().join(format!("client-rs-{}", rustix::process::geteuid().as_raw()));
            let data = own.join("data");
            let folders = Folders {
                cache: temp.path().join("cache"),
                runtime: own.join("clusters"),
                data: data.clone(),
            };
            Self { temp, clusters: Clusters::new(folders), data }
        }

        /// A cluster on record whose only program is `program`.
        fn record(&self, name: &str, program: &ProcessIdentity) -> Record {
            let folder = self.data.join(format!("{name}-x1"));
            crate::folders::create_private(&folder).unwrap();
            crate::folders::create_private(&self.clusters.folders.runtime).unwrap();
            let record = Record {
                name: name.into(),
                kubernetes: "v1.37.1".into(),
                server: "https://127.0.0.1:1".into(),
                kubeconfig: folder.join("kubeconfig"),
                folder,
                started: seconds_since_1970(),
                processes: vec![("etcd".into(), program.clone())],
                options: Options::default().shape(),
            };
            self.clusters.write(&record).unwrap();
            record
        }
    }

    fn program() -> (Child, ProcessIdentity) {
        let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let identity = ProcessIdentity::of(child.id()).unwrap().unwrap();
        (child, identity)
    }

    /// The same number, another start.
    fn predecessor(process: &ProcessIdentity) -> ProcessIdentity {
        let text = serde_json::to_string(process).unwrap().replace("\"started\":\"", "\"started\":\"earlier");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn down_ends_the_program_and_leaves_no_file() {
        let scene = Scene::new();
        let (mut child, identity) = program();
        scene.record("one", &identity);
        assert_eq!(scene.clusters.names().unwrap(), ["one"]);
        assert!(scene.clusters.get("one").unwrap().unwrap().is_running());
        assert!(scene.clusters.down("one", &Progress::silent()).unwrap().is_some());
        assert!(!child.wait().unwrap().success());
        assert_eq!(std::fs::read_dir(scene.temp.path()).unwrap().count(), 0);
        assert!(scene.clusters.down("one", &Progress::silent()).unwrap().is_none());
        assert_eq!(std::fs::read_dir(scene.temp.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_heir_of_a_number_survives_down() {
        let scene = Scene::new();
        let (mut child, heir) = program();
        scene.record("one", &predecessor(&heir));
        assert_eq!(scene.clusters.get("one").unwrap().unwrap().dead(), ["etcd"]);
        scene.clusters.down("one", &Progress::silent()).unwrap();
        assert!(heir.is_alive());
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn clusters_do_not_touch_each_other() {
        let scene = Scene::new();
        let ((mut first, one), (mut second, two)) = (program(), program());
        scene.record("one", &one);
        let kept = scene.record("two", &two);
        scene.clusters.down("one", &Progress::silent()).unwrap();
        assert!(two.is_alive() && kept.folder.exists());
        assert_eq!(scene.clusters.names().unwrap(), ["two"]);
        scene.clusters.down("two", &Progress::silent()).unwrap();
        first.wait().unwrap();
        second.wait().unwrap();
    }

    #[test]
    fn up_of_a_running_name_returns_it_and_refuses_other_options() {
        let scene = Scene::new();
        let (mut child, identity) = program();
        scene.record("one", &identity);
        let options = Options {
            folders: scene.clusters.folders.clone(),
            progress: Progress::silent(),
            ..Options::default()
        };
        let up = scene.clusters.up("one", &options).unwrap();
        assert!(up.started_in.is_none());
        assert_eq!(up.record.processes, [("etcd".to_owned(), identity)]);
        let other = Options { all_apis: true, ..options };
        assert!(matches!(scene.clusters.up("one", &other), Err(Error::OtherOptions { .. })));
        scene.clusters.down("one", &Progress::silent()).unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn an_invalid_record_is_reported_with_its_path() {
        let scene = Scene::new();
        let (mut child, identity) = program();
        scene.record("one", &identity);
        let path = scene.clusters.record_file("one");
        std::fs::write(&path, "{\"name\":").unwrap();
        for error in [
            scene.clusters.get("one").unwrap_err(),
            scene.clusters.down("one", &Progress::silent()).unwrap_err(),
            scene.clusters.up("one", &Options::default()).unwrap_err(),
        ] {
            assert!(error.to_string().contains(&path.display().to_string()), "{error}");
        }
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn a_record_can_not_make_us_remove_other_folders() {
        let scene = Scene::new();
        let (mut child, identity) = program();
        let mut record = scene.record("one", &identity);
        record.folder = scene.temp.path().join("precious");
        std::fs::create_dir(&record.folder).unwrap();
        scene.clusters.write(&record).unwrap();
        assert!(matches!(scene.clusters.down("one", &Progress::silent()), Err(Error::Record { .. })));
        assert!(record.folder.exists());
        child.wait().unwrap();
        for folder in ["/", "/tmp", "relative/client-rs-0/data/one-x", "/client-rs-0/data/one-x/../../.."] {
            assert!(!is_data_folder(Path::new(folder), "one"), "{folder}");
        }
    }

    #[test]
    fn names_that_are_not_file_names_are_refused() {
        for name in ["default", "a", "ci-1", &"x".repeat(32)] {
            check_name(name).unwrap();
        }
        for name in ["", "-a", "a-", "A", "a/b", "..", "a.b", "a b", "ä", &"x".repeat(33)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
