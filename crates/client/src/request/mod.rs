//! A request as plain data.

mod body;
mod error;
mod params;
mod path;
mod shown_url;
mod template;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Format, Message, Payload};
use client_rs_machinery::{GroupResource, GroupVersion, Resource};
use client_rs_transport::auth::Impersonate;
use http::header::{AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) use body::Prepared;
pub use body::{BodySource, ObjectBody, StreamBody};
pub use error::{ApplyConfigurationError, PathPart, RequestError};
pub(crate) use shown_url::ShownUrl;

use crate::warning::WarningHandler;
use crate::{Verb, backoff};

/// A request to an API server, before it is sent: plain data, no I/O.
///
/// Setters may come in any order. A mistake is remembered, the first one only, and is what sending gives: later
/// setters change nothing then. A request can be cloned and sent any number of times, except one whose body is
/// a stream.
///
/// ```
/// # use client_rs_client::Request;
/// let request = Request::get().api("apps", "v1").namespace("default").resource("deployments").name("web");
/// assert_eq!(request.path_and_query("/").unwrap(), "/apis/apps/v1/namespaces/default/deployments/web");
/// ```
#[derive(Clone)]
pub struct Request {
    verb: Verb,
    root: Root,
    prefix: Vec<String>,
    subpath: Vec<String>,
    /// Whether the server's base path stands before it.
    below_base: bool,
    namespace: Option<String>,
    resource: Option<String>,
    group: String,
    name: Option<String>,
    subresource: Vec<String>,
    /// What follows the path, with its query, as it stands in a URL.
    tail: String,
    params: Vec<(String, String)>,
    headers: HeaderMap,
    body: BodySource,
    timeout: Option<Duration>,
    max_retries: u32,
    warnings: Option<Arc<dyn WarningHandler>>,
    /// What is to be done with the answer, where a request says that: streams.
    extensions: http::Extensions,
    error: Option<RequestError>,
}

/// What a path begins with, behind the server's own base path.
#[derive(Clone, Debug)]
enum Root {
    /// `api/v1` or `apis/group/version`.
    Api(String),
    /// What the caller said, whatever it is.
    Absolute { path: String, trailing_slash: bool },
}

impl Request {
    /// How often a request is tried again, unless said otherwise.
    pub const DEFAULT_MAX_RETRIES: u32 = 10;

    /// A request of this kind.
    pub fn new(verb: Verb) -> Self {
        Self {
            verb,
            root: Root::Api(String::new()),
            prefix: Vec::new(),
            subpath: Vec::new(),
            below_base: true,
            namespace: None,
            resource: None,
            group: String::new(),
            name: None,
            subresource: Vec::new(),
            tail: String::new(),
            params: Vec::new(),
            headers: HeaderMap::new(),
            body: BodySource::None,
            timeout: None,
            max_retries: Self::DEFAULT_MAX_RETRIES,
            warnings: None,
            extensions: http::Extensions::new(),
            error: None,
        }
    }

    /// A `GET`.
    pub fn get() -> Self {
        Self::new(Verb::Get)
    }

    /// A `POST`.
    pub fn post() -> Self {
        Self::new(Verb::Post)
    }

    /// A `PUT`.
    pub fn put() -> Self {
        Self::new(Verb::Put)
    }

    /// A `PATCH` with this patch: its body, its media type and, where it takes over fields that others own, `force`.
    pub fn patch(patch: &Patch) -> Self {
        let content_type = HeaderValue::from_static(patch.media_type());
        let request =
            Self::new(Verb::Patch).header(http::header::CONTENT_TYPE, content_type).body(patch.body());
        if patch.is_forced() { request.param("force", "true") } else { request }
    }

    /// A `DELETE`.
    pub fn delete() -> Self {
        Self::new(Verb::Delete)
    }

    /// For a group and version: `/api/v1` for the core group, else `/apis/<group>/<version>`.
    #[must_use]
    pub fn api(self, group: &str, version: &str) -> Self {
        let group_name = group.to_owned();
        self.set(|request| {
            if !group.is_empty() {
                path::check(PathPart::Group, group)?;
            }
            path::check(PathPart::Version, version)?;
            request.root = Root::Api(match group {
                "" => format!("api/{version}"),
                group => format!("apis/{group}/{version}"),
            });
            request.group = group_name;
            Ok(())
        })
    }

