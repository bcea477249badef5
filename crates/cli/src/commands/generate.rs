//! `krs generate`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::{Api, RestClientOptions, manifest};
use client_rs_custom::generate::{GenerateOptions, check};
use client_rs_machinery::Json;
use client_rs_machinery::wire::Message;

use crate::GlobalArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file or directory of CRDs in YAML or JSON, or the name of a CRD in the cluster, such as
    /// certificates.cert-manager.io; can be repeated
    #[arg(long, value_name = "FILE|NAME", required = true)]
    crd: Vec<String>,
    /// Also generate a Clientset with an accessor for each group, version and kind, as client-gen does
    #[arg(long)]
    accessors: bool,
    /// Also generate apply configurations, which add to the compile time
    #[arg(long)]
    apply: bool,
    /// Also generate versions that are not served
    #[arg(long)]
    unserved: bool,
    /// The crate path that the generated code uses
    #[arg(long, default_value = "client_rs", value_name = "PATH")]
    crate_path: String,
    /// The output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, out: &mut (dyn Write + Send)) -> Result<()> {
    let options = GenerateOptions::default()
        .with_accessors(args.accessors)
        .with_apply(args.apply)
        .with_unserved(args.unserved)
        .with_crate_path(args.crate_path.clone());
    let mut definitions = Vec::new();
    for place in &args.crd {
        let path = Path::new(place);
        if path.exists() {
            let found = from_files(path)?;
            ensure!(!found.is_empty(), "no CustomResourceDefinition found in {place}");
            for (file, definition) in found {
                check(&definition, &options).with_context(|| file.display().to_string())?;
                definitions.push(definition);
            }
        } else {
            let definition = from_cluster(global, place).await?;
            check(&definition, &options).context("a definition of the cluster")?;
            definitions.push(definition);
        }
    }
    let code = client_rs_custom::generate::generate(&definitions, &options)?;
    match &args.output {
        Some(path) => {
            std::fs::write(path, code).with_context(|| format!("can't write {}", path.display()))?;
        }
        None => out.write_all(code.as_bytes())?,
    }
    Ok(())
}

/// The definitions in a file or a folder, each with its file. Other files, such as those of other tools, are skipped.
fn from_files(path: &Path) -> Result<Vec<(PathBuf, Json)>> {
    const KIND: &str = "CustomResourceDefinition";
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).with_context(|| format!("can't read {}", path.display()))?;
        files = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<_>>()?;
        let known = |file: &PathBuf| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("yaml" | "yml" | "json"))
                && std::fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(KIND))
        };
        files.retain(known);
        files.sort();
    }
    let mut definitions = Vec::new();
    for file in files {
        let found = manifest::read_path(&file)?.into_iter().filter(|found| found.object.kind() == KIND);
        definitions.extend(found.map(|found| (file.clone(), Json::Map(found.object.object))));
    }
    Ok(definitions)
}

async fn from_cluster(global: &GlobalArgs, name: &str) -> Result<Json> {
    let config = global.config()?;
    let rest = global.connect(&config, RestClientOptions::from_config(&config))?;
    let found = Api::<CustomResourceDefinition>::cluster(&rest).get(name).await;
    let found = found
        .with_context(|| format!("{name} is neither a file nor a CustomResourceDefinition in the cluster"))?;
    Ok(Json::parse(&found.to_json())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_tools_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("kustomization.yaml", "resources:\n- a.yaml\n");
        write("README.md", "CustomResourceDefinition");
        assert!(from_files(folder.path()).unwrap().is_empty());
        let definition =
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n";
        write(
            "b.yaml",
            &format!("{definition}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n"),
        );
        write("a.yml", definition);
        assert_eq!(from_files(folder.path()).unwrap().len(), 2);
        // A named file that can't be read is an error.
        write("c.yaml", "kind: CustomResourceDefinition\n");
        let error = from_files(folder.path()).unwrap_err().to_string();
        assert!(error.contains("c.yaml") && error.contains("apiVersion"), "{error}");
    }
}
