//! The library on a real control plane whose programs fail, held to the checkers of the simulation.
//!
//! `docs/design/simulation.md` explains it.

pub mod balancer;
pub mod etcd;
pub mod nemesis;
pub mod stage;
pub mod tap;
pub mod watched;
