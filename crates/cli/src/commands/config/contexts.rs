//! Contexts.

use anyhow::{Result, anyhow, bail};
use client_rs_transport::kubeconfig::KubeContext;

use super::Files;
use crate::failure::Failures;
use crate::output::table;
use crate::{GlobalArgs, Streams};

#[derive(Debug, clap::Args)]
pub(super) struct GetArgs {
    /// Only the contexts with these names
    names: Vec<String>,
    /// Output format: name
    #[arg(long, short = 'o', value_name = "FORM")]
    output: Option<String>,
    /// Do not print the header line
    #[arg(long)]
    no_headers: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct NameArgs {
    /// The name of the entry
    pub(super) name: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct SetArgs {
    /// The name of the context
    #[arg(required_unless_present = "current", conflicts_with = "current")]
    name: Option<String>,
    /// Modify the current context
    #[arg(long)]
    current: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct RenameArgs {
    /// The current name of the context
    name: String,
    /// The new name
    new_name: String,
}

pub(super) fn get(files: &Files, args: &GetArgs, streams: &mut Streams<'_>) -> Result<()> {
    let config = files.read()?;
    let names_only = match args.output.as_deref() {
        None | Some("") => false,
        Some("name") => true,
        Some(other) => bail!("--output {other} is not available in krs config get-contexts; it has name"),
    };
    let mut failures = Failures(Vec::new());
    let mut shown: Vec<&String> = Vec::new();
    for name in &args.names {
        match config.contexts.get_key_value(name) {
            Some((name, _)) => shown.push(name),
            None => failures.0.push(anyhow!("context {name} not found")),
        }
    }
    if args.names.is_empty() {
        shown.extend(config.contexts.keys());
    }
    shown.sort();
    if names_only {
        for name in shown {
            writeln!(streams.out, "{name}")?;
        }
        return failures.into_result();
    }
    let mut rows = Vec::new();
    if !args.no_headers {
        rows.push(["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"].map(str::to_owned).to_vec());
    }
    for name in shown {
        let mark = if *name == config.current_context { "*" } else { " " };
        let KubeContext { cluster, user, namespace, .. } = &config.contexts[name];
        rows.push([mark, name, cluster, user, namespace].map(str::to_owned).to_vec());
    }
    table::print(&rows, &mut streams.out)?;
    failures.into_result()
}

pub(super) fn current(files: &Files, streams: &mut Streams<'_>) -> Result<()> {
    match files.read()?.current_context {
        name if name.is_empty() => bail!("current-context is not set"),
        name => Ok(writeln!(streams.out, "{name}")?),
    }
}

pub(super) fn use_one(files: &Files, args: &NameArgs, streams: &mut Streams<'_>) -> Result<()> {
    let mut config = files.read()?;
    if !config.contexts.contains_key(&args.name) {
        bail!("no context exists with the name: {:?}", args.name);
    }
    config.current_context.clone_from(&args.name);
    files.write(&config)?;
    Ok(writeln!(streams.out, "Switched to context {:?}.", args.name)?)
}

pub(super) fn set(
    files: &Files,
    global: &GlobalArgs,
    args: &SetArgs,
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut config = files.read()?;
    let name = args.name.clone().unwrap_or_else(|| config.current_context.clone());
    if name.is_empty() {
        bail!(if args.current {
            "no current context is set"
        } else {
            "you must specify a non-empty context name or --current"
        });
    }
    let existed = config.contexts.contains_key(&name);
    let context = config.contexts.entry(name.clone()).or_default();
    for (said, field) in [
        (&global.kube.cluster, &mut context.cluster),
        (&global.kube.user, &mut context.user),
        (&global.kube.namespace, &mut context.namespace),
    ] {
        if let Some(said) = said {
            field.clone_from(said);
        }
    }
    files.write(&config)?;
    let what = if existed { "modified" } else { "created" };
    Ok(writeln!(streams.out, "Context {name:?} {what}.")?)
}

pub(super) fn rename(files: &Files, args: &RenameArgs, streams: &mut Streams<'_>) -> Result<()> {
    let RenameArgs { name, new_name } = args;
    let mut config = files.read()?;
    if new_name.is_empty() {
        bail!("You must specify a new non-empty context name");
    }
    if config.contexts.contains_key(new_name) {
        bail!(
            "cannot rename the context {name:?}, the context {new_name:?} already exists in {}",
            files.name()
        );
    }
    let Some(context) = config.contexts.remove(name) else {
        bail!("cannot rename the context {name:?}, it's not in {}", files.name());
    };
    config.contexts.insert(new_name.clone(), context);
    if config.current_context == *name {
        config.current_context.clone_from(new_name);
    }
    files.write(&config)?;
    Ok(writeln!(streams.out, "Context {name:?} renamed to {new_name:?}.")?)
}

pub(super) fn delete(files: &Files, args: &NameArgs, streams: &mut Streams<'_>) -> Result<()> {
    let (mut config, name) = (files.read()?, &args.name);
    if config.contexts.remove(name).is_none() {
        bail!("cannot delete context {name}, not in {}", files.name());
    }
    if config.current_context == *name {
        writeln!(
            streams.err,
            "warning: this removed your active context, use \"krs config use-context\" to select a different one"
        )?;
    }
    files.write(&config)?;
    Ok(writeln!(streams.out, "deleted context {name} from {}", files.name())?)
}
