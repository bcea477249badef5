//! `krs get`

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use client_rs_client::DynamicApi;
use client_rs_client::discovery::RestMapping;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{Json, Unstructured};
use http::header::ACCEPT;

use crate::failure::{self, Failures};
use crate::output::objects::{self, ObjectOptions};
use crate::output::{Format, Output, Table, TableOptions, TablePrinter, sort};
use crate::selection::{Wanted, WhichArgs, Words};
use crate::session::Session;
use crate::terminal::EndSignal;
use crate::{GlobalArgs, Streams};

/// The Accept header for servers that can return tables.
const AS_TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

/// kubectl's flags, with its meaning.
#[derive(Debug, Default, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Args {
    #[command(flatten)]
    which: WhichArgs,
    /// Field selector, such as status.phase=Running
    #[arg(long, value_name = "FIELDS")]
    field_selector: Option<String>,
    /// Output format: table, wide, json, yaml, name, jsonpath=…, jsonpath-file=…, custom-columns=…, custom-columns-file=…
    #[arg(long, short = 'o', value_name = "FORM")]
    output: Option<String>,
    /// After listing, watch for changes until Ctrl-C
    #[arg(long, short = 'w')]
    watch: bool,
    /// Watch for changes without listing first
    #[arg(long)]
    watch_only: bool,
    /// With --watch, print the event type before each object
    #[arg(long)]
    output_watch_events: bool,
    /// Show all labels in the last column
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    show_labels: bool,
    /// Show a column for each of these labels
    #[arg(long, short = 'L', value_delimiter = ',', value_name = "LABEL")]
    label_columns: Vec<String>,
    /// Sort by the value at this path, such as .metadata.creationTimestamp
    #[arg(long, value_name = "PATH")]
    sort_by: Option<String>,
    /// Number of objects to request per page; 0 for all at once
    #[arg(long, value_name = "COUNT", default_value_t = 500)]
    chunk_size: i64,
    /// Do not fail if a named object is not found
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    ignore_not_found: bool,
    /// Do not print the header line
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = false, default_missing_value = "true", value_name = "BOOL")]
    no_headers: bool,
    /// Print the server's table columns; with =false, print only names and ages
    #[arg(long, num_args = 0..=1, require_equals = true, default_value_t = true, default_missing_value = "true", value_name = "BOOL")]
    server_print: bool,
    /// Include managedFields in JSON and YAML output
    #[arg(long)]
    show_managed_fields: bool,
}

pub(crate) async fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let format = Format::parse(args.output.as_deref())?;
    args.validate(&format)?;
    let session = Session::open(global)?;
    let sources = args.sources(&session).await?;
    if args.watch || args.watch_only {
        // Listened for before the first line is printed: a signal between two listeners would be nobody's.
        let mut signal = EndSignal::interrupt()?;
        return tokio::select! {
            ended = watch(args, &format, &sources, streams) => ended,
            () = signal.heard() => Ok(()),
        };
    }
    if format.is_table() {
        tables(&session, args, &format, &sources, streams).await
    } else {
        objects(args, &format, &sources, streams).await
    }
}

/// One request.
struct Source {
    mapping: Arc<RestMapping>,
    api: DynamicApi,
    /// None: all.
    name: Option<String>,
}

impl Args {
    fn validate(&self, format: &Format) -> Result<()> {
        let output = self.output.as_deref().unwrap_or_default();
        if self.which.words.is_empty() && self.which.files.is_empty() {
            bail!(
                "you must specify the type of resource to get; \"krs api-resources\" lists those that the server has"
            );
        }
        if !self.which.words.is_empty() && !self.which.files.is_empty() {
            bail!(
                "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well"
            );
        }
        if self.show_labels && !format.is_table() {
            bail!("--show-labels option cannot be used with {output} printer");
        }
        if !self.label_columns.is_empty() && matches!(format, Format::CustomColumns(_)) {
            bail!("--label-columns option cannot be used with {output} printer");
        }
        if self.output_watch_events && !(self.watch || self.watch_only) {
            bail!("--output-watch-events option can only be used with --watch or --watch-only");
        }
        if self.chunk_size < 0 {
            bail!("--chunk-size must not be negative");
        }
        Ok(())
    }

