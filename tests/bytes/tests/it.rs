//! The same seed gives the same history, in any process.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

fn digests() -> String {
    let program = env!("CARGO_BIN_EXE_sim-bytes");
    let output = Command::new(program).args(["--digest", "--seeds", "20"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_seed_gives_the_same_bytes_in_two_processes() {
    let (one, other) = (digests(), digests());
    assert_eq!(one.lines().count(), 20);
    assert_eq!(one, other, "two processes made different histories of the same seeds");
}
