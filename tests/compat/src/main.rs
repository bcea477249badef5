//! Reads every published fixture of the Kubernetes API in its three forms and writes it back.
//!
//! `compat FOLDER…`: each folder holds `<group>.<version>.<Kind>.{json,pb,yaml}`, and for an older release whose
//! objects have fields that are gone, `….after_roundtrip.{json,pb,yaml}`: what must be written instead of what was
//! read. Printed is a line for each fixture that fails, or whose kind is gone, and `compat: N passed, N failed`. Run
//! by `cargo xtask compat`, which finds the folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use client_rs_machinery::wire::{
    DecodeError, Decoding, Envelope, Format, decode_json_into, decode_protobuf_into,
};
use client_rs_machinery::{AnyKind, Kind, Scheme};
use serde_json::Value;

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        eprintln!("usage: compat FOLDER…");
        return ExitCode::from(2);
    }
    let scheme = client_rs_api::scheme();
    let (mut passed, mut failed, mut gone) = (0, 0, 0);
    for folder in folders {
        match fixtures(&folder) {
            Ok(names) => {
                for name in names {
                    match check(&scheme, &folder, &name) {
                        Ok(Outcome::Same) => passed += 1,
                        Ok(Outcome::Gone) => {
                            gone += 1;
                            println!("gone    {name}: the pinned API has no such kind");
                        }
                        Err(error) => {
                            failed += 1;
                            println!("FAILED  {}: {error:#}", folder.join(name).display());
                        }
                    }
                }
            }
            Err(error) => {
                failed += 1;
                println!("FAILED  {}: {error:#}", folder.display());
            }
        }
    }
    let skipped = if gone == 0 { String::new() } else { format!(", {gone} skipped") };
    println!("compat: {passed} passed, {failed} failed{skipped}");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the fixtures' names without their endings. A file with another ending, or an empty folder, is an error:
/// every published fixture is read.
fn fixtures(folder: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).context("can't read the folder")? {
        let path = entry?.path();
        let file = path.file_name().and_then(|name| name.to_str()).context("a name that is not UTF-8")?;
        let Some((name, "json" | "pb" | "yaml")) = file.rsplit_once('.') else {
            bail!("{file} is no fixture");
        };
        names.insert(name.strip_suffix(AFTER_ROUNDTRIP).unwrap_or(name).to_owned());
    }
    ensure!(!names.is_empty(), "there is no fixture");
    Ok(names)
}

/// Marks what must be written where it is not what was read.
const AFTER_ROUNDTRIP: &str = ".after_roundtrip";

enum Outcome {
    Same,
    /// A kind of an older release that the pinned one does not have.
    Gone,
}

fn check(scheme: &Scheme, folder: &Path, name: &str) -> Result<Outcome> {
    let read = |ending: &str| {
        let path = folder.join(format!("{name}.{ending}"));
        std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))
    };
    let expected = |ending: &str, same: &[u8]| {
        let path = folder.join(format!("{name}{AFTER_ROUNDTRIP}.{ending}"));
        std::fs::read(path).unwrap_or_else(|_| same.to_vec())
    };
    let (json, pb, yaml) = (read("json")?, read("pb")?, read("yaml")?);
    let from_yaml = yaml_to_json(&yaml)?;
    let kind: Value = serde_json::from_slice(&json)?;
    if let (Some(api_version), Some(kind)) = (kind["apiVersion"].as_str(), kind["kind"].as_str())
        && scheme.find(api_version, kind).is_none()
        && folder.file_name().is_some_and(|name| name != "HEAD")
    {
        return Ok(Outcome::Gone);
    }
    let (from_json, from_pb, from_yaml) = match unnamed(scheme, name) {
        None => (scheme.decode_json(&json), scheme.decode_envelope(&pb), scheme.decode_json(&from_yaml)),
        Some(kind) => (
            from(kind, Format::Json, &json),
            from(kind, Format::Protobuf, &pb),
            from(kind, Format::Json, &from_yaml),
        ),
    };
    let (from_json, from_pb) = (from_json.context("JSON")?, from_pb.context("protobuf")?);
    let from_yaml = from_yaml.context("YAML")?;
    same(&*from_json, &*from_pb).context("JSON and protobuf decode to different objects")?;
    same(&*from_json, &*from_yaml).context("JSON and YAML decode to different objects")?;

    let (json, pb) = (expected("json", &json), expected("pb", &pb));
    let written = from_pb.to_envelope();
    if written != pb {
        let at = written.iter().zip(&pb).take_while(|(ours, theirs)| ours == theirs).count();
        bail!("protobuf differs from byte {at}: {} bytes written, {} read", written.len(), pb.len());
    }
    ensure!(from_json.to_envelope() == pb, "protobuf written from the JSON object differs");
    let ours: Value = serde_json::from_slice(&from_json.to_json()).context("our own JSON")?;
    let theirs: Value = serde_json::from_slice(&json)?;
    if let Some(path) = difference(&ours, &theirs) {
        bail!("JSON differs at {path}");
    }
    Ok(Outcome::Same)
}

/// Returns the kind of a fixture that does not name its kind.
fn unnamed(scheme: &Scheme, fixture: &str) -> Option<Kind> {
    let (_, name) = fixture.rsplit_once('.')?;
    scheme.kinds().iter().find(|kind| kind.type_meta().is_none() && kind.name() == name).copied()
}

fn from(kind: Kind, format: Format, bytes: &[u8]) -> Result<Box<dyn AnyKind>, DecodeError> {
    let mut object = kind.empty();
    match format {
        Format::Json => decode_json_into(object.fields_mut(), bytes, &mut Decoding::new())?,
        Format::Protobuf => {
            let envelope = Envelope::open(bytes)?;
            decode_protobuf_into(object.fields_mut(), envelope.raw, &mut Decoding::new())?;
        }
    }
    Ok(object)
}

fn same(a: &dyn AnyKind, b: &dyn AnyKind) -> Result<()> {
    if a.equals(b) {
        return Ok(());
    }
    let (a, b): (Value, Value) =
        (serde_json::from_slice(&a.to_json())?, serde_json::from_slice(&b.to_json())?);
    bail!("{}", difference(&a, &b).unwrap_or_else(|| "a place that JSON does not show".to_owned()))
}

fn yaml_to_json(yaml: &[u8]) -> Result<Vec<u8>> {
    let value: Value = serde_saphyr::from_slice(yaml).context("YAML")?;
    Ok(serde_json::to_vec(&value)?)
}

/// Where two JSON values differ first.
fn difference(a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().find_map(|key| match (a.get(key), b.get(key)) {
                (Some(a), Some(b)) => difference(a, b).map(|path| format!(".{key}{path}")),
                (Some(_), None) => Some(format!(".{key} (only in the first)")),
                _ => Some(format!(".{key} (only in the second)")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(at, (a, b))| Some(format!("[{at}]{}", difference(a, b)?)))
        }
        _ if a == b => None,
        _ => Some(String::new()),
    }
}
