//! From a server's address to its answers.

pub mod http;
pub mod tls;
