//! `krs apply`

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use client_rs_client::discovery::RestMapping;
use client_rs_client::manifest::Manifest;
use client_rs_machinery::Unstructured;

use crate::dry_run::DryRun;
use crate::failure::Failures;
use crate::files::FileArgs;
use crate::output::Format;
use crate::output::objects::{self, ObjectOptions};
use crate::session::Session;
use crate::{GlobalArgs, Streams};

const CONFLICT: &str = "Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the `--force-conflicts` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts";

/// The flags are kubectl's, but apply is always server-side.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    files: FileArgs,
    /// Use server-side apply; krs has no client-side apply
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true, default_missing_value = "true", value_name = "BOOL")]
    server_side: bool,
    /// Take ownership of fields that other managers own, instead of failing with a conflict
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    force_conflicts: bool,
    /// The name of the field manager
    #[arg(long, default_value = "krs", value_name = "NAME")]
    field_manager: String,
    /// Whether to send the change, and whether the server persists it
    #[arg(long, value_enum, default_value = "none", num_args = 0..=1, require_equals = true, default_missing_value = "client")]
    dry_run: DryRun,
    /// How to handle unknown and duplicate fields
    #[arg(long, value_enum, default_value = "strict", num_args = 0..=1, require_equals = true, default_missing_value = "strict")]
    validate: Validate,
    /// Output format: name, json, yaml, jsonpath=…
    #[arg(long, short = 'o', value_name = "FORM")]
    output: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Validate {
    /// Fail the request
    #[value(alias = "true")]
    Strict,
    /// Print a warning, and drop unknown fields
    Warn,
    /// Drop unknown fields silently
    #[value(alias = "false")]
    Ignore,
}

impl Validate {
    fn as_param(self) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::Warn => "Warn",
            Self::Ignore => "Ignore",
        }
    }
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    if !args.server_side {
        bail!("krs applies on the server (--server-side); use kubectl for client-side apply");
    }
    if args.files.is_empty() {
        bail!("must specify one of -f and -k; krs has -f");
    }
    let format = args.output.as_deref().map(|output| Format::parse(Some(output))).transpose()?;
    let manifests = args.files.read()?;
    let session = Session::open(global)?;
    let mut failures = Failures(Vec::new());
    let mut applied = Vec::new();
    let count = manifests.len();
    for (at, manifest) in manifests.into_iter().enumerate() {
        if count > 1 {
            streams.progress(&format!("{} of {count}: {}", at + 1, manifest.object.name()))?;
        }
        let object = args.apply(&session, manifest).await;
        streams.progress("")?;
        match object {
            Ok(object) if format.is_none() => {
                let suffix = args.dry_run.suffix();
                writeln!(streams.out, "{} serverside-applied{suffix}", objects::name_of(&object))?;
                if object.deletion_timestamp().is_some() {
                    writeln!(
                        streams.err,
                        "Warning: Detected changes to resource {} which is currently being deleted.",
                        object.name()
                    )?;
                }
            }
            Ok(object) => applied.push(object),
            Err(error) => failures.0.push(error),
        }
    }
    if let Some(format) = &format {
        match applied.as_slice() {
            [] => {}
            [object] => objects::print_one(object, format, ObjectOptions::default(), &mut streams.out)?,
            all if matches!(format, Format::Name) => {
                for object in all {
                    writeln!(streams.out, "{}", objects::name_of(object))?;
                }
            }
            all => objects::print_list(all, format, ObjectOptions::default(), &mut streams.out)?,
        }
    }
    failures.into_result()
}

impl Args {
    async fn apply(&self, session: &Session, manifest: Manifest) -> Result<Unstructured> {
        let at = place(&manifest);
        let object = manifest.object;
        if object.name().is_empty() {
            bail!("{at}: the {} has no name; cannot use generate name with apply", object.kind());
        }
        let mapping = session.mapping_of(&object).await.with_context(|| at.clone())?;
        let namespace = session.namespace_for(&object).with_context(|| at.clone())?;
        if self.dry_run == DryRun::Client {
            return Ok(Self::as_it_would_be(object, &mapping, &namespace));
        }
        let request = session.api(&mapping, &namespace).apply(&object, self.field_manager.as_str());
        let request =
            request.map_request(|request| request.param("fieldValidation", self.validate.as_param()));
        let request = if self.force_conflicts { request.force() } else { request };
        let request = if self.dry_run == DryRun::Server { request.dry_run() } else { request };
        match request.await {
            Err(error) if error.is_conflict() => {
                let said = error.api().map(|api| api.message().to_owned()).unwrap_or_default();
                Err(anyhow!("{said}\n{CONFLICT}"))
            }
            other => Ok(other?),
        }
    }

    fn as_it_would_be(mut object: Unstructured, mapping: &RestMapping, namespace: &str) -> Unstructured {
        if mapping.namespaced {
            object.set_namespace(namespace);
        }
        object
    }
}

/// Where an object comes from.
fn place(manifest: &Manifest) -> String {
    match &manifest.file {
        Some(file) => format!("{}, line {}", file.display(), manifest.line),
        None => format!("line {}", manifest.line),
    }
}
