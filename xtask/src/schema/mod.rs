//! `cargo xtask schema`: refreshes the committed inputs of the code generator.

#[allow(dead_code, reason = "read by the code generator")]
pub(crate) mod clients;
pub(crate) mod discovery;
mod layout;
#[allow(dead_code, reason = "read by the code generator")]
pub(crate) mod model;
pub(crate) mod openapi;
mod server;
#[allow(dead_code, reason = "read by the code generator")]
mod types;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};

use self::discovery::Discovery;
use self::model::Schema;
use self::openapi::Documents;
use self::server::Server;
use client_rs_tests_tools::workspace::{self, command};

pub(crate) use model::load;

/// Refresh the code generator's inputs from the pinned Go modules and a running server
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Kubeconfig of a running server of the pinned version, with every API and feature gate enabled; without it,
    /// only what comes from the Go modules is refreshed
    #[arg(long, value_name = "FILE")]
    server_kubeconfig: Option<PathBuf>,
    /// The kubectl that reads the server
    #[arg(long, value_name = "PROGRAM", default_value = "kubectl")]
    kubectl: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = workspace::root().join("schema");
    refresh_types(&folder)?;
    if let Some(kubeconfig) = &args.server_kubeconfig {
        let kubeconfig = std::path::absolute(kubeconfig)?;
        refresh_served(&folder, &Server { kubectl: args.kubectl.clone(), kubeconfig })?;
    }
    summary(&load(&folder)?);
    Ok(ExitCode::SUCCESS)
}

fn refresh_types(folder: &Path) -> Result<()> {
    println!("== types and clients: reflecting over the pinned Go modules");
    let program = workspace::root().join("hack/schema");
    workspace::run(command("go").args(["run", ".", "-out"]).arg(folder).current_dir(program))
}

fn refresh_served(folder: &Path, server: &Server) -> Result<()> {
    let types = model::load_types(folder)?;
    println!("== openapi: reading the server's documents");
    let documents = Documents::fetch(server)?;
    let packages = documents.extensions(&types)?;
    println!("== discovery: reading the server's resources");
    let discovery = Discovery::fetch(server, &documents.returning_deleted()?)?;

    // Nothing is replaced before everything was read and found to agree.
    let openapi = folder.join("openapi");
    if openapi.exists() {
        std::fs::remove_dir_all(&openapi).with_context(|| format!("can't remove {}", openapi.display()))?;
    }
    std::fs::create_dir_all(&openapi).with_context(|| format!("can't create {}", openapi.display()))?;
    for package in packages {
        layout::write(&openapi.join(file_name(&package.path)), &package, 4)?;
    }
    layout::write(&folder.join("discovery.json"), &discovery, 6)
}

/// The name that the type files have for a Go package.
fn file_name(package: &str) -> String {
    let mut parts = package.rsplit('/');
    let last = parts.next().unwrap_or_default();
    let versioned = last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    match parts.next() {
        Some(group) if versioned => format!("{group}_{last}.json"),
        _ => format!("{last}.json"),
    }
}

fn summary(schema: &Schema) {
    let structs: usize = schema.packages.values().map(|package| package.structs.len()).sum();
    let versions: Vec<_> = schema.discovery.groups.iter().flat_map(|group| &group.versions).collect();
    let resources: usize = versions.iter().map(|version| version.resources.len()).sum();
    println!(
        "schema: {} packages, {structs} structs, {} clients, {} group versions, {resources} resources",
        schema.packages.len(),
        schema.clients.len(),
        versions.len()
    );
}
