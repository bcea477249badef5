//! The server from outside, over connections in memory unless a test is about sockets.

// A panic is a test's report, in its helpers too.
#![allow(clippy::unwrap_used)]

mod access;
mod apply;
mod common;
mod controllers;
mod custom;
mod listener;
mod outbound;
mod pods;
mod recorded;
mod rules;
mod storage;
mod tls;
mod validation;
mod verbs;
mod watch;
