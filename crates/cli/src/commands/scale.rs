//! `krs scale`

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use client_rs_client::discovery::RestMapping;
use client_rs_client::dynamic::Scale;
use client_rs_client::{Backoff, retry_on_conflict};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Unstructured, json};

use crate::arguments::duration;
use crate::dry_run::DryRun;
use crate::failure::Failures;
use crate::files::FileArgs;
use crate::output::Format;
use crate::output::objects::{self, ObjectOptions};
use crate::selection::{Wanted, Words};
use crate::session::Session;
use crate::{GlobalArgs, Streams};

/// Between two looks at whether it is done.
const TICK: Duration = Duration::from_millis(250);

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The objects to scale: TYPE NAME…, TYPE/NAME…, or TYPE with -l or --all
    #[arg(value_name = "TYPE|NAME")]
    words: Vec<String>,
    #[command(flatten)]
    files: FileArgs,
    /// The new number of replicas
    #[arg(long, value_name = "COUNT")]
    replicas: i32,
    /// Scale only if this is the current number of replicas
    #[arg(long, value_name = "COUNT", default_value_t = -1, allow_negative_numbers = true)]
    current_replicas: i32,
    /// Scale only if this is the current resource version
    #[arg(long, value_name = "VERSION")]
    resource_version: Option<String>,
    /// Scale objects that match this label selector
    #[arg(long, short = 'l', value_name = "LABELS")]
    selector: Option<String>,
    /// Scale all objects of the type in the namespace
    #[arg(long)]
    all: bool,
    /// How long to wait for the new number of replicas: 30s, 5m; 0 to not wait
    #[arg(long, default_value = "0s", value_parser = duration, value_name = "TIME")]
    timeout: Duration,
    /// Whether to send the change, and whether the server persists it
    #[arg(long, value_enum, default_value = "none", num_args = 0..=1, require_equals = true, default_missing_value = "client")]
    dry_run: DryRun,
    /// Output format: name, json, yaml, jsonpath=…
    #[arg(long, short = 'o', value_name = "FORM")]
    output: Option<String>,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    if args.replicas < 0 {
        bail!("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
    }
    if args.current_replicas < -1 {
        bail!("The --current-replicas must specify an integer of -1 or greater");
    }
    let format = args.output.as_deref().map(|output| Format::parse(Some(output))).transpose()?;
    let session = Session::open(global)?;
    let mut failures = Failures(Vec::new());
    let targets = args.targets(&session, &mut failures).await?;
    if targets.is_empty() {
        failures.into_result()?;
        bail!("no objects passed to scale");
    }
    if args.resource_version.is_some() && targets.len() > 1 {
        bail!("cannot use --resource-version with multiple resources");
    }
    for (mapping, mut object) in targets {
        let replicas = match args.dry_run {
            DryRun::Client => args.replicas,
            _ => scale(&session, args, &mapping, &object, streams).await?,
        };
        match &format {
            None => writeln!(streams.out, "{} scaled{}", objects::name_of(&object), args.dry_run.suffix())?,
            Some(format) => {
                // Custom kinds define the path of their replicas; built-in kinds have them here.
                if object.nested(&["spec", "replicas"]).ok().flatten().is_some() {
                    drop(object.set_nested(&["spec", "replicas"], replicas));
                }
                objects::print_one(&object, format, ObjectOptions::default(), &mut streams.out)?;
            }
        }
    }
    failures.into_result()
}

