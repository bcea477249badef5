//! The control plane's programs: built once from their Go modules, kept in the user's cache.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::error::{Context, Error, Result};
use crate::folders::{Folders, create_private};
use crate::go;
use crate::lock::FileLock;
use crate::options::Options;
use crate::progress::Progress;
use crate::watchdog::Watchdog;

/// The programs: our name, the package, and the name that `go build` assigns.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("etcd", "go.etcd.io/etcd/server/v3", "server"),
    ("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "kube-apiserver"),
    ("kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", "kube-controller-manager"),
    ("kubectl", "k8s.io/kubernetes/cmd/kubectl", "kubectl"),
];

/// The file that marks a complete folder: each program with its size.
const MANIFEST: &str = "complete.json";

/// How often a build reports its progress.
const TICK: Duration = Duration::from_secs(5);

/// etcd, kube-apiserver, kube-controller-manager and kubectl of one version, in a folder of the user's cache.
///
/// The folder's name holds the versions, the platform and a digest of all that decides the result (go.mod,
/// go.sum, build flags), so that another pin or flag never meets old programs. It is built next to its final path
/// and renamed into it, under a lock: it is never seen half-built, and two that need it build it once. One
/// that lacks a program, or has one of the wrong size, is built again.
///
/// Instead, they may be in a folder that the user names, as tests on controller-runtime have it: see [`Options::assets`](crate::Options).
#[derive(Clone, Debug)]
pub struct Binaries {
    /// The folder with the manifest, if they were built here.
    folder: PathBuf,
    /// The folder with the programs.
    programs: PathBuf,
    kubernetes: String,
}

impl Binaries {
    /// Returns the programs, and builds them if they are missing: that takes minutes the first time, reports to
    /// `progress`, and needs Go and its module proxy. Existing programs need neither.
    pub fn ready(folders: &Folders, progress: &Progress) -> Result<Self> {
        let source = Source::pinned()?;
        let binaries = Self::built(&source, folders);
        if binaries.is_whole() {
            return Ok(binaries);
        }
        let lock_file = folders.cache.join(format!("{}.lock", source.key()));
        let mut told = Duration::ZERO;
        let lock = FileLock::acquire(&lock_file, |waited| {
            if waited >= told {
                progress
                    .say(&format!("waiting for another build of the control plane, {} s", waited.as_secs()));
                told = waited + TICK;
            }
        })?;
        if !binaries.is_whole() {
            source.build(&binaries.folder, folders, progress)?;
        }
        drop(lock);
        Ok(binaries)
    }

    /// The programs if they are built, whole.
    pub fn existing(folders: &Folders) -> Result<Option<Self>> {
        let source = Source::pinned()?;
        let binaries = Self::built(&source, folders);
        Ok(binaries.is_whole().then_some(binaries))
    }

    /// Where the programs are, or will be once they are built.
    pub fn location(folders: &Folders) -> Result<PathBuf> {
        Ok(Source::pinned()?.location(folders))
    }

    /// The path of one program: `etcd`, `kube-apiserver`, `kube-controller-manager` or `kubectl`.
    pub fn path(&self, program: &str) -> PathBuf {
        self.programs.join(program)
    }

    /// The version of Kubernetes, such as `v1.37.1`. For programs in a folder of the user's, that of `kube-apiserver --version`.
    pub fn kubernetes_version(&self) -> &str {
        &self.kubernetes
    }

