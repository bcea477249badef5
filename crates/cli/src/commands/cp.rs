//! `krs cp`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use client_rs_api::core::v1::Pod;
use client_rs_client::streams::{Copied, CopyError, CopyOptions, ExecOptions, ProcessError};
use client_rs_client::{Api, Error};

use crate::commands::exec::check_phase;
use crate::failure::Exit;
use crate::session::Session;
use crate::{GlobalArgs, Streams, containers};

/// The timeout of the check whether a container has a folder.
const LOOK: Duration = Duration::from_secs(30);

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
#[command(override_usage = "krs cp [OPTIONS] <SOURCE> <TARGET>, one of which is [[NAMESPACE/]POD:]PATH")]
pub(crate) struct Args {
    /// Source and target: one local path, and one [NAMESPACE/]POD:PATH
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// The container name [default: the value of the annotation kubectl.kubernetes.io/default-container, or the first
    /// container]
    #[arg(long, short = 'c', value_name = "NAME")]
    container: Option<String>,
    /// Do not preserve ownership and permissions of files in the container
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    no_preserve: bool,
    /// How often to retry a copy from a container after a lost connection; -1 for no limit
    #[arg(long, value_name = "COUNT", default_value_t = 0, allow_negative_numbers = true)]
    retries: i64,
}

/// Something to copy, or where to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Here(PathBuf),
    There { namespace: Option<String>, pod: String, path: String },
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let [source, target] = args.paths.as_slice() else { bail!("source and destination are required") };
    match (Place::parse(source)?, Place::parse(target)?) {
        (Place::Here(local), Place::There { namespace, pod, path }) => {
            if std::fs::metadata(&local).is_err() {
                bail!("{} doesn't exist in local filesystem", local.display());
            }
            let there = args.open(global, namespace, &pod, streams).await?;
            args.send(&there, &local, &path).await.map_err(|error| told(error, streams))?;
            Ok(())
        }
        (Place::There { namespace, pod, path }, Place::Here(local)) => {
            let there = args.open(global, namespace, &pod, streams).await?;
            let copied = args.fetch(&there, &path, &local, streams).await?;
            for skipped in copied.skipped {
                // Quoted: a container chose the name.
                let path = skipped.path.to_string_lossy();
                writeln!(streams.err, "warning: skipping {path:?}: {}", skipped.why)?;
            }
            Ok(())
        }
        (Place::There { .. }, Place::There { .. }) => {
            bail!("one of src or dest must be a local file specification")
        }
        (Place::Here(_), Place::Here(_)) => bail!("one of src or dest must be a remote file specification"),
    }
}

impl Place {
    /// Reads `PATH`, `POD:PATH` or `NAMESPACE/POD:PATH`.
    fn parse(word: &str) -> Result<Self> {
        const FORM: &str = "filespec must match the canonical format: [[namespace/]pod:]file/path";
        let shorter = |path: &str| match path.strip_suffix('/') {
            Some(shorter) if !shorter.is_empty() => shorter.to_owned(),
            _ => path.to_owned(),
        };
        let place = match word.split_once(':') {
            None => Self::Here(shorter(word).into()),
            Some((pod, path)) => {
                let path = shorter(&path.replace('\\', "/"));
                match pod.split('/').collect::<Vec<_>>().as_slice() {
                    [pod] if !pod.is_empty() => Self::There { namespace: None, pod: (*pod).to_owned(), path },
                    [namespace, pod] if !namespace.is_empty() && !pod.is_empty() => {
                        Self::There { namespace: Some((*namespace).to_owned()), pod: (*pod).to_owned(), path }
                    }
                    _ => bail!(FORM),
                }
            }
        };
        match &place {
            Self::Here(path) if path.as_os_str().is_empty() => bail!("filepath can not be empty"),
            Self::There { path, .. } if path.is_empty() => bail!("filepath can not be empty"),
            _ => Ok(place),
        }
    }
}

/// A container to copy to or from.
struct Container {
    pods: Api<Pod>,
    pod: String,
    name: String,
}

impl Args {
    async fn open(
        &self,
        global: &GlobalArgs,
        namespace: Option<String>,
        pod: &str,
        streams: &mut Streams<'_>,
    ) -> Result<Container> {
        let session = Session::open(global)?;
        let namespace = namespace.unwrap_or_else(|| session.namespace.clone());
        let pods = Api::<Pod>::namespaced(session.client.rest(), namespace);
        let found = pods.get(pod).await?;
        check_phase(&found)?;
        let container = containers::choose(&found, self.container.as_deref(), false, &mut streams.err)?;
        Ok(Container { pods, pod: pod.to_owned(), name: container.name })
    }

    fn options(&self, there: &Container) -> CopyOptions {
        CopyOptions::default()
            .with_container(there.name.clone())
            .with_keep_owner(!self.no_preserve)
            .with_loose_permissions(self.no_preserve)
    }