    /// For a group and version.
    #[must_use]
    pub fn group_version(self, group_version: &GroupVersion) -> Self {
        self.api(&group_version.group, &group_version.version)
    }

    /// For a resource that is known when compiling: its group, version and plural name.
    #[must_use]
    pub fn of<K: Resource>(self) -> Self {
        self.api(K::INFO.group, K::INFO.version).resource(K::INFO.plural)
    }

    /// Puts segments behind the group and version.
    #[must_use]
    pub fn prefix<S: Into<String>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            request.prefix.extend(segments.into_iter().map(Into::into));
            Ok(())
        })
    }

    /// Puts segments behind everything else.
    #[must_use]
    pub fn suffix<S: Into<String>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            request.subpath.extend(segments.into_iter().map(Into::into));
            Ok(())
        })
    }

    /// Takes these segments instead of group, version and prefix, below the server's base path. A slash at the
    /// end is kept where there is one segment only.
    #[must_use]
    pub fn abs_path<S: AsRef<str>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            let segments: Vec<_> = segments.into_iter().collect();
            let trailing_slash = match segments.as_slice() {
                [only] => only.as_ref().len() > 1 && only.as_ref().ends_with('/'),
                _ => false,
            };
            let path = path::join(segments.iter().map(AsRef::as_ref));
            request.root = Root::Absolute { path, trailing_slash };
            request.prefix.clear();
            Ok(())
        })
    }

    /// Takes path and query from a text such as `/apis/apps/v1/deployments?limit=5`, below the server's base
    /// path; the parameters replace those set before.
    #[must_use]
    pub fn request_uri(self, uri: &str) -> Self {
        self.set(|request| {
            let bad = || RequestError::uri(uri);
            let parsed: http::Uri = uri.parse().map_err(|_| bad())?;
            let path =
                percent_encoding::percent_decode_str(parsed.path()).decode_utf8().map_err(|_| bad())?;
            let trailing_slash = path.len() > 1 && path.ends_with('/');
            request.root = Root::Absolute { path: path::join([&*path]), trailing_slash };
            request.prefix.clear();
            request.params = params::parse(parsed.query().unwrap_or_default());
            Ok(())
        })
    }

    /// What follows the path, with its query, as it stands in a URL: for somebody behind the server.
    #[must_use]
    pub(crate) fn tail(self, tail: String) -> Self {
        self.set(|request| {
            request.tail = tail;
            Ok(())
        })
    }

    /// Leaves out the server's base path: for paths that the server itself has given, from its root.
    #[must_use]
    pub(crate) fn at_root(self) -> Self {
        self.set(|request| {
            request.below_base = false;
            Ok(())
        })
    }

    /// The resource's plural name; made lowercase.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        self.set(|request| {
            path::check(PathPart::Resource, resource)?;
            once(PathPart::Resource, &mut request.resource, resource.to_lowercase())
        })
    }

    /// The namespace. An empty one is refused: a request of all namespaces, or of the whole cluster, names none.
    #[must_use]
    pub fn namespace(self, namespace: &str) -> Self {
        self.set(|request| {
            if namespace.is_empty() {
                return Err(RequestError::Empty(PathPart::Namespace));
            }
            path::check(PathPart::Namespace, namespace)?;
            once(PathPart::Namespace, &mut request.namespace, namespace.to_owned())
        })
    }

    /// The object's name.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        self.set(|request| {
            if name.is_empty() {
                return Err(RequestError::Empty(PathPart::Name));
            }
            path::check(PathPart::Name, name)?;
            once(PathPart::Name, &mut request.name, name.to_owned())
        })
    }

    /// What of the object: `status`, or several segments such as `proxy` and a path.
    #[must_use]
    pub fn subresource<S: AsRef<str>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            if !request.subresource.is_empty() {
                return Err(RequestError::Twice(PathPart::Subresource));
            }
            for segment in segments {
                path::check(PathPart::Subresource, segment.as_ref())?;
                request.subresource.push(segment.as_ref().to_owned());
            }
            Ok(())
        })
    }

    /// Adds a parameter; one that is there already is there twice then.
    #[must_use]
    pub fn param(self, name: &str, value: impl Into<String>) -> Self {
        self.set(|request| {
            request.params.push((name.to_owned(), value.into()));
            Ok(())
        })
    }

    /// Adds the fields of an options type (`ListOptions`, `CreateOptions`, …) that are not empty.
    #[must_use]
    pub fn options<O: Message>(self, options: &O) -> Self {
        self.set(|request| {
            request.params.extend(params::of(options));
            Ok(())
        })
    }

    /// Sets a header, in place of what it was.
    #[must_use]
    pub fn header<V>(self, name: HeaderName, value: V) -> Self
    where
        V: TryInto<HeaderValue>,
    {
        self.set(|request| {
            let value = value.try_into().map_err(|_| RequestError::Header(name.clone()))?;
            request.headers.insert(name, value);
            hide(&mut request.headers);
            Ok(())
        })
    }

    /// Changes the headers.
    #[must_use]
    pub(crate) fn map_headers(self, change: impl FnOnce(&mut HeaderMap)) -> Self {
        self.set(|request| {
            change(&mut request.headers);
            hide(&mut request.headers);
            Ok(())
        })
    }

    /// Notes what is to be done with the answer.
    #[must_use]
    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(self, note: T) -> Self {
        self.set(|request| {
            request.extensions.insert(note);
            Ok(())
        })
    }

    /// What was noted.
    pub(crate) fn noted<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions.get()
    }

    /// The same with another verb.
    #[must_use]
    pub(crate) fn with_verb(mut self, verb: Verb) -> Self {
        self.verb = verb;
        self
    }

    /// How long the request may take as a whole, retries included; the server is told too. Zero: no limit.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.set(|request| {
            request.timeout = (!timeout.is_zero()).then_some(timeout);
            Ok(())
        })
    }

    /// How often it is tried again where that is safe. Default: [`DEFAULT_MAX_RETRIES`](Self::DEFAULT_MAX_RETRIES).
    #[must_use]
    pub fn max_retries(self, retries: u32) -> Self {
        self.set(|request| {
            request.max_retries = retries;
            Ok(())
        })
    }

    /// In whose name it is made, instead of whom the client's config says. Heeded by a transport that was made from a config.
    #[must_use]
    pub fn impersonate(self, user: Impersonate) -> Self {
        self.extension(user)
    }

    /// Who hears the server's warnings, instead of the client's handler.
    #[must_use]
    pub fn warnings(self, handler: Arc<dyn WarningHandler>) -> Self {
        self.set(|request| {
            request.warnings = Some(handler);
            Ok(())
        })
    }

    /// The body, as it is.
    #[must_use]
    pub fn body(self, body: impl Into<BodySource>) -> Self {
        self.set(|request| {
            request.body = body.into();
            Ok(())
        })
    }

    /// An object as the body, encoded when it is sent, in the client's format.
    #[must_use]
    pub fn object<K: Payload>(self, object: impl Into<Arc<K>>) -> Self {
        self.body(BodySource::object(object.into()))
    }

    /// What it asks for.
    pub fn verb(&self) -> Verb {
        self.verb
    }

    /// The first mistake, if one was made.
    pub fn error(&self) -> Option<&RequestError> {
        self.error.as_ref()
    }

    /// The resource that it is about; empty if none was named.
    pub fn group_resource(&self) -> GroupResource {
        match &self.resource {
            Some(resource) => GroupResource::new(self.group.as_str(), resource.as_str()),
            None => GroupResource::EMPTY,
        }
    }

    /// The name of the object that it is about; empty if none was named.
    pub fn object_name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Path and query below the base path of a server.
    pub fn path_and_query(&self, base: &str) -> Result<String, RequestError> {
        self.check()?;
        let path = path::encode(&self.path(base, None)) + &self.tail;
        let query = params::encode(&self.all_params());
        Ok(if query.is_empty() { path } else { format!("{path}?{query}") })
    }

    /// Path and query with placeholders for names, namespaces and values: few enough to count by.
    pub fn template(&self, base: &str) -> String {
        template::of(self, base)
    }

    /// Remembers a mistake, unless one is remembered already.
    #[must_use]
    pub(crate) fn refuse(self, error: RequestError) -> Self {
        self.set(|_| Err(error))
    }

    /// Whether it can be sent as it is.
    pub(crate) fn check(&self) -> Result<(), RequestError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.timeout
    }

    /// When the server will have ended the watch that this is, if it was told to.
    pub(crate) fn watch_limit(&self) -> Option<Duration> {
        let (_, seconds) = self.params.iter().rev().find(|(name, _)| name == "timeoutSeconds")?;
        seconds.parse().ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
    }

    pub(crate) fn retries(&self) -> u32 {
        self.max_retries
    }

    pub(crate) fn own_warnings(&self) -> Option<&Arc<dyn WarningHandler>> {
        self.warnings.as_ref()
    }

    pub(crate) fn own_headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub(crate) fn body_source(&self) -> &BodySource {
        &self.body
    }

    pub(crate) fn with_default_accept(self, formats: &[Format]) -> Self {
        if self.headers.contains_key(http::header::ACCEPT) {
            return self;
        }
        let accept: Vec<_> = formats.iter().map(|format| format.media_type()).collect();
        self.header(http::header::ACCEPT, accept.join(","))
    }

    /// A watch ends on the server's side at a time that chance decides between the limit and twice that, so that
    /// watches that began together do not end together.
    #[must_use]
    pub fn watch_timeout(self, at_least: Duration) -> Self {
        let seconds = backoff::jittered(at_least, 1.0).as_secs();
        self.set(|request| {
            request.params.retain(|(name, _)| name != "timeoutSeconds");
            request.params.push(("timeoutSeconds".to_owned(), seconds.to_string()));
            Ok(())
        })
    }

    fn all_params(&self) -> Vec<(String, String)> {
        let mut params = self.params.clone();
        if let Some(timeout) = self.timeout {
            let nanos = i64::try_from(timeout.as_nanos()).unwrap_or(i64::MAX);
            let text = client_rs_machinery::Duration::from_nanos(nanos).to_string();
            params.push(("timeout".to_owned(), text));
        }
        params
    }

    /// The decoded path; `holes` stands for namespace and name.
    fn path(&self, base: &str, holes: Option<(&str, &str)>) -> String {
        let (root, trailing_slash) = match &self.root {
            Root::Api(api) => (api, false),
            Root::Absolute { path, trailing_slash } => (path, *trailing_slash),
        };
        let base = if self.below_base { base } else { "" };
        let mut segments: Vec<&str> = vec![base, root];
        segments.extend(self.prefix.iter().map(String::as_str));
        if let Some(namespace) = self.namespace.as_deref() {
            segments.extend(["namespaces", holes.map_or(namespace, |(namespace, _)| namespace)]);
        }
        segments.extend(self.resource.as_deref());
        segments.extend(self.name.as_deref().map(|name| holes.map_or(name, |(_, name)| name)));
        segments.extend(self.subresource.iter().map(String::as_str));
        segments.extend(self.subpath.iter().map(String::as_str));
        let nothing_behind = segments.len() == 2;
        let mut path = path::join(segments);
        if trailing_slash && nothing_behind && !path.ends_with('/') {
            path.push('/');
        }
        path
    }

    fn set(mut self, change: impl FnOnce(&mut Self) -> Result<(), RequestError>) -> Self {
        if self.error.is_none()
            && let Err(error) = change(&mut self)
        {
            self.error = Some(error);
        }
        self
    }
}

/// `Debug` shows the method, the path, the names of parameters and the headers, but nothing that says who asks and nothing
/// of the body.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = path::encode(&self.path("", None)) + &self.tail;
        let query = params::encode(&self.all_params());
        let url = if query.is_empty() { path } else { format!("{path}?{query}") };
        f.debug_struct("Request")
            .field("verb", &self.verb)
            .field("path", &ShownUrl(&url))
            .field("headers", &self.headers)
            .field("body", &self.body)
            .field("max_retries", &self.max_retries)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

/// Marks what says who asks, so that `Debug` does not show it.
fn hide(headers: &mut HeaderMap) {
    for name in [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE] {
        if let http::header::Entry::Occupied(mut values) = headers.entry(name) {
            values.iter_mut().for_each(|value| value.set_sensitive(true));
        }
    }
}

fn once(part: PathPart, place: &mut Option<String>, value: String) -> Result<(), RequestError> {
    if place.is_some() {
        return Err(RequestError::Twice(part));
    }
    *place = Some(value);
    Ok(())
}

#[cfg(test)]
mod tests;
