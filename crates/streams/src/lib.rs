//! Many byte streams on one connection, as Kubernetes speaks them.
//!
//! Running a command in a container, or forwarding its ports, needs several concurrent streams: input, output, errors,
//! the size of a terminal. Kubernetes has two protocols for them. This crate has both, for clients and for servers:
//!
//! | protocol | streams | half-close | used by |
//! |---|---|---|---|
//! | [`websocket::Channels`] | a fixed few, identified by the first byte of a message | since v5 | exec, attach |
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

/// A side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The side that opened the connection.
    Client,
    /// The side that accepted the connection.
    Server,
}

/// The peer violated the protocol. The connection can no longer be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{protocol}: {what}")]
#[non_exhaustive]
pub struct ProtocolError {
    /// The name of the protocol.
    pub protocol: &'static str,
    /// The violation.
    pub what: String,
}

impl ProtocolError {
    pub(crate) fn new(protocol: &'static str, what: impl Into<String>) -> Self {
        Self { protocol, what: what.into() }
    }
}
