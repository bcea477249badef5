//! `krs config view`: the content of the kubeconfig files.

use anyhow::{Result, bail};
use client_rs_client::manifest;
use client_rs_machinery::Json;

use super::{Files, fields};
use crate::output::{Format, json};
use crate::{GlobalArgs, Streams};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Show secrets and certificate data
    #[arg(long)]
    raw: bool,
    /// Embed the content of referenced files
    #[arg(long)]
    flatten: bool,
    /// Only the parts that the current context uses
    #[arg(long)]
    minify: bool,
    /// Output format: yaml, json, jsonpath=…
    #[arg(long, short = 'o', default_value = "yaml", value_name = "FORM")]
    output: String,
}

pub(super) fn run(files: &Files, global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let format = Format::parse(Some(&args.output))?;
    let mut config = files.read()?;
    if args.minify {
        if let Some(context) = &global.kube.context {
            config.current_context.clone_from(context);
        }
        config.minify()?;
    }
    if args.flatten {
        config.flatten()?;
    } else if !args.raw {
        config.redact();
        config.shorten();
    }
    let config = Json::from_serde(&config.to_json())?;
    match format {
        Format::Yaml => write!(streams.out.raw(), "{}", manifest::to_yaml(&config))?,
        Format::Json => write!(streams.out.raw(), "{}", json::pretty_ordered(&config, &fields::order()))?,
        Format::JsonPath(path) => write!(streams.out.raw(), "{}", path.render(&config)?)?,
        _ => bail!("-o {} is not available in krs config view; it has yaml, json and jsonpath", args.output),
    }
    Ok(())
}