    async fn sources(&self, session: &Session) -> Result<Vec<Source>> {
        if !self.which.files.is_empty() {
            let mut sources = Vec::new();
            for manifest in self.which.files.read()? {
                let object = manifest.object;
                let mapping = session.mapping_of(&object).await?;
                let namespace = session.namespace_for(&object)?;
                let api = session.api(&mapping, &namespace);
                sources.push(Source { mapping, api, name: Some(object.name().to_owned()) });
            }
            return Ok(sources);
        }
        let selected = self.which.selector.is_some() || self.field_selector.is_some();
        Ok(match Words::parse(&self.which.words)?.resolve(session).await? {
            Wanted::All(mappings) => mappings
                .into_iter()
                .map(|mapping| {
                    let api = session.collection(&mapping, self.which.all_namespaces);
                    Source { mapping, api, name: None }
                })
                .collect(),
            Wanted::Named(_) if selected => bail!("name cannot be provided when a selector is specified"),
            Wanted::Named(named) => {
                let mut sources = Vec::new();
                for (mapping, name) in named {
                    if self.which.all_namespaces && mapping.namespaced {
                        bail!("a resource cannot be retrieved by name across all namespaces");
                    }
                    let api = session.api(&mapping, &session.namespace);
                    sources.push(Source { mapping, api, name: Some(name) });
                }
                sources
            }
        })
    }

    fn list_options(&self) -> ListOptions {
        ListOptions {
            label_selector: self.which.selector.as_deref().unwrap_or_default().into(),
            field_selector: self.field_selector.as_deref().unwrap_or_default().into(),
            // Sorted, it has to be whole.
            limit: if self.sort_by.is_some() { 0 } else { self.chunk_size },
            ..ListOptions::EMPTY
        }
    }

    fn table_options(&self, format: &Format, mapping: &RestMapping, with_kind: bool) -> TableOptions {
        TableOptions {
            no_headers: self.no_headers,
            wide: matches!(format, Format::Table { wide: true }),
            with_namespace: self.which.all_namespaces && mapping.namespaced,
            with_kind: with_kind.then(|| mapping.kind.group_kind()),
            show_labels: self.show_labels,
            label_columns: self.label_columns.clone(),
        }
    }

    fn object_options(&self) -> ObjectOptions {
        ObjectOptions { no_headers: self.no_headers, show_managed_fields: self.show_managed_fields }
    }

    fn accept(&self) -> &'static str {
        if self.server_print { AS_TABLE } else { "application/json" }
    }

    /// Should this error be ignored?
    fn forgives(&self, error: &anyhow::Error) -> bool {
        self.ignore_not_found && failure::is_not_found(error)
    }
}

impl Source {
    /// The pages of a list, or the one object, as tables.
    async fn tables(&self, args: &Args) -> Result<Vec<Table>> {
        let (accept, whole) = (args.accept(), args.sort_by.is_some());
        let ask = |request: client_rs_client::Request| {
            let request = request.header(ACCEPT, accept);
            if whole && args.server_print { request.param("includeObject", "Object") } else { request }
        };
        if let Some(name) = &self.name {
            let answer = self.api.get(name).map_request(ask).await?;
            return Ok(vec![Table::from_answer(&answer.into())]);
        }
        let mut options = args.list_options();
        let mut pages = Vec::new();
        loop {
            let request = self.api.list().options(options.clone()).map_request(ask).into_request();
            let answer: Unstructured = self.api.rest().send(request).await?;
            let page = Table::from_answer(&answer.into());
            options.continue_ = page.continue_from.as_str().into();
            pages.push(page);
            if options.continue_.is_empty() {
                return Ok(pages);
            }
        }
    }

