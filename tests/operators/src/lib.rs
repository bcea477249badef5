//! Small operators, each with a bug of a published class and a repaired twin. The simulation has to find the bug with its default
//! settings, and nothing in the twin. `cargo xtask sim --corpus` runs them; `docs/design/simulation.md` explains it.

pub mod app;
pub mod cases;
pub mod example;
pub mod kit;
pub mod recorded;
pub mod workloads;
