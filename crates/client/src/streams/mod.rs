//! What is more than a request and an answer: processes in containers, connections to ports, files, logs that go on.
//!
//! | for | see | feature |
//! |---|---|---|
//! | a command in a container | `Api::exec`: a `RemoteProcess` | `streams` |
//! | a container's first process | `Api::attach`: a `RemoteProcess` | `streams` |
//! | a connection to a port | `Api::port_forward`: a `PortForward` | `streams` |
//! | local ports, for pods that come and go | `Forwarder` | `streams` |
//! | files, to and from a container | `CopyOptions` | `copy` |
//! | logs, through lost connections, several at once | [`FollowedLogs`] | |
//!
//! A server is asked for WebSocket first and, where it refuses that, for SPDY/3.1. Both go through the client's transport:
//! with its credentials, its certificates and its proxy, on an HTTP/1.1 connection of their own. Dropping what a method
//! gave closes that connection; no task stays.

#[cfg(feature = "copy")]
mod copy;
#[cfg(feature = "streams")]
mod fallback;
#[cfg(feature = "streams")]
mod forwarder;
#[cfg(feature = "streams")]
mod handles;
mod log_follow;
#[cfg(feature = "streams")]
mod options;
#[cfg(feature = "streams")]
mod port;
#[cfg(feature = "streams")]
mod port_forward;
#[cfg(feature = "streams")]
mod process;
#[cfg(feature = "streams")]
mod status;
#[cfg(feature = "streams")]
mod target;

#[cfg(feature = "streams")]
pub use client_rs_streams::{ConnectionEnd, MuxOptions, OpenError};
#[cfg(feature = "copy")]
#[doc(hidden)]
pub use copy::unpack_archive;
#[cfg(feature = "copy")]
pub use copy::{Copied, CopyError, CopyOptions, Progress, Skipped};
#[cfg(feature = "streams")]
pub use forwarder::{Forwarded, Forwarder, ForwarderError, ForwarderEvent, ForwarderOptions};
pub use log_follow::{FollowError, FollowOptions, FollowedLogs, LogLine, LogSource};
#[cfg(feature = "streams")]
pub use options::{AttachOptions, ExecOptions};
#[cfg(feature = "streams")]
pub use port::{ForwardedPort, ParsePortError};
#[cfg(feature = "streams")]
pub use port_forward::{PortError, PortForward, PortStream};
#[cfg(feature = "streams")]
pub use process::{Output, RemoteOutput, RemoteProcess, RemoteStdin, Terminal, TerminalSize};
#[cfg(feature = "streams")]
pub use status::{ExitStatus, ProcessError};
#[cfg(feature = "streams")]
pub use target::{Backend, ForwardTarget, TargetError};
