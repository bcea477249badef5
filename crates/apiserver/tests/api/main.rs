//! The server from outside, over connections in memory.

mod common;
mod http;
mod watch;