    async fn objects(&self, args: &Args) -> Result<Vec<Unstructured>> {
        if let Some(name) = &self.name {
            return Ok(vec![self.api.get(name).await?]);
        }
        let mut options = args.list_options();
        let mut all = Vec::new();
        loop {
            let page = self.api.list().options(options.clone()).await?;
            all.extend(page.items);
            options.continue_ = page.metadata.continue_;
            if options.continue_.is_empty() {
                return Ok(all);
            }
        }
    }
}

async fn tables(
    session: &Session,
    args: &Args,
    format: &Format,
    sources: &[Source],
    streams: &mut Streams<'_>,
) -> Result<()> {
    let mut failures = Failures(Vec::new());
    let mut found: Vec<(&Source, Vec<Table>)> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        if sources.len() > 1 {
            streams.progress(&format!(
                "{} of {}: {}",
                at + 1,
                sources.len(),
                source.mapping.resource.resource
            ))?;
        }
        match source.tables(args).await {
            Ok(pages) => found.push((source, pages)),
            Err(error) if args.forgives(&error) => {}
            Err(error) => failures.0.push(error),
        }
    }
    streams.progress("")?;
    let first = found.first().map(|(source, _)| &source.mapping.kind);
    let with_kind = found.iter().any(|(source, _)| Some(&source.mapping.kind) != first);
    let mut groups = Groups::default();
    for group in found.chunk_by_mut(|(one, _), (other, _)| one.mapping.kind == other.mapping.kind) {
        let options = args.table_options(format, &group[0].0.mapping, with_kind);
        let mut printer = TablePrinter::new(options);
        let mut text = Vec::new();
        for (_, pages) in group {
            for table in pages {
                if let Some(path) = &args.sort_by {
                    sort::by_path(path, &mut table.rows, |row| &row.object)?;
                }
                printer.add(table, None, &mut text)?;
            }
        }
        printer.flush(&mut text)?;
        groups.print(&text, !args.no_headers, &mut streams.out)?;
    }
    if !groups.any && !args.ignore_not_found && failures.0.is_empty() {
        let namespaced = found.iter().all(|(source, _)| source.mapping.namespaced);
        if namespaced && !args.which.all_namespaces {
            writeln!(streams.err, "No resources found in {} namespace.", session.namespace)?;
        } else {
            writeln!(streams.err, "No resources found")?;
        }
    }
    failures.into_result()
}

/// Tables of several kinds, with a line between them.
#[derive(Default)]
struct Groups {
    any: bool,
}

impl Groups {
    fn print(&mut self, text: &[u8], divided: bool, out: &mut (dyn Write + Send)) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.any && divided {
            writeln!(out)?;
        }
        self.any = true;
        Ok(out.write_all(text)?)
    }
}

async fn objects(args: &Args, format: &Format, sources: &[Source], streams: &mut Streams<'_>) -> Result<()> {
    let mut failures = Failures(Vec::new());
    let mut found = Vec::new();
    let single = matches!(sources, [Source { name: Some(_), .. }]);
    for source in sources {
        match source.objects(args).await {
            Ok(objects) => found.extend(objects),
            Err(error) if args.forgives(&error) => {}
            Err(error) if single => return Err(error),
            Err(error) => failures.0.push(error),
        }
    }
    if found.is_empty() && args.ignore_not_found {
        return failures.into_result();
    }
    let options = args.object_options();
    match found.as_slice() {
        [object] if single => objects::print_one(object, format, options, &mut streams.out)?,
        _ => {
            if let Some(path) = &args.sort_by {
                let mut keyed: Vec<(Json, Unstructured)> =
                    found.drain(..).map(|object| (Json::from(&object), object)).collect();
                sort::by_path(path, &mut keyed, |(json, _)| json)?;
                found.extend(keyed.into_iter().map(|(_, object)| object));
            }
            objects::print_list(&found, format, options, &mut streams.out)?;
        }
    }
    failures.into_result()
}

