//! Everything that is more than a request and a response: exec, attach, port forwarding, file copies and followed logs.
//!
//! | to | use | feature |
//! |---|---|---|
//! | run a command in a container | `Api::exec`: a `RemoteProcess` | `streams` |
//! | attach to the main process of a container | `Api::attach`: a `RemoteProcess` | `streams` |
//! | connect to a port of a pod | `Api::port_forward`: a `PortForward` | `streams` |
//! | listen on local ports, for pods that come and go | `Forwarder` | `streams` |
//! | copy files to and from a container | `CopyOptions` | `copy` |
//! | follow several logs through lost connections | [`FollowedLogs`] | |
//! | read one log once | [`Api::log`](crate::Api::log) | |
//!
//! The client requests WebSocket first and, if the server refuses that, SPDY/3.1. Both use the client's transport, with its
//! credentials, certificates and proxy, on a separate HTTP/1.1 connection. Dropping the result of a method closes that
//! connection; no task stays behind.

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