    async fn send(&self, there: &Container, local: &Path, path: &str) -> Result<Copied, CopyError> {
        let mut path = path.to_owned();
        if there.has_folder(&path).await?
            && let Some(name) = local.file_name().and_then(|name| name.to_str())
        {
            path = format!("{}/{name}", path.trim_end_matches('/'));
        }
        self.options(there).to_container(&there.pods, &there.pod, local, &path).await
    }

    /// Retries if requested. A partial copy has no name yet, and is discarded.
    async fn fetch(
        &self,
        there: &Container,
        path: &str,
        local: &Path,
        streams: &mut Streams<'_>,
    ) -> Result<Copied> {
        if let Some(parent) = local.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).with_context(|| format!("can't make {}", parent.display()))?;
        }
        // No size limits, as with kubectl: the user sees how much arrives.
        let options = self.options(there).with_merge(true).with_max_bytes(None).with_max_entries(None);
        let mut tries = 0;
        loop {
            match options.from_container(&there.pods, &there.pod, path, local).await {
                Ok(copied) => return Ok(copied),
                Err(error) if may_pass(&error) && (self.retries < 0 || tries < self.retries) => {
                    tries += 1;
                    writeln!(
                        streams.err,
                        "The copy was interrupted and is retried ({tries}/{}): {error}",
                        self.retries
                    )?;
                }
                Err(error) => return Err(told(error, streams)),
            }
        }
    }
}

impl Container {
    /// Is there a folder at this path?
    async fn has_folder(&self, path: &str) -> Result<bool, CopyError> {
        let options = ExecOptions::default().with_container(self.name.clone());
        let look = async {
            let mut process = self.pods.exec(&self.pod, ["test", "-d", path]).options(options).await?;
            match process.wait().await {
                Ok(status) => Ok(status.is_success()),
                // A container without `test` may have `tar` all the same.
                Err(ProcessError::Failed(_)) => Ok(false),
                Err(error) => Err(error.into()),
            }
        };
        tokio::time::timeout(LOOK, look).await.unwrap_or_else(|_| {
            let late = std::io::Error::new(std::io::ErrorKind::TimedOut, "the container does not answer");
            Err(CopyError::Process(ProcessError::Stream(late)))
        })
    }
}

/// Was it the connection?
fn may_pass(error: &CopyError) -> bool {
    match error {
        CopyError::Request(error) => matches!(error, Error::Transport { .. }) || error.is_transient(),
        CopyError::Process(error) => {
            matches!(error, ProcessError::Connection(_) | ProcessError::Stream(_))
        }
        // An archive that breaks off.
        CopyError::Archive(_) => true,
        _ => false,
    }
}

/// The error; if a process failed, with its output and exit code.
fn told(error: CopyError, streams: &mut Streams<'_>) -> anyhow::Error {
    match error {
        CopyError::Remote { status, said } => {
            if !said.is_empty() {
                // If the message can't be written, the exit code still reports the failure.
                let _ = writeln!(streams.err, "{said}");
            }
            Exit::of_process(status.code()).err().unwrap_or_else(|| anyhow!("the copy failed"))
        }
        CopyError::Process(ProcessError::Failed(error)) => anyhow!("{}", error.message()),
        CopyError::Request(error) => error.into(),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn there(namespace: Option<&str>, pod: &str, path: &str) -> Place {
        Place::There { namespace: namespace.map(str::to_owned), pod: pod.into(), path: path.into() }
    }

    #[test]
    fn a_place_is_here_or_in_a_pod() {
        for (word, expected) in [
            ("/tmp/foo", Place::Here("/tmp/foo".into())),
            ("./foo/", Place::Here("./foo".into())),
            ("/", Place::Here("/".into())),
            ("web:/tmp/foo", there(None, "web", "/tmp/foo")),
            ("ns/web:foo/", there(Some("ns"), "web", "foo")),
            ("web:/", there(None, "web", "/")),
            ("web:C\\x", there(None, "web", "C/x")),
            ("web:a:b", there(None, "web", "a:b")),
        ] {
            assert_eq!(Place::parse(word).unwrap(), expected, "{word}");
        }
        for (word, expected) in [
            (":x", "canonical format"),
            ("a/b/c:x", "canonical format"),
            ("/web:x", "canonical format"),
            ("ns/:x", "canonical format"),
            ("web:", "can not be empty"),
            ("", "can not be empty"),
        ] {
            let error = Place::parse(word).unwrap_err().to_string();
            assert!(error.contains(expected), "{word}: {error}");
        }
    }

    #[test]
    fn a_copy_that_failed_there_ends_with_that_code() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams::plain(&mut out, &mut err);
        let local = CopyError::Local { path: "x".into(), error: io::ErrorKind::StorageFull.into() };
        assert!(!may_pass(&local));
        let error = told(local, &mut streams);
        assert_eq!(crate::failure::code(&error), 1);
        let archive = CopyError::Archive(io::ErrorKind::UnexpectedEof.into());
        assert!(may_pass(&archive));
    }
}
