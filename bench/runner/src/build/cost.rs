//! The resources that a command uses, with all processes that it starts.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;

/// Time of a command.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Cost {
    pub(super) cpu_seconds: f64,
    pub(super) wall_seconds: f64,
}

/// Runs a command to its end, which must be a success. Nothing else may run in this process meanwhile: the CPU time is
/// that of all children that have ended, and of theirs.
pub(super) fn measured(command: &mut Command) -> Result<(Cost, Output)> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (before, start) = (of_children()?, Instant::now());
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("can't start {program}"))?;
    let (wall, cpu) = (start.elapsed(), of_children()?.saturating_sub(before));
    if !output.status.success() {
        bail!("{program} ended with {}", output.status);
    }
    Ok((Cost { cpu_seconds: cpu.as_secs_f64(), wall_seconds: wall.as_secs_f64() }, output))
}

fn of_children() -> Result<Duration> {
    const FILE: &str = "/proc/self/stat";
    let text = std::fs::read_to_string(FILE).with_context(|| format!("{FILE} is needed: Linux has it"))?;
    children(&text).with_context(|| format!("{FILE} says {text}"))
}

/// User and system time of children (fields 16 and 17), in hundredths of a second.
fn children(stat: &str) -> Option<Duration> {
    // The second field is a name in brackets, which may hold anything.
    let mut fields = stat.rsplit_once(") ")?.1.split_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(Duration::from_millis((user + system) * 10))
}

/// Removes what the surroundings of this program would change in a build: flags, profiles, wrappers, folders.
pub(super) fn as_in_a_new_shell(command: &mut Command) -> &mut Command {
    const PREFIXES: [&str; 5] =
        ["CARGO_BUILD_", "CARGO_MANIFEST", "CARGO_PKG_", "CARGO_PROFILE_", "CARGO_TARGET_"];
    const NAMES: [&str; 9] = [
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_INCREMENTAL",
        "GOCACHE",
        "GOFLAGS",
        "RUSTC",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTDOCFLAGS",
        "RUSTFLAGS",
    ];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if NAMES.contains(&&*text) || PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted_behind_the_name() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 150 25 20 0 1";
        assert_eq!(children(stat), Some(Duration::from_millis(1750)));
        assert_eq!(children("7 (a) S 1"), None);
    }

    #[test]
    fn cpu_time_of_a_child_is_counted() {
        let mut busy = Command::new("sh");
        busy.args(["-c", "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; echo done"]);
        let (cost, output) = measured(&mut busy).unwrap();
        assert!(cost.cpu_seconds > 0.0, "{cost:?}");
        assert_eq!(output.stdout, b"done\n");
        assert!(measured(Command::new("sh").args(["-c", "exit 3"])).is_err());
    }
}
