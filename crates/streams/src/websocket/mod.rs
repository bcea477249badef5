//! WebSocket (RFC 6455), and what Kubernetes carries in it.
//!
//! The framing is our own, and small: as a state machine it hands on the bytes of a message as they arrive, whatever size
//! the message has, where the crates for it give out messages only when they are whole.

mod channels;
mod codec;
mod tunnel;

pub use channels::{ChannelVersion, Channels, channel};
pub use codec::{Codec, Piece};
pub use tunnel::Tunnel;
