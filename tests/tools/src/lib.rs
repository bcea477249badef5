//! What the programs around this workspace share: `xtask`, the suites under `tests/` and the runner of `bench/`.

mod report;
pub mod workspace;

pub use report::Report;
