//! The server from outside, over in-memory connections unless a test is about sockets.

// A panic fails a test, also in its helpers.
#![allow(clippy::unwrap_used)]

mod access;
mod alone;
mod apply;
mod common;
mod controllers;
mod custom;
mod forks;
mod listener;
mod outbound;
mod pods;
mod policies;
mod recorded;
mod rules;
mod storage;
mod tls;
mod validation;
mod verbs;
mod watch;