    /// The programs of a folder of the user's: at least etcd and kube-apiserver. [`Error::Assets`] if one is missing.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        for program in ["etcd", "kube-apiserver"] {
            let is_program =
                |file: std::fs::Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
            if !folder.join(program).metadata().is_ok_and(is_program) {
                return Err(Error::Assets { folder: folder.into(), program });
            }
        }
        let output = std::process::Command::new(folder.join("kube-apiserver")).arg("--version").output();
        let said = output.map(|output| {
            String::from_utf8_lossy(&output.stdout).trim().trim_start_matches("Kubernetes ").to_owned()
        });
        let kubernetes =
            said.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "of unknown version".into());
        Ok(Self { folder: folder.into(), programs: folder.into(), kubernetes })
    }

    /// The programs for these options: those of the user's folder, or built ones.
    pub(crate) fn of(options: &Options) -> Result<Self> {
        match &options.assets {
            Some(folder) => Self::in_folder(folder),
            None => Self::ready(&options.folders, &options.progress),
        }
    }

    /// Whether a program exists. A folder of the user's need not have all.
    pub(crate) fn has(&self, program: &str) -> bool {
        self.path(program).is_file()
    }

    fn built(source: &Source, folders: &Folders) -> Self {
        let folder = source.location(folders);
        Self { programs: folder.join("bin"), folder, kubernetes: source.pins.kubernetes.clone() }
    }

    fn is_whole(&self) -> bool {
        let Ok(text) = std::fs::read(self.folder.join(MANIFEST)) else { return false };
        let Ok(manifest) = serde_json::from_slice::<BTreeMap<String, u64>>(&text) else { return false };
        PROGRAMS.iter().all(|(name, ..)| {
            self.path(name).metadata().is_ok_and(|found| {
                found.is_file()
                    && found.permissions().mode() & 0o100 != 0
                    && manifest.get(*name).is_some_and(|size| *size == found.len())
            })
        })
    }
}

/// The versions that go.mod pins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pins {
    go: String,
    kubernetes: String,
    etcd: String,
}

impl Pins {
    fn parse(go_mod: &str) -> Option<Self> {
        let words: Vec<Vec<&str>> =
            go_mod.lines().map(|line| line.split_ascii_whitespace().collect()).collect();
        let value = |name: &str, starts: &str| {
            words.iter().find_map(|line| match line.as_slice() {
                [first, value, ..] | ["require", first, value, ..]
                    if *first == name && value.starts_with(starts) =>
                {
                    Some((*value).to_owned())
                }
                _ => None,
            })
        };
        Some(Self {
            go: value("go", "1.")?,
            kubernetes: value("k8s.io/kubernetes", "v")?,
            etcd: value("go.etcd.io/etcd/server/v3", "v")?,
        })
    }

    /// The version goes into the programs: without it they report v0.0.0, and clients read that.
    fn linker_flags(&self) -> String {
        let package = "k8s.io/component-base/version";
        let mut parts = self.kubernetes.trim_start_matches('v').split('.');
        let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        format!(
            "-s -w -X {package}.gitVersion={} -X {package}.gitMajor={major} -X {package}.gitMinor={minor} -X {package}.gitTreeState=clean",
            self.kubernetes
        )
    }
}

/// The Go module that the programs are built from.
struct Source {
    go_mod: String,
    go_sum: String,
    pins: Pins,
    digest: String,
}

impl Source {
    /// The module that this crate carries.
    fn pinned() -> Result<Self> {
        Self::parse(include_str!("controlplane.mod"), include_str!("controlplane.sum"))
    }

    fn parse(go_mod: &str, go_sum: &str) -> Result<Self> {
        let pins = Pins::parse(go_mod)
            .ok_or_else(|| Error::Build { detail: "go.mod does not pin Go, Kubernetes and etcd".into() })?;
        let mut hash = Sha256::new();
        for part in [go_mod, go_sum, &pins.linker_flags()] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let digest =
            hash.finalize().iter().take(8).fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        Ok(Self { go_mod: go_mod.into(), go_sum: go_sum.into(), pins, digest })
    }

    fn key(&self) -> String {
        use std::env::consts::{ARCH, OS};
        format!("{}-etcd-{}-{OS}-{ARCH}-{}", self.pins.kubernetes, self.pins.etcd, self.digest)
    }

    fn location(&self, folders: &Folders) -> PathBuf {
        folders.cache.join(self.key())
    }