impl Args {
    async fn targets(
        &self,
        session: &Session,
        failures: &mut Failures,
    ) -> Result<Vec<(Arc<RestMapping>, Unstructured)>> {
        let mut named = Vec::new();
        let mut found = Vec::new();
        if self.files.is_empty() {
            match Words::parse(&self.words)?.resolve(session).await? {
                Wanted::Named(_) if self.all || self.selector.is_some() => {
                    bail!("name cannot be provided when a selector is specified")
                }
                Wanted::Named(pairs) => named.extend(
                    pairs.into_iter().map(|(mapping, name)| (mapping, session.namespace.clone(), name)),
                ),
                Wanted::All(_) if !self.all && self.selector.is_none() => {
                    bail!("resource(s) were provided, but no name was specified")
                }
                Wanted::All(mappings) => {
                    for mapping in mappings {
                        let list = session.api(&mapping, &session.namespace).list();
                        let list = list.label_selector(self.selector.as_deref().unwrap_or_default());
                        match list.await {
                            Ok(list) => {
                                found.extend(
                                    list.items.into_iter().map(|object| (Arc::clone(&mapping), object)),
                                );
                            }
                            Err(error) => failures.0.push(error.into()),
                        }
                    }
                }
            }
        } else {
            for manifest in self.files.read()? {
                let mapping = session.mapping_of(&manifest.object).await?;
                let namespace = session.namespace_for(&manifest.object)?;
                named.push((mapping, namespace, manifest.object.name().to_owned()));
            }
        }
        for (mapping, namespace, name) in named {
            match session.api(&mapping, &namespace).get(&name).await {
                Ok(object) => found.push((mapping, object)),
                Err(error) => failures.0.push(error.into()),
            }
        }
        Ok(found)
    }

    fn check(&self, scale: &Scale) -> Result<()> {
        if self.current_replicas >= 0 && scale.replicas() != self.current_replicas {
            bail!("Expected replicas to be {}, was {}", self.current_replicas, scale.replicas());
        }
        match &self.resource_version {
            Some(wanted) if wanted != scale.resource_version() => {
                bail!("Expected resource version to be {wanted}, was {}", scale.resource_version())
            }
            _ => Ok(()),
        }
    }
}

/// Scales one object, and returns the desired number of replicas.
async fn scale(
    session: &Session,
    args: &Args,
    mapping: &RestMapping,
    object: &Unstructured,
    streams: &mut Streams<'_>,
) -> Result<i32> {
    if mapping.subresource("scale").is_none() {
        bail!("{} have no scale subresource", mapping.resource.group_resource());
    }
    let api = session.api(mapping, object.namespace());
    let place = api.subresource(object.name(), ["scale"]);
    let read =
        |object: Unstructured| Scale::from_object(object).context("the server's response is not a Scale");
    let dry_run = args.dry_run == DryRun::Server;
    let scaled = if args.current_replicas >= 0 || args.resource_version.is_some() {
        // Between looking and writing nobody may have changed it.
        let updated = retry_on_conflict(Backoff::DEFAULT_RETRY, || async {
            let mut scale =
                match read(place.get().await?).and_then(|scale| args.check(&scale).map(|()| scale)) {
                    Ok(scale) => scale,
                    Err(refused) => return Ok(Err(refused)),
                };
            scale.set_replicas(args.replicas);
            let update = place.update(scale.object);
            let update = if dry_run { update.dry_run() } else { update };
            update.await.map(Ok)
        });
        read(updated.await??)?
    } else {
        let patch = place.patch(&Patch::Merge(json!({"spec": {"replicas": args.replicas}})));
        let patch = if dry_run { patch.dry_run() } else { patch };
        read(patch.await?)?
    };
    if !args.timeout.is_zero() && args.dry_run == DryRun::None {
        let deadline = tokio::time::Instant::now() + args.timeout;
        loop {
            let now = read(place.get().await?)?;
            if now.replicas() == args.replicas && now.status_replicas() == args.replicas {
                break;
            }
            if tokio::time::Instant::now() >= deadline {
                streams.progress("")?;
                bail!("timed out waiting for {:?} to be synced", object.name());
            }
            streams.progress(&format!(
                "{}: {} of {}",
                object.name(),
                now.status_replicas(),
                args.replicas
            ))?;
            tokio::time::sleep(TICK).await;
        }
        streams.progress("")?;
    }
    Ok(scaled.replicas())
}
