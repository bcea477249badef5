//! Tests of the queue through its public API. One program for all: each program would link the whole crate
//! again.

mod bad_input;
mod delay;
mod fair;
mod metrics;
mod model;
mod priority;
mod queue;
mod rate_limit;