/// Prints the existing objects, then every change, until the server or Ctrl-C ends the watch.
async fn watch(args: &Args, format: &Format, sources: &[Source], streams: &mut Streams<'_>) -> Result<()> {
    let [source] = sources else { bail!("you may only specify a single resource type") };
    if args.sort_by.is_some() {
        writeln!(
            streams.err,
            "warning: --watch requested, --sort-by will be ignored for watch events received"
        )?;
    }
    let mut changes = Changes {
        args,
        format,
        printer: TablePrinter::new(args.table_options(format, &source.mapping, false)),
        documents: 0,
    };
    let accept = if format.is_table() { args.accept() } else { "application/json" };
    let version = changes.begin(source, streams).await?;
    streams.out.flush()?;
    let mut options = ListOptions { resource_version: version.into(), limit: 0, ..args.list_options() };
    if let Some(name) = &source.name {
        options.field_selector = format!("metadata.name={name}").into();
    }
    let request = source.api.watch().options(options);
    let mut watch = request.map_request(|request| request.header(ACCEPT, accept)).await?;
    while let Some(event) = watch.next().await {
        let (kind, object) = match event {
            Ok(WatchEvent::Added(object)) => ("ADDED", object),
            Ok(WatchEvent::Modified(object)) => ("MODIFIED", object),
            Ok(WatchEvent::Deleted(object)) => ("DELETED", object),
            Ok(WatchEvent::Bookmark { .. }) => continue,
            Ok(WatchEvent::Error(error)) => return Err(error.into()),
            Err(bad) => {
                writeln!(streams.err, "warning: {bad}")?;
                continue;
            }
        };
        changes.print(kind, object, &mut streams.out)?;
        streams.out.flush()?;
    }
    Ok(())
}

/// Prints objects one after the other.
struct Changes<'a> {
    args: &'a Args,
    format: &'a Format,
    printer: TablePrinter,
    documents: usize,
}

impl Changes<'_> {
    /// Prints the existing objects, and returns their version.
    async fn begin(&mut self, source: &Source, streams: &mut Streams<'_>) -> Result<String> {
        let event = self.args.output_watch_events.then_some("ADDED");
        let mut version = String::new();
        if self.format.is_table() {
            for mut table in source.tables(self.args).await? {
                version = std::mem::take(&mut table.resource_version);
                if self.args.watch_only {
                    table.rows.clear();
                }
                self.printer.print(&table, event, &mut streams.out)?;
            }
        } else if let Some(name) = &source.name {
            let object = source.api.get(name).await?;
            object.resource_version().clone_into(&mut version);
            if !self.args.watch_only {
                self.print("ADDED", object, &mut streams.out)?;
            }
        } else {
            let list =
                source.api.list().options(ListOptions { limit: 0, ..self.args.list_options() }).await?;
            version = list.metadata.resource_version.to_string();
            for object in list.items.into_iter().filter(|_| !self.args.watch_only) {
                self.print("ADDED", object, &mut streams.out)?;
            }
        }
        Ok(version)
    }

    fn print(&mut self, event: &str, object: Unstructured, out: &mut Output<'_>) -> Result<()> {
        let shown = self.args.output_watch_events.then_some(event);
        if self.format.is_table() {
            let table = Table::from_answer(&object.into());
            return Ok(self.printer.print(&table, shown, out)?);
        }
        self.documents += 1;
        if self.documents > 1 && matches!(self.format, Format::Yaml) {
            writeln!(out, "---")?;
        }
        let mut options = self.args.object_options();
        options.no_headers |= self.documents > 1;
        match shown {
            Some(event) => {
                let json = client_rs_machinery::json!({"type": event, "object": Json::from(&object)});
                match self.format {
                    Format::Yaml => write!(out.raw(), "{}", client_rs_client::manifest::to_yaml(&json))?,
                    Format::Json => writeln!(out.raw(), "{}", crate::output::json::compact(&json))?,
                    format => objects::print_one(&object, format, options, out)?,
                }
            }
            None => objects::print_one(&object, self.format, options, out)?,
        }
        Ok(())
    }
}