    /// Builds next to the final path and renames into it. The caller holds the lock.
    fn build(&self, place: &Path, folders: &Folders, progress: &Progress) -> Result<()> {
        go::check(&self.pins.go)?;
        create_private(&folders.cache)?;
        self.remove_leftovers(folders);
        let draft = tempfile::Builder::new()
            .prefix(&format!("{}.partial-", self.key()))
            .tempdir_in(&folders.cache)
            .context(|| format!("create a folder in {}", folders.cache.display()))?;
        let bin = draft.path().join("bin");
        // Go's scratch directory is in the draft too: removing the draft removes everything.
        let scratch = draft.path().join("tmp");
        let module = draft.path().join("module");
        for folder in [&bin, &scratch, &module] {
            create_private(folder)?;
        }
        for (name, text) in [("go.mod", &self.go_mod), ("go.sum", &self.go_sum)] {
            std::fs::write(module.join(name), text).context(|| format!("write {name}"))?;
        }
        let start = Instant::now();
        progress.say(&format!(
            "building Kubernetes {} and etcd {} (once; the first build takes minutes)",
            self.pins.kubernetes, self.pins.etcd
        ));
        // A build that outlives this process would continue for minutes, for nothing.
        let mut watchdog = Watchdog::start(draft.path())?;
        let built = self.go_build(&module, &bin, &scratch, &mut watchdog, progress);
        watchdog.dismiss();
        built?;
        let mut manifest = BTreeMap::new();
        for (name, _, built) in PROGRAMS {
            let path = bin.join(name);
            std::fs::rename(bin.join(built), &path)
                .context(|| format!("name {} in {}", name, bin.display()))?;
            manifest.insert(name, path.metadata().context(|| format!("read {}", path.display()))?.len());
        }
        let text =
            serde_json::to_vec(&manifest).map_err(|error| Error::Build { detail: error.to_string() })?;
        std::fs::write(draft.path().join(MANIFEST), text)
            .context(|| "write the manifest of the build".into())?;
        for folder in [&scratch, &module] {
            std::fs::remove_dir_all(folder).context(|| format!("remove {}", folder.display()))?;
        }
        if place.exists() {
            // Running programs keep their files: removal unlinks the names only.
            std::fs::remove_dir_all(place)
                .context(|| format!("remove the half-built {}", place.display()))?;
        }
        std::fs::rename(draft.path(), place).context(|| format!("move the build to {}", place.display()))?;
        // It has moved: nothing is left to remove.
        let _ = draft.keep();
        progress.say(&format!("built in {} s", start.elapsed().as_secs()));
        Ok(())
    }

    /// Removes leftovers of interrupted builds: under the lock, no other process builds.
    fn remove_leftovers(&self, folders: &Folders) {
        let prefix = format!("{}.partial-", self.key());
        for entry in std::fs::read_dir(&folders.cache).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    fn go_build(
        &self,
        module: &Path,
        bin: &Path,
        scratch: &Path,
        watchdog: &mut Watchdog,
        progress: &Progress,
    ) -> Result<()> {
        let mut command = go::command();
        command.current_dir(module).env("GOTMPDIR", scratch);
        command.args(["build", "-v", "-trimpath", "-mod=readonly", "-buildvcs=false"]);
        command.arg("-ldflags").arg(self.pins.linker_flags()).arg("-o").arg(bin);
        command.args(PROGRAMS.iter().map(|(_, package, _)| package));
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(watchdog.group())
            .spawn()
            .context(|| "start `go build`".into())?;
        watchdog.watch(child.id())?;
        let (downloads, packages) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let start = Instant::now();
        let stderr = child.stderr.take();
        let (status, said) = thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut said = VecDeque::new();
                for line in
                    stderr.into_iter().flat_map(|pipe| BufReader::new(pipe).lines()).map_while(Result::ok)
                {
                    match Said::of(&line) {
                        Said::Download => _ = downloads.fetch_add(1, Ordering::Relaxed),
                        Said::Package => _ = packages.fetch_add(1, Ordering::Relaxed),
                        Said::Else => {
                            said.push_back(line);
                            if said.len() > 50 {
                                said.pop_front();
                            }
                        }
                    }
                }
                said
            });
            let mut told = TICK;
            let status: std::io::Result<ExitStatus> = loop {
                match child.try_wait() {
                    Ok(Some(status)) => break Ok(status),
                    Ok(None) => thread::sleep(Duration::from_millis(50)),
                    Err(error) => break Err(error),
                }
                if start.elapsed() >= told {
                    told += TICK;
                    progress.say(&format!(
                        "building: {} modules downloaded, {} packages compiled, {} s",
                        downloads.load(Ordering::Relaxed),
                        packages.load(Ordering::Relaxed),
                        start.elapsed().as_secs()
                    ));
                }
            };
            (status, reader.join().unwrap_or_default())
        });
        if status.context(|| "wait for `go build`".into())?.success() {
            return Ok(());
        }
        Err(judge(&said, || {
            let output = go::command().args(["env", "GOPROXY"]).output();
            go::without_credentials(
                &output.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default(),
            )
        }))
    }
}

