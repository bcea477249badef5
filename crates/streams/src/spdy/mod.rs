//! SPDY/3.1, as far as Kubernetes speaks it.
//!
//! Kubernetes' own implementation (on both ends of what there is) sends no window updates and heeds none, sets no
//! settings, uses no priorities and drops data on a stream that it has not answered yet. So: a client waits for the answer
//! before it sends, nothing waits for windows, and what holds back a fast sender is the connection itself.

mod dictionary;
mod frame;
mod headers;
mod session;

pub use frame::{Decoder, Encoder, Frame, ResetCode};
pub use headers::Headers;
pub use session::Session;
