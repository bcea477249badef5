//! Odd kubeconfigs, as kubectl reads them. The cases are in `tests/inputs`, whose test program writes the record.

use std::process::ExitCode;

use anyhow::Result;
use client_rs_testkit::{Binaries, Folders, Progress};
use client_rs_tests_tools::workspace::{cargo, delegate};

use crate::corpus::How;

pub(crate) fn run(how: &How) -> Result<ExitCode> {
    let kubectl = Binaries::ready(&Folders::of_user(), &Progress::stderr())?.path("kubectl");
    let mut tests = cargo();
    tests.args([
        "test",
        "--quiet",
        "--locked",
        "--package",
        "client-rs-transport",
        "--test",
        "it",
        "kubectl_view",
    ]);
    tests.env("KUBECTL", kubectl);
    if !how.check {
        tests.env("KUBECTL_RECORD", "1");
    }
    delegate(&mut tests)
}
