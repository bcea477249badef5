//! Helpers of the programs around this workspace: `xtask`, the suites under `tests/` and the runner of `bench/`.

pub mod histories;
mod readme;
mod report;
pub mod workspace;

pub use readme::{Readme, Source};
pub use report::Report;
