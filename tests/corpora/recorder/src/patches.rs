//! Patches that Go's libraries make and apply.

use anyhow::{Context, Result, ensure};

use crate::events::go;

/// Seeds and counts are fixed: the same Go gives the same bytes.
pub(crate) fn recorded() -> Result<Vec<u8>> {
    let output = go("patches", &["run", "."]).output().context("can't run go")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
