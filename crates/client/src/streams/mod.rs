//! What is more than a request and an answer: processes in containers, connections to ports, files, logs that go on.
//!
//! | for | see |
//! |---|---|
//! | a command in a container | [`Api::exec`](crate::Api::exec): a [`RemoteProcess`] |
//! | a container's first process | [`Api::attach`](crate::Api::attach): a [`RemoteProcess`] |
//! | a connection to a port | [`Api::port_forward`](crate::Api::port_forward): a [`PortForward`] |
//! | local ports, for pods that come and go | [`Forwarder`] |
//! | files, to and from a container | [`CopyOptions`] |
//! | logs, through lost connections, several at once | [`FollowedLogs`] |
//!
//! A server is asked for WebSocket first and, where it refuses that, for SPDY/3.1. Both go through the client's transport:
//! with its credentials, its certificates and its proxy, on an HTTP/1.1 connection of their own. Dropping what a method
//! gave closes that connection; no task stays.

mod copy;
mod fallback;
mod forwarder;
mod handles;
mod log_follow;
mod options;
mod port;
mod port_forward;
mod process;
mod status;
mod target;

pub use client_rs_streams::{ConnectionEnd, MuxOptions, OpenError};
pub use copy::{Copied, CopyError, CopyOptions, Progress, Skipped};
pub use forwarder::{Forwarded, Forwarder, ForwarderError, ForwarderEvent, ForwarderOptions};
pub use log_follow::{FollowError, FollowOptions, FollowedLogs, LogLine, LogSource};
pub use options::{AttachOptions, ExecOptions};
pub use port::{ForwardedPort, ParsePortError};
pub use port_forward::{PortError, PortForward, PortStream};
pub use process::{Output, RemoteOutput, RemoteProcess, RemoteStdin, Terminal, TerminalSize};
pub use status::{ExitStatus, ProcessError};
pub use target::{Backend, ForwardTarget, TargetError};
