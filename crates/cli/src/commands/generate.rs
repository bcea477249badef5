//! `krs generate`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::{Api, RestClient, manifest};
use client_rs_generate::GenerateOptions;
use client_rs_machinery::Json;
use client_rs_machinery::wire::Message;

use crate::GlobalArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file or folder of definitions in YAML or JSON, or the name of one in the cluster, such as
    /// certificates.cert-manager.io; any number of times
    #[arg(long, value_name = "FILE|NAME", required = true)]
    crd: Vec<String>,
    /// Also write accessors, a struct for each group and version, as client-gen does
    #[arg(long)]
    accessors: bool,
    /// The path of the crate that the code uses
    #[arg(long, default_value = "client_rs", value_name = "PATH")]
    crate_path: String,
    /// The file to write to; stdout unless said
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let mut definitions = Vec::new();
    for place in &args.crd {
        let path = Path::new(place);
        if path.exists() {
            let found = manifest::read_path(path)?;
            let before = definitions.len();
            let only = found.into_iter().filter(|found| found.object.kind() == "CustomResourceDefinition");
            definitions.extend(only.map(|found| Json::Map(found.object.object)));
            ensure!(definitions.len() > before, "there is no CustomResourceDefinition in {place}");
        } else {
            definitions.push(from_cluster(global, place).await?);
        }
    }
    let options = GenerateOptions {
        accessors: args.accessors,
        crate_path: args.crate_path.clone(),
        ..GenerateOptions::default()
    };
    let code = client_rs_generate::generate(&definitions, &options)?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, code).with_context(|| format!("can't write {}", path.display()))?;
        }
        None => out.write_all(code.as_bytes())?,
    }
    Ok(())
}

async fn from_cluster(global: &GlobalArgs, name: &str) -> Result<Json> {
    let rest = RestClient::from_config(&global.config()?)?;
    let found = Api::<CustomResourceDefinition>::cluster(&rest).get(name).await;
    let found =
        found.with_context(|| format!("there is no file {name}, and the cluster has no such definition"))?;
    Ok(Json::parse(&found.to_json())?)
}
