//! The options of exec and attach.

use client_rs_streams::MuxOptions;

use super::RemoteProcess;
use crate::Request;
use crate::api::ApiRequest;

client_rs_machinery::options! {
    /// How a command runs in a container.
    ///
    /// Most callers set the options on the request: `pods.exec("web", ["sh"]).stdin().tty()`.
    ///
    /// ```
    /// use client_rs_client::streams::ExecOptions;
    ///
    /// let options = ExecOptions::default();
    /// assert!(options.stdout && options.stderr && !options.stdin && !options.tty);
    /// let shell = options.with_container("app").with_stdin(true).with_tty(true);
    /// assert_eq!(shell.container.as_deref(), Some("app"));
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[allow(clippy::struct_excessive_bools, reason = "each is a separate stream, as in the API")]
    pub struct ExecOptions {
        /// The container. Default: the only one of the pod, or the one in the annotation `kubectl.kubernetes.io/default-container`
        /// on servers that support it; otherwise the server refuses.
        pub container: Option<String> => with_container,
        /// Whether the process gets an input. Default: false.
        pub stdin: bool => with_stdin,
        /// Whether to receive its standard output. Default: true.
        pub stdout: bool => with_stdout,
        /// Whether to receive its standard error; with a terminal, it is part of the standard output. Default: true.
        pub stderr: bool => with_stderr,
        /// Whether the process gets a terminal. Default: false.
        pub tty: bool => with_tty,
        /// The settings of the connection: pings, buffers. Default: see [`MuxOptions`].
        pub connection: MuxOptions => with_connection,
    }
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

client_rs_machinery::options! {
    /// How to attach to the main process of a container.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[allow(clippy::struct_excessive_bools, reason = "each is a separate stream, as in the API")]
    pub struct AttachOptions {
        /// The container. Default: see [`ExecOptions::container`].
        pub container: Option<String> => with_container,
        /// Whether to send an input; the container must allow that. Default: false.
        pub stdin: bool => with_stdin,
        /// Whether to receive its standard output. Default: true.
        pub stdout: bool => with_stdout,
        /// Whether to receive its standard error; with a terminal, it is part of the standard output. Default: true.
        pub stderr: bool => with_stderr,
        /// Whether it has a terminal: must equal the container's `tty`. Default: false.
        pub tty: bool => with_tty,
        /// The settings of the connection: pings, buffers. Default: see [`MuxOptions`].
        pub connection: MuxOptions => with_connection,
    }
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
            /// Selects the container.
            pub fn container(mut self, container: impl Into<String>) -> Self {
                self.options.container = Some(container.into());
                self
            }

            /// Gives the process an input.
            pub fn stdin(mut self) -> Self {
                self.options.stdin = true;
                self
            }

            /// Gives the process a terminal.
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

/// The requested streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate stream, as in the API")]
pub(super) struct Wanted {
    pub(super) stdin: bool,
    pub(super) stdout: bool,
    pub(super) stderr: bool,
    pub(super) tty: bool,
}

impl Wanted {
    fn of_exec(options: &ExecOptions) -> Self {
        let ExecOptions { stdin, stdout, stderr, tty, .. } = *options;
        // A terminal has only one output.
        Self { stdin, stdout, stderr: stderr && !tty, tty }
    }
}

/// The client's part of the options; the parameters of the request contain the server's part.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) wanted: Wanted,
    pub(super) connection: MuxOptions,
}