/// The meaning of a line of `go build -v`.
enum Said {
    Download,
    Package,
    Else,
}

impl Said {
    fn of(line: &str) -> Self {
        if line.starts_with("go: downloading ") {
            Self::Download
        } else if !line.is_empty() && !line.starts_with('#') && !line.contains([' ', '\t', ':']) {
            Self::Package
        } else {
            Self::Else
        }
    }
}

/// The reason of a failed build, from Go's output.
fn judge(said: &VecDeque<String>, proxy: impl FnOnce() -> String) -> Error {
    const OUT_OF_REACH: [&str; 9] = [
        "dial tcp",
        "proxyconnect",
        "no such host",
        "i/o timeout",
        "connection refused",
        "connection reset",
        "network is unreachable",
        "TLS handshake timeout",
        "disabled by GOPROXY=off",
    ];
    let out_of_reach = said.iter().find(|line| OUT_OF_REACH.iter().any(|sign| line.contains(sign)));
    if let Some(line) = out_of_reach {
        return Error::ProxyUnreachable { proxy: proxy(), detail: line.trim().into() };
    }
    let line = said.iter().rev().find(|line| !line.trim().is_empty());
    Error::Build { detail: line.map_or_else(|| "go build printed nothing".into(), |line| line.trim().into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO_MOD: &str = "module m\n\ngo 1.26.0\n\ntool (\n\tgo.etcd.io/etcd/server/v3\n)\n\nrequire (\n\
        \tgo.etcd.io/etcd/server/v3 v3.7.0 // indirect\n\tk8s.io/kubernetes v1.37.1 // indirect\n)\n";

    fn source(go_mod: &str, go_sum: &str) -> Source {
        Source::parse(go_mod, go_sum).unwrap()
    }

    fn folders(temp: &Path) -> Folders {
        Folders { cache: temp.join("cache"), runtime: temp.join("run"), data: temp.join("data") }
    }

    /// A folder as a build leaves it, with programs of a few bytes.
    fn built(folder: &Path) -> Binaries {
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        let mut manifest = BTreeMap::new();
        for (name, ..) in PROGRAMS {
            let path = folder.join("bin").join(name);
            std::fs::write(&path, "program").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            manifest.insert(name, 7);
        }
        std::fs::write(folder.join(MANIFEST), serde_json::to_vec(&manifest).unwrap()).unwrap();
        Binaries { folder: folder.into(), programs: folder.join("bin"), kubernetes: "v1.37.1".into() }
    }

    #[test]
    fn the_pins_are_read_from_go_mod() {
        let pins = Pins::parse(GO_MOD).unwrap();
        assert_eq!(pins, Pins { go: "1.26.0".into(), kubernetes: "v1.37.1".into(), etcd: "v3.7.0".into() });
        assert!(pins.linker_flags().contains("version.gitMinor=37 "));
        let single = Pins::parse(
            "go 1.30\nrequire k8s.io/kubernetes v1.2.3\nrequire go.etcd.io/etcd/server/v3 v3.0.0\n",
        );
        assert_eq!(single.unwrap().kubernetes, "v1.2.3");
        assert_eq!(Pins::parse("module m\n\ngo 1.26.0\n"), None);
    }

    #[test]
    fn the_module_of_this_crate_is_pinned() {
        let source = Source::pinned().unwrap();
        assert!(source.key().starts_with("v1."), "{}", source.key());
    }

    #[test]
    fn the_key_changes_with_all_that_decides_the_result() {
        let key = source(GO_MOD, "a").key();
        assert_eq!(key, source(GO_MOD, "a").key());
        assert!(key.starts_with("v1.37.1-etcd-v3.7.0-"), "{key}");
        assert_ne!(key, source(GO_MOD, "b").key());
        assert_ne!(key, source(&format!("{GO_MOD}\n"), "a").key());
        assert_ne!(key, source(&GO_MOD.replace("v1.37.1", "v1.37.2"), "a").key());
    }

    #[test]
    fn only_a_whole_folder_is_used() {
        let temp = tempfile::tempdir().unwrap();
        let whole = |change: fn(&Path)| {
            let folder = temp.path().join("entry");
            let binaries = built(&folder);
            assert!(binaries.is_whole());
            change(&folder);
            let verdict = binaries.is_whole();
            std::fs::remove_dir_all(&folder).unwrap();
            verdict
        };
        assert!(whole(|_| ()));
        assert!(!whole(|folder| std::fs::remove_file(folder.join(MANIFEST)).unwrap()));
        assert!(!whole(|folder| std::fs::write(folder.join(MANIFEST), "{").unwrap()));
        assert!(!whole(|folder| std::fs::remove_file(folder.join("bin/kubectl")).unwrap()));
        assert!(!whole(|folder| std::fs::write(folder.join("bin/etcd"), "prog").unwrap()));
        assert!(!whole(|folder| {
            std::fs::set_permissions(folder.join("bin/etcd"), std::fs::Permissions::from_mode(0o600))
                .unwrap();
        }));
    }

    #[test]
    fn programs_of_a_folder_of_the_user_are_used_if_the_needed_ones_are_there() {
        let temp = tempfile::tempdir().unwrap();
        let write = |name: &str, mode: u32| {
            let path = temp.path().join(name);
            std::fs::write(&path, "#!/bin/sh\necho Kubernetes v1.30.2\n").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let missing = |program: &str| {
            let error = Binaries::in_folder(temp.path()).unwrap_err();
            assert!(error.to_string().contains(program), "{error}");
        };
        missing("etcd");
        write("etcd", 0o755);
        write("kube-apiserver", 0o644);
        missing("kube-apiserver");
        write("kube-apiserver", 0o755);
        let options = Options::default().with_assets(temp.path().to_owned());
        let binaries = Binaries::of(&options).unwrap();
        assert_eq!(binaries.kubernetes_version(), "v1.30.2");
        assert!(binaries.has("etcd") && !binaries.has("kube-controller-manager"));
    }

    #[test]
    fn leftovers_of_builds_cut_short_are_removed_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let folders = folders(temp.path());
        let source = source(GO_MOD, "");
        let leftover = folders.cache.join(format!("{}.partial-x1", source.key()));
        let others = folders.cache.join("v1.30.0.partial-x1");
        for folder in [&leftover, &others] {
            std::fs::create_dir_all(folder.join("bin")).unwrap();
        }
        source.remove_leftovers(&folders);
        assert!(!leftover.exists() && others.exists());
    }

    #[test]
    fn the_output_of_go_is_parsed() {
        assert!(matches!(Said::of("go: downloading k8s.io/api v0.37.1"), Said::Download));
        assert!(matches!(Said::of("k8s.io/apiserver/pkg/storage/etcd3"), Said::Package));
        assert!(matches!(Said::of("runtime"), Said::Package));
        assert!(matches!(Said::of("# k8s.io/api"), Said::Else));
        assert!(matches!(Said::of("x/y.go:3:1: syntax error"), Said::Else));
    }

    #[test]
    fn an_unreachable_proxy_differs_from_a_broken_build() {
        let said = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<VecDeque<_>>();
        let refused =
            "go: a/b@v1: Get \"http://127.0.0.1:1/a\": dial tcp 127.0.0.1:1: connect: connection refused";
        let error = judge(&said(&[refused, "later"]), || "http://127.0.0.1:1".into());
        assert!(matches!(&error, Error::ProxyUnreachable { .. }), "{error}");
        assert!(error.to_string().contains("set GOPROXY"), "{error}");
        assert!(!error.to_string().contains('\n'));
        let error = judge(&said(&["# a/b", "a.go:1:1: syntax error", ""]), || panic!("not asked for"));
        assert_eq!(error.to_string(), "can't build the control plane: a.go:1:1: syntax error");
        assert!(judge(&said(&[]), String::new).to_string().contains("printed nothing"));
    }
}
