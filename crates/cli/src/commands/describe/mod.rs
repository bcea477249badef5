//! `krs describe`

mod data;
mod generic;
mod node;
mod page;
mod pod;
mod service;
mod workload;

use std::sync::Arc;

use anyhow::{Result, bail};
use client_rs_client::discovery::RestMapping;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::{LabelSelector, ListOptions};
use client_rs_machinery::{Json, Time, Unstructured};

use crate::failure::{self, Failures};
use crate::selection::{Wanted, WhichArgs, Words};
use crate::session::Session;
use crate::{GlobalArgs, Streams};
use page::{Page, list, shown};

/// The flags are kubectl's.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    which: WhichArgs,
    /// Show events [default: true, unless several objects are described]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    show_events: Option<bool>,
}

/// An object to describe.
struct Subject {
    mapping: Arc<RestMapping>,
    object: Unstructured,
    /// Was it found by the beginning of its name?
    is_guess: bool,
}

impl Subject {
    fn of(mapping: &Arc<RestMapping>, object: Unstructured) -> Self {
        Self { mapping: Arc::clone(mapping), object, is_guess: false }
    }
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    if args.which.words.is_empty() == args.which.files.is_empty() {
        bail!("you must specify the type of resource to describe, or files with -f");
    }
    let session = Session::open(global)?;
    let mut failures = Failures(Vec::new());
    let subjects = args.subjects(&session, &mut failures).await?;
    let alone =
        subjects.len() <= 1 && failures.0.is_empty() && !subjects.iter().any(|subject| subject.is_guess);
    let with_events = args.show_events.unwrap_or(alone);
    if subjects.is_empty() && failures.0.is_empty() {
        if args.which.all_namespaces {
            writeln!(streams.err, "No resources found")?;
        } else {
            writeln!(streams.err, "No resources found in {} namespace.", session.namespace)?;
        }
    }
    for (at, subject) in subjects.iter().enumerate() {
        let text = describe(&session, subject, with_events, Time::now()).await?;
        match (subject.is_guess, at) {
            (true, _) => writeln!(streams.out, "{text}")?,
            (false, 0) => write!(streams.out, "{text}")?,
            (false, _) => write!(streams.out, "\n\n{text}")?,
        }
    }
    failures.into_result()
}

impl Args {
    async fn subjects(&self, session: &Session, failures: &mut Failures) -> Result<Vec<Subject>> {
        let mut named = Vec::new();
        let mut found = Vec::new();
        if self.which.files.is_empty() {
            match Words::parse(&self.which.words)?.resolve(session).await? {
                Wanted::Named(_) if self.which.selector.is_some() => {
                    bail!("name cannot be provided when a selector is specified")
                }
                Wanted::Named(_) if self.which.all_namespaces => {
                    bail!("a resource cannot be retrieved by name across all namespaces")
                }
                Wanted::Named(pairs) => {
                    named.extend(
                        pairs.into_iter().map(|(mapping, name)| (mapping, session.namespace.clone(), name)),
                    );
                }
                Wanted::All(mappings) => {
                    for mapping in mappings {
                        let api = session.collection(&mapping, self.which.all_namespaces);
                        match api
                            .list()
                            .label_selector(self.which.selector.as_deref().unwrap_or_default())
                            .await
                        {
                            Ok(list) => {
                                found.extend(
                                    list.items.into_iter().map(|object| Subject::of(&mapping, object)),
                                );
                            }
                            Err(error) => failures.0.push(error.into()),
                        }
                    }
                }
            }
        } else {
            for manifest in self.which.files.read()? {
                let mapping = session.mapping_of(&manifest.object).await?;
                let namespace = session.namespace_for(&manifest.object)?;
                named.push((mapping, namespace, manifest.object.name().to_owned()));
            }
        }
        let single = named.len() == 1 && self.which.words.len() == 2;
        for (mapping, namespace, name) in named {
            let api = session.api(&mapping, &namespace);
            match api.get(&name).await {
                Ok(object) => found.push(Subject::of(&mapping, object)),
                Err(error) => {
                    let error = anyhow::Error::from(error);
                    // A name may be the beginning of several.
                    let alike: Vec<Subject> = if single && failure::is_not_found(&error) {
                        let all = api.list().await?.items.into_iter();
                        let alike = all.filter(|object| object.name().starts_with(&name));
                        alike
                            .map(|object| Subject { is_guess: true, ..Subject::of(&mapping, object) })
                            .collect()
                    } else {
                        Vec::new()
                    };
                    if alike.is_empty() {
                        failures.0.push(error);
                    }
                    found.extend(alike);
                }
            }
        }
        Ok(found)
    }
}

