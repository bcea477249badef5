//! Many byte streams on one connection, as Kubernetes speaks them.
//!
//! What runs a command in a container, or forwards its ports, needs several streams beside each other: input, output,
//! errors, the size of a terminal. Kubernetes carries them in two ways, and both are here, for clients and for servers:
//!
//! | protocol | streams | half-close | used by |
//! |---|---|---|---|
//! | [`websocket::Channels`] | a fixed few, told apart by the first byte of a message | since v5 | exec, attach |
//! | [`spdy`], SPDY/3.1 | any number, opened at any time | yes | port-forward; exec and attach on older servers |
//! | SPDY in WebSocket messages: [`websocket::Tunnel`] | as SPDY | yes | port-forward on newer servers |
//!
//! The protocols are state machines without I/O or clock ([`spdy::Session`], [`websocket::Channels`]): bytes in, events
//! out. [`Mux`] runs either on a connection, and gives each stream as [`MuxStream`]: `AsyncRead + AsyncWrite`.
//! [`upgrade`] has the handshakes.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod mux;
pub mod spdy;
pub mod upgrade;
pub mod websocket;

pub use mux::{ConnectionEnd, Mux, MuxOptions, MuxStream, OnDrop, OpenError};

/// Which side of a connection it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one that asked for the connection.
    Client,
    /// The one that was asked.
    Server,
}

/// The other side does not keep to the protocol. The connection is of no use any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol}: {what}")]
pub struct ProtocolError {
    /// Which protocol.
    pub protocol: &'static str,
    /// What it did.
    pub what: String,
}

impl ProtocolError {
    pub(crate) fn new(protocol: &'static str, what: impl Into<String>) -> Self {
        Self { protocol, what: what.into() }
    }
}
