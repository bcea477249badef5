//! What to run, and which of its streams are wanted.

use client_rs_streams::MuxOptions;

use super::RemoteProcess;
use crate::Request;
use crate::api::ApiRequest;

/// How a command is run in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a stream of its own, as in the API")]
pub struct ExecOptions {
    /// The container. Default: the pod's only one, or the one that its annotation
    /// `kubectl.kubernetes.io/default-container` names on servers that heed it; else the server refuses.
    pub container: Option<String>,
    /// Whether it has something to read. Default: no.
    pub stdin: bool,
    /// Whether what it writes is wanted. Default: yes.
    pub stdout: bool,
    /// Whether what it complains is wanted; with a terminal that comes with what it writes. Default: yes.
    pub stderr: bool,
    /// Whether it has a terminal. Default: no.
    pub tty: bool,
    /// How the connection is kept: pings, buffers. Default: see [`MuxOptions`].
    pub connection: MuxOptions,
}

impl Default for ExecOptions {
    fn default() -> Self {
        Self {
            container: None,
            stdin: false,
            stdout: true,
            stderr: true,
            tty: false,
            connection: MuxOptions::default(),
        }
    }
}

/// How a container's first process is attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a stream of its own, as in the API")]
pub struct AttachOptions {
    /// The container. Default: as with [`ExecOptions::container`].
    pub container: Option<String>,
    /// Whether it is given something to read; the container must allow that. Default: no.
    pub stdin: bool,
    /// Whether what it writes is wanted. Default: yes.
    pub stdout: bool,
    /// Whether what it complains is wanted; with a terminal that comes with what it writes. Default: yes.
    pub stderr: bool,
    /// Whether it has a terminal: must be what the container's `tty` says. Default: no.
    pub tty: bool,
    /// How the connection is kept: pings, buffers. Default: see [`MuxOptions`].
    pub connection: MuxOptions,
}

impl Default for AttachOptions {
    fn default() -> Self {
        let ExecOptions { container, stdin, stdout, stderr, tty, connection } = ExecOptions::default();
        Self { container, stdin, stdout, stderr, tty, connection }
    }
}

macro_rules! setters {
    ($options:ident) => {
        impl ApiRequest<RemoteProcess, $options> {
            /// In this container.
            pub fn container(mut self, container: impl Into<String>) -> Self {
                self.options.container = Some(container.into());
                self
            }

            /// With something to read.
            pub fn stdin(mut self) -> Self {
                self.options.stdin = true;
                self
            }

            /// With a terminal.
            pub fn tty(mut self) -> Self {
                self.options.tty = true;
                self
            }
        }
    };
}

setters!(ExecOptions);
setters!(AttachOptions);

pub(crate) fn exec(request: Request, options: &ExecOptions) -> Request {
    streams(request, options.container.as_deref(), Wanted::of_exec(options), &options.connection)
}

pub(crate) fn attach(request: Request, options: &AttachOptions) -> Request {
    let AttachOptions { stdin, stdout, stderr, tty, .. } = *options;
    let wanted = Wanted { stdin, stdout, stderr: stderr && !tty, tty };
    streams(request, options.container.as_deref(), wanted, &options.connection)
}

fn streams(request: Request, container: Option<&str>, wanted: Wanted, connection: &MuxOptions) -> Request {
    let request = container.into_iter().fold(request, |request, name| request.param("container", name));
    let Wanted { stdin, stdout, stderr, tty } = wanted;
    let flags = [("stdin", stdin), ("stdout", stdout), ("stderr", stderr), ("tty", tty)];
    let request = flags
        .into_iter()
        .filter(|(_, set)| *set)
        .fold(request, |request, (name, _)| request.param(name, "true"));
    request.extension(Plan { wanted, connection: connection.clone() })
}

/// The streams that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a stream of its own, as in the API")]
pub(super) struct Wanted {
    pub(super) stdin: bool,
    pub(super) stdout: bool,
    pub(super) stderr: bool,
    pub(super) tty: bool,
}

impl Wanted {
    fn of_exec(options: &ExecOptions) -> Self {
        let ExecOptions { stdin, stdout, stderr, tty, .. } = *options;
        // A terminal has one output.
        Self { stdin, stdout, stderr: stderr && !tty, tty }
    }
}

/// What is done with the connection that a request gets; the server is told of it in parameters.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) wanted: Wanted,
    pub(super) connection: MuxOptions,
}