async fn describe(session: &Session, subject: &Subject, with_events: bool, now: Time) -> Result<String> {
    let Subject { mapping, object, .. } = subject;
    let json = Json::from(object);
    let mut page = Page::default();
    let (namespace, name) = (object.namespace(), object.name());
    match (mapping.kind.group.as_str(), mapping.kind.kind.as_str()) {
        ("", "Pod") => pod::describe(&json, &mut page, now),
        ("", "Service") => {
            let slices = format!("kubernetes.io/service-name={name}");
            let slices = related(session, "endpointslices.discovery.k8s.io", namespace, &slices, "").await;
            service::describe(&json, &slices.unwrap_or_default(), &mut page);
        }
        ("", "Node") => {
            let mine = format!("spec.nodeName={name},status.phase!=Succeeded,status.phase!=Failed");
            let pods = related(session, "pods", "", "", &mine).await;
            let leases = session.find("leases.coordination.k8s.io").await?;
            let lease = session.api(&leases, "kube-node-lease").get(name).await;
            let lease = lease.map(Json::from).map_err(|error| match error.api() {
                Some(api) => api.message().to_owned(),
                None => error.to_string(),
            });
            node::describe(&json, &node::Around { lease, pods: pods.ok() }, &mut page, now);
        }
        ("", "ConfigMap") => data::config_map(&json, &mut page),
        ("", "Secret") => data::secret(&json, &mut page),
        ("apps", "Deployment") => {
            let labels = selector(&json["spec"]["selector"]);
            let sets = related(session, "replicasets.apps", namespace, &labels, "").await.unwrap_or_default();
            let own = |set: &Json| {
                list(&set["metadata"]["ownerReferences"]).any(|owner| owner["uid"] == object.uid())
            };
            let sets: Vec<Json> = sets.into_iter().filter(own).collect();
            workload::deployment(&json, &sets, &mut page);
        }
        ("apps", "ReplicaSet") => {
            let labels = selector(&json["spec"]["selector"]);
            let pods = related(session, "pods", namespace, &labels, "").await.unwrap_or_default();
            workload::replica_set(&json, &pods, &mut page);
        }
        _ => generic::describe(&json, &mut page),
    }
    // Without the right to list events, the object is still shown.
    if with_events
        && mapping.kind.kind != "Secret"
        && let Ok(events) = events_of(session, &json).await
    {
        page.events(&events, now);
    }
    Ok(page.finish())
}

/// Objects that belong to another; of all namespaces if that is empty.
async fn related(
    session: &Session,
    resource: &str,
    namespace: &str,
    labels: &str,
    fields: &str,
) -> Result<Vec<Json>> {
    let mapping = session.find(resource).await?;
    let api = session.client.mapped(&mapping);
    let api = if namespace.is_empty() { api } else { api.namespace(namespace) };
    let options =
        ListOptions { label_selector: labels.into(), field_selector: fields.into(), ..ListOptions::EMPTY };
    let mut pages = api.pages().options(options);
    let mut all = Vec::new();
    while let Some(page) = pages.try_next().await? {
        all.extend(page.items.into_iter().map(Json::from));
    }
    Ok(all)
}

async fn events_of(session: &Session, object: &Json) -> Result<Vec<Json>> {
    let (metadata, kind) = (&object["metadata"], shown(&object["kind"]));
    let (name, namespace, uid) =
        (shown(&metadata["name"]), shown(&metadata["namespace"]), shown(&metadata["uid"]));
    let of = |uid: &str| {
        let mut fields = vec![format!("involvedObject.name={name}")];
        fields.push(format!("involvedObject.namespace={namespace}"));
        fields.push(format!("involvedObject.kind={kind}"));
        fields.push(format!("involvedObject.uid={uid}"));
        fields.join(",")
    };
    let mut events = related(session, "events.v1.", &namespace, "", &of(&uid)).await?;
    if kind == "Node" {
        // Kubelets use the name of their node as the UID.
        events.extend(related(session, "events.v1.", &namespace, "", &of(&name)).await?);
    }
    Ok(events)
}

/// A label selector as text.
fn selector(selector: &Json) -> String {
    let parsed = selector.to_message::<LabelSelector>().ok();
    let parsed = parsed.and_then(|selector| Selector::try_from(&selector).ok());
    parsed.map(|selector| selector.to_string()).unwrap_or_default()
}
