//! The workloads that `cargo xtask limits` measures are the example next to this file.
