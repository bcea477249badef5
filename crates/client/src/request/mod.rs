//! Requests as plain data.
//!
//! A [`Request`] describes one call to an API server, without I/O. [`RestClient`](crate::RestClient) sends it. Use it for paths and
//! parameters that no typed method covers; for objects, [`Api`](crate::Api) is shorter.

mod body;
mod error;
mod params;
mod path;
mod shown_url;
mod template;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{GroupResource, GroupVersion, Resource, Str};
use client_rs_transport::auth::Impersonate;
use http::header::{AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) use body::Prepared;
pub use body::{BodySource, ObjectBody, StreamBody};
pub use error::{ApplyConfigurationError, PathPart, RequestError};
pub(crate) use shown_url::ShownUrl;
pub(crate) use template::Template;

use crate::warning::WarningHandler;
use crate::{Verb, backoff};

/// A request to an API server, before it is sent: plain data, no I/O.
///
/// Setters can come in any order. The first mistake is remembered, later setters change nothing then, and sending returns it as an
/// error: so a chain of setters needs no `?`. A request can be cloned and sent any number of times, except one with a stream as its
/// body.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::Request;
///
/// let request = Request::get().api("apps", "v1").namespace("default").resource("deployments").name("web");
/// assert_eq!(request.path_and_query("/").unwrap(), "/apis/apps/v1/namespaces/default/deployments/web");
///
/// # let rest = Canned::new().on("GET /api/v1/namespaces/default/pods/web", r#"{"metadata": {"name": "web"}}"#).client();
/// let request = Request::get().of::<Pod>().namespace("default").name("web");
/// let pod: Pod = rest.send(request).await?;
/// assert_eq!(pod.metadata.name, "web");
/// # Ok(())
/// # }
/// ```
///
/// Next: [`RestClient`](crate::RestClient) has one method per kind of response: an object, a list, a watch, raw bytes.
#[derive(Clone)]
pub struct Request {
    /// Behind a pointer, because a request passes through many functions and futures, which would copy all of it.
    parts: Box<Parts>,
}

#[derive(Clone)]
struct Parts {
    verb: Verb,
    root: Root,
    prefix: Vec<String>,
    subpath: Vec<String>,
    /// Whether the path is below the server's base path.
    below_base: bool,
    namespace: Option<String>,
    resource: Option<Str>,
    group: Str,
    name: Option<String>,
    subresource: Vec<String>,
    /// The end of the path, with a query, encoded as in a URL.
    tail: String,
    params: Vec<(String, String)>,
    headers: HeaderMap,
    body: BodySource,
    timeout: Option<Duration>,
    max_retries: u32,
    warnings: Option<Arc<dyn WarningHandler>>,
    /// Notes on how to handle the response, for streams.
    extensions: http::Extensions,
    error: Option<RequestError>,
}

/// The mark of [`Request::without_managed_fields`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct WithoutManagedFields;

impl WithoutManagedFields {
    /// Adds the parameter to each media type, before the media types without it.
    pub(crate) fn accept(accept: &str) -> String {
        let types = accept.split(',').map(str::trim).filter(|clause| !clause.is_empty());
        let without = types.clone().map(|clause| format!("{clause};drop=metadata.managedFields"));
        without.chain(types.map(str::to_owned)).collect::<Vec<_>>().join(",")
    }
}

/// The beginning of a path, after the server's base path.
#[derive(Clone, Debug)]
enum Root {
    /// `api/v1` or `apis/group/version`.
    Api(String),
    /// Any path of the caller.
    Absolute { path: String, trailing_slash: bool },
}

impl Request {
    /// The number of retries, unless [`max_retries`](Self::max_retries) sets another.
    pub const DEFAULT_MAX_RETRIES: u32 = 10;

    /// Returns a request with this verb.
    ///
    /// ```
    /// use client_rs_client::{Request, Verb};
    ///
    /// let request = Request::new(Verb::Head).abs_path(["livez"]);
    /// assert_eq!((request.verb(), request.path_and_query("").unwrap().as_str()), (Verb::Head, "/livez"));
    /// ```
    pub fn new(verb: Verb) -> Self {
        let parts = Parts {
            verb,
            root: Root::Api(String::new()),
            prefix: Vec::new(),
            subpath: Vec::new(),
            below_base: true,
            namespace: None,
            resource: None,
            group: Str::default(),
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
        };
        Self { parts: Box::new(parts) }
    }

    /// Returns a `GET` request.
    pub fn get() -> Self {
        Self::new(Verb::Get)
    }

    /// Returns a `POST` request.
    pub fn post() -> Self {
        Self::new(Verb::Post)
    }

    /// Returns a `PUT` request.
    pub fn put() -> Self {
        Self::new(Verb::Put)
    }

    /// Returns a `PATCH` request with the body and the media type of this patch. A forced server-side apply also sets `force`.
    ///
    /// ```
    /// use client_rs_client::Request;
    /// use client_rs_machinery::{json, patch::Patch};
    ///
    /// let apply = Patch::force_apply(json!({"metadata": {"name": "web"}}));
    /// let request = Request::patch(&apply).api("", "v1").namespace("a").resource("pods").name("web");
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/namespaces/a/pods/web?force=true");
    /// ```
    pub fn patch(patch: &Patch) -> Self {
        let content_type = HeaderValue::from_static(patch.media_type());
        let request =
            Self::new(Verb::Patch).header(http::header::CONTENT_TYPE, content_type).body(patch.body());
        if patch.is_forced() { request.param("force", "true") } else { request }
    }

    /// Returns a `DELETE` request.
    pub fn delete() -> Self {
        Self::new(Verb::Delete)
    }

    /// Sets the group and version: `/api/v1` for the core group, which has an empty name, and `/apis/<group>/<version>` for others.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let core = Request::get().api("", "v1").resource("nodes");
    /// assert_eq!(core.path_and_query("").unwrap(), "/api/v1/nodes");
    /// let batch = Request::get().api("batch", "v1").resource("jobs");
    /// assert_eq!(batch.path_and_query("").unwrap(), "/apis/batch/v1/jobs");
    /// ```
    #[must_use]
    pub fn api(self, group: &str, version: &str) -> Self {
        self.set(|request| {
            if !group.is_empty() {
                path::check(PathPart::Group, group)?;
            }
            path::check(PathPart::Version, version)?;
            request.root = Root::Api(match group {
                "" => ["api/", version].concat(),
                group => ["apis/", group, "/", version].concat(),
            });
            request.group = group.into();
            Ok(())
        })
    }

    /// Sets the group and version.
    ///
    /// ```
    /// use client_rs_client::Request;
    /// use client_rs_machinery::GroupVersion;
    ///
    /// let version = GroupVersion::parse("storage.k8s.io/v1").unwrap();
    /// let request = Request::get().group_version(&version).resource("storageclasses");
    /// assert_eq!(request.path_and_query("").unwrap(), "/apis/storage.k8s.io/v1/storageclasses");
    /// ```
    #[must_use]
    pub fn group_version(self, group_version: &GroupVersion) -> Self {
        self.api(&group_version.group, &group_version.version)
    }

    /// Sets the group, version and plural name of a typed kind.
    ///
    /// ```
    /// use client_rs_api::core::v1::Service;
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().of::<Service>().namespace("shop");
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/namespaces/shop/services");
    /// ```
    #[must_use]
    pub fn of<K: Resource>(self) -> Self {
        self.api(K::INFO.group, K::INFO.version).resource(K::INFO.plural)
    }

    /// Inserts segments after the group and version.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().api("", "v1").prefix(["watch"]).resource("pods");
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/watch/pods");
    /// ```
    #[must_use]
    pub fn prefix<S: Into<String>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            request.prefix.extend(segments.into_iter().map(Into::into));
            Ok(())
        })
    }

    /// Appends segments to the end of the path.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().abs_path(["openapi"]).suffix(["v3", "api"]);
    /// assert_eq!(request.path_and_query("").unwrap(), "/openapi/v3/api");
    /// ```
    #[must_use]
    pub fn suffix<S: Into<String>>(self, segments: impl IntoIterator<Item = S>) -> Self {
        self.set(|request| {
            request.subpath.extend(segments.into_iter().map(Into::into));
            Ok(())
        })
    }

    /// Sets the path below the server's base path, instead of group, version and prefix. A trailing slash is kept if there is only one
    /// segment.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().abs_path(["metrics", "cadvisor"]);
    /// assert_eq!(request.path_and_query("/base").unwrap(), "/base/metrics/cadvisor");
    /// ```
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

    /// Sets path and query from a text such as `/apis/apps/v1/deployments?limit=5`, below the server's base path. The parameters
    /// replace those that were set before.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().request_uri("/api/v1/pods?limit=5").param("watch", "true");
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/pods?limit=5&watch=true");
    /// assert!(Request::get().request_uri("not a path").error().is_some());
    /// ```
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

    /// Sets the end of the path, with a query, encoded as in a URL: for a backend behind the server.
    #[must_use]
    pub(crate) fn tail(self, tail: String) -> Self {
        self.set(|request| {
            request.tail = tail;
            Ok(())
        })
    }

    /// Omits the server's base path: for paths from the server's root, which the server itself returned.
    #[must_use]
    pub(crate) fn at_root(self) -> Self {
        self.set(|request| {
            request.below_base = false;
            Ok(())
        })
    }

    /// Sets the plural name of the resource. It is converted to lower case.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        self.set(|request| {
            path::check(PathPart::Resource, resource)?;
            let is_lower = resource.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c.is_ascii_digit());
            let resource = if is_lower { resource.into() } else { resource.to_lowercase().into() };
            once(PathPart::Resource, &mut request.resource, resource)
        })
    }

    /// Sets the namespace. For all namespaces, or for a cluster-scoped resource, do not call it.
    ///
    /// ```
    /// use client_rs_client::{PathPart, Request, RequestError};
    ///
    /// // An empty name would silently mean all namespaces, so it is an error.
    /// let request = Request::get().api("", "v1").namespace("").resource("secrets");
    /// assert_eq!(request.error(), Some(&RequestError::Empty(PathPart::Namespace)));
    /// ```
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

    /// Sets the name of the object.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// // A name can't change the path.
    /// let request = Request::delete().api("", "v1").resource("nodes").name("n1/../../secrets");
    /// assert!(request.path_and_query("").is_err());
    /// ```
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

    /// Sets the subresource: `status`, or several segments such as `proxy` and a path.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let pods = Request::get().api("", "v1").namespace("a").resource("pods").name("web");
    /// let request = pods.subresource(["proxy", "healthz"]);
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/namespaces/a/pods/web/proxy/healthz");
    /// ```
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

    /// Adds a query parameter. A parameter that already exists is sent twice.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().abs_path(["livez"]).param("exclude", "etcd").param("exclude", "log");
    /// assert_eq!(request.path_and_query("").unwrap(), "/livez?exclude=etcd&exclude=log");
    /// ```
    #[must_use]
    pub fn param(self, name: &str, value: impl Into<String>) -> Self {
        self.set(|request| {
            request.params.push((name.to_owned(), value.into()));
            Ok(())
        })
    }

    /// Adds the fields of an options type (`ListOptions`, `CreateOptions`, …) as query parameters. Empty fields are skipped.
    ///
    /// ```
    /// use client_rs_client::Request;
    /// use client_rs_machinery::meta::v1::ListOptions;
    ///
    /// let options = ListOptions { watch: true, resource_version: "7".into(), ..ListOptions::EMPTY };
    /// let request = Request::get().api("", "v1").resource("pods").options(&options);
    /// assert_eq!(request.path_and_query("").unwrap(), "/api/v1/pods?resourceVersion=7&watch=true");
    /// ```
    #[must_use]
    pub fn options<O: Message>(self, options: &O) -> Self {
        self.set(|request| {
            request.params.extend(params::of(options));
            Ok(())
        })
    }

    /// Sets a header, and replaces an earlier value. `Debug` does not show `Authorization` and cookies.
    ///
    /// ```
    /// use client_rs_client::Request;
    /// use http::header::AUTHORIZATION;
    ///
    /// let request = Request::get().abs_path(["version"]).header(AUTHORIZATION, "Bearer s3cret");
    /// assert!(!format!("{request:?}").contains("s3cret"));
    /// assert!(Request::get().header(AUTHORIZATION, "two\nlines").error().is_some());
    /// ```
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

    /// Adds a note on how to handle the response.
    #[must_use]
    pub(crate) fn extension<T: Clone + Send + Sync + 'static>(self, note: T) -> Self {
        self.set(|request| {
            request.extensions.insert(note);
            Ok(())
        })
    }

    /// The note of this type, if there is one.
    pub(crate) fn noted<T: Clone + Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.extensions.get()
    }

    /// The same request with another verb.
    #[must_use]
    pub(crate) fn with_verb(mut self, verb: Verb) -> Self {
        self.parts.verb = verb;
        self
    }

    /// Limits how long the request may take in total, retries included. The server gets the limit as a parameter. Zero: no limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().abs_path(["readyz"]).timeout(Duration::from_secs(90));
    /// assert_eq!(request.path_and_query("").unwrap(), "/readyz?timeout=1m30s");
    /// ```
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.set(|request| {
            request.timeout = (!timeout.is_zero()).then_some(timeout);
            Ok(())
        })
    }

    /// Limits the number of retries. A request is retried only where that is safe: see [`RestClient`](crate::RestClient). Default:
    /// [`DEFAULT_MAX_RETRIES`](Self::DEFAULT_MAX_RETRIES).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{Request, testing::Canned};
    /// # let busy = |code| http::Response::builder().status(code).header("retry-after", "1").body("").unwrap();
    /// # let server = Canned::new().respond("GET /readyz", busy(429)).respond("GET /readyz", busy(200));
    /// # let rest = server.client();
    /// let once = Request::get().abs_path(["readyz"]).max_retries(0);
    /// assert!(rest.send_raw(once.clone()).await.unwrap_err().is_too_many_requests());
    /// # let server = Canned::new().respond("GET /readyz", busy(429)).respond("GET /readyz", busy(200));
    /// # let rest = server.client();
    /// // The default follows `Retry-After` and tries again.
    /// assert_eq!(rest.send_raw(once.max_retries(10)).await?.status, 200);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_retries(self, retries: u32) -> Self {
        self.set(|request| {
            request.max_retries = retries;
            Ok(())
        })
    }

    /// Sends the request as another user, instead of the user of the client's config. Works with a transport that was built from a
    /// config.
    ///
    /// ```
    /// use client_rs_client::Request;
    /// use client_rs_transport::auth::Impersonate;
    ///
    /// let as_jane = Request::get().api("", "v1").resource("pods").impersonate(Impersonate::new("jane"));
    /// assert_eq!(as_jane.error(), None);
    /// ```
    #[must_use]
    pub fn impersonate(self, user: Impersonate) -> Self {
        self.extension(user)
    }

    /// Sets the handler that receives the server's warnings, instead of the client's handler.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::sync::Arc;
    /// # use client_rs_client::{Request, testing::Canned};
    /// use client_rs_client::warning::NoWarnings;
    ///
    /// # let old = http::Response::builder().header("warning", r#"299 - "v1beta1 is deprecated""#).body("{}")?;
    /// # let rest = Canned::new().respond("GET /apis/example.com/v1beta1", old).client();
    /// let request = Request::get().api("example.com", "v1beta1").warnings(Arc::new(NoWarnings));
    /// assert_eq!(rest.send_raw(request).await?.body, "{}");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn warnings(self, handler: Arc<dyn WarningHandler>) -> Self {
        self.set(|request| {
            request.warnings = Some(handler);
            Ok(())
        })
    }

    /// Sets the body: bytes, text, or the path of a file. It is sent unchanged.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{Request, testing::Canned};
    /// # use http::header::CONTENT_TYPE;
    /// # let server = Canned::new().on("POST /api/v1/namespaces", "{}");
    /// let text = r#"{"metadata": {"name": "shop"}}"#.to_owned();
    /// let request = Request::post().api("", "v1").resource("namespaces").header(CONTENT_TYPE, "application/json").body(text);
    /// server.client().send_raw(request).await?;
    /// assert_eq!(server.received()[0].body(), r#"{"metadata": {"name": "shop"}}"#);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn body(self, body: impl Into<BodySource>) -> Self {
        self.set(|request| {
            request.body = body.into();
            Ok(())
        })
    }

    /// Sets an object as the body. It is encoded when the request is sent, in the format of the client: protobuf or JSON.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Namespace;
    /// # use client_rs_client::{Request, testing::Canned};
    /// # let rest = Canned::new().echo("POST /api/v1/namespaces").client();
    /// let mut shop = Namespace::default();
    /// shop.metadata.name = "shop".into();
    /// let created: Namespace = rest.send(Request::post().of::<Namespace>().object(shop)).await?;
    /// assert_eq!(created.metadata.name, "shop");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn object<K: Payload>(self, object: impl Into<Arc<K>>) -> Self {
        self.body(BodySource::object(object.into()))
    }

    /// The verb.
    pub fn verb(&self) -> Verb {
        self.parts.verb
    }

    /// The first mistake, if there is one. Sending returns it too.
    ///
    /// ```
    /// use client_rs_client::{PathPart, Request, RequestError};
    ///
    /// let request = Request::get().name("a").name("b");
    /// assert_eq!(request.error(), Some(&RequestError::Twice(PathPart::Name)));
    /// ```
    pub fn error(&self) -> Option<&RequestError> {
        self.parts.error.as_ref()
    }

    /// The group and resource. Empty if none was set.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().api("apps", "v1").resource("Deployments");
    /// assert_eq!(request.group_resource().to_string(), "deployments.apps");
    /// ```
    pub fn group_resource(&self) -> GroupResource {
        match &self.parts.resource {
            Some(resource) => GroupResource { group: self.parts.group.clone(), resource: resource.clone() },
            None => GroupResource::EMPTY,
        }
    }

    /// The name of the object. Empty if none was set.
    pub fn object_name(&self) -> &str {
        self.parts.name.as_deref().unwrap_or_default()
    }

    /// Returns the path and query, below the base path of a server. Parameters are sorted by name.
    ///
    /// # Errors
    ///
    /// The first mistake, if one was made.
    pub fn path_and_query(&self, base: &str) -> Result<String, RequestError> {
        self.check()?;
        let path = path::encode(self.path(base, None)) + &self.parts.tail;
        let query = params::encode(&self.all_params());
        Ok(if query.is_empty() { path } else { [&*path, "?", &*query].concat() })
    }

    /// Returns the path and query with placeholders for names, namespaces and values: a label for metrics with few distinct values.
    ///
    /// ```
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().api("", "v1").namespace("a").resource("pods").name("web").param("pretty", "true");
    /// assert_eq!(request.template(""), "/api/v1/namespaces/{namespace}/pods/{name}?pretty={value}");
    /// ```
    pub fn template(&self, base: &str) -> String {
        template::of(self, base)
    }

    /// The namespace of the object. Empty if none was set.
    pub(crate) fn object_namespace(&self) -> &str {
        self.parts.namespace.as_deref().unwrap_or_default()
    }

    /// The subresource with all its segments. Empty if none was set.
    pub(crate) fn subresource_path(&self) -> Cow<'_, str> {
        match &*self.parts.subresource {
            [] => Cow::Borrowed(""),
            [one] => Cow::Borrowed(one),
            several => Cow::Owned(several.join("/")),
        }
    }

    /// The parameters that were set.
    pub(crate) fn own_params(&self) -> &[(String, String)] {
        &self.parts.params
    }

    /// Whether the server only checks the request and keeps nothing.
    pub(crate) fn is_dry_run(&self) -> bool {
        self.parts.params.iter().any(|(name, value)| name == "dryRun" && !value.is_empty())
            || self.parts.verb == Verb::Delete
                && self.delete_options().is_some_and(|options| !options.dry_run.is_empty())
    }

    /// The options in the body of a deletion, if they can be read.
    pub(crate) fn delete_options(&self) -> Option<DeleteOptions> {
        let body = match self.body_source().bytes() {
            Some(bytes) => bytes.to_vec(),
            None => self.body_source().encoded(Format::Json),
        };
        DeleteOptions::decode(Format::Json, &body, &mut Decoding::new()).ok()
    }

    /// Remembers a mistake, unless there is one already.
    #[must_use]
    pub(crate) fn refuse(self, error: RequestError) -> Self {
        self.set(|_| Err(error))
    }

    /// Returns the mistake, if there is one.
    pub(crate) fn check(&self) -> Result<(), RequestError> {
        self.parts.error.clone().map_or(Ok(()), Err)
    }

    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.parts.timeout
    }

    /// The time after which the server ends the watch, if the request sets one.
    pub(crate) fn watch_limit(&self) -> Option<Duration> {
        let (_, seconds) = self.parts.params.iter().rev().find(|(name, _)| name == "timeoutSeconds")?;
        seconds.parse().ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
    }

    pub(crate) fn retries(&self) -> u32 {
        self.parts.max_retries
    }

    pub(crate) fn own_warnings(&self) -> Option<&Arc<dyn WarningHandler>> {
        self.parts.warnings.as_ref()
    }

    pub(crate) fn own_headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    pub(crate) fn body_source(&self) -> &BodySource {
        &self.parts.body
    }

    pub(crate) fn body_source_mut(&mut self) -> &mut BodySource {
        &mut self.parts.body
    }

    /// Asks the server to leave out `metadata.managedFields`, which can be the larger part of an object (KEP-5958).
    ///
    /// A server that does not know this parameter of `Accept` ignores it, or uses one of the plain media types, which the header names too. Then the fields
    /// are part of the response. No second request is needed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/pods", r#"{"items": []}"#);
    /// let pods = Api::<Pod, _>::all(&server.client());
    /// pods.list().without_managed_fields().await?;
    /// let accept = server.received()[0].headers()["accept"].to_str()?.to_owned();
    /// assert!(accept.starts_with("application/vnd.kubernetes.protobuf;drop=metadata.managedFields,"), "{accept}");
    /// assert!(accept.ends_with(",application/vnd.kubernetes.protobuf,application/json"), "{accept}");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn without_managed_fields(mut self) -> Self {
        self.parts.extensions.insert(WithoutManagedFields);
        self
    }

    pub(crate) fn with_default_accept(self, formats: &[Format]) -> Self {
        if self.parts.headers.contains_key(http::header::ACCEPT) {
            return self;
        }
        match formats {
            [format] => self.header(http::header::ACCEPT, HeaderValue::from_static(format.media_type())),
            // The formats of all built-in kinds.
            [Format::Protobuf, Format::Json] => {
                const BOTH: HeaderValue =
                    HeaderValue::from_static("application/vnd.kubernetes.protobuf,application/json");
                self.header(http::header::ACCEPT, BOTH)
            }
            formats => {
                let accept: Vec<_> = formats.iter().map(|format| format.media_type()).collect();
                self.header(http::header::ACCEPT, accept.join(","))
            }
        }
    }

    /// Sets the time after which the server ends a watch: a random time between `at_least` and twice that. So watches that started
    /// together do not end together.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::Request;
    ///
    /// let request = Request::get().api("", "v1").resource("pods").watch_timeout(Duration::from_secs(300));
    /// let path = request.path_and_query("").unwrap();
    /// let seconds: u64 = path.rsplit_once("timeoutSeconds=").unwrap().1.parse().unwrap();
    /// assert!((300..=600).contains(&seconds));
    /// ```
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
        let mut params = self.parts.params.clone();
        if let Some(timeout) = self.parts.timeout {
            let nanos = i64::try_from(timeout.as_nanos()).unwrap_or(i64::MAX);
            let text = client_rs_machinery::Duration::from_nanos(nanos).to_string();
            params.push(("timeout".to_owned(), text));
        }
        params
    }

    /// Returns the decoded path. `holes` replaces namespace and name.
    fn path(&self, base: &str, holes: Option<(&str, &str)>) -> String {
        let (root, trailing_slash) = match &self.parts.root {
            Root::Api(api) => (api, false),
            Root::Absolute { path, trailing_slash } => (path, *trailing_slash),
        };
        let base = if self.parts.below_base { base } else { "" };
        let mut path = path::Joined::new();
        path.push(base);
        path.push(root);
        let mut nothing_behind = true;
        let mut push = |segment: &str| {
            nothing_behind = false;
            path.push(segment);
        };
        self.parts.prefix.iter().for_each(|segment| push(segment));
        if let Some(namespace) = self.parts.namespace.as_deref() {
            push("namespaces");
            push(holes.map_or(namespace, |(namespace, _)| namespace));
        }
        if let Some(resource) = &self.parts.resource {
            push(resource);
        }
        if let Some(name) = self.parts.name.as_deref() {
            push(holes.map_or(name, |(_, name)| name));
        }
        self.parts.subresource.iter().chain(&self.parts.subpath).for_each(|segment| push(segment));
        let mut path = path.into_path();
        if trailing_slash && nothing_behind && !path.ends_with('/') {
            path.push('/');
        }
        path
    }

    fn set(mut self, change: impl FnOnce(&mut Parts) -> Result<(), RequestError>) -> Self {
        if self.parts.error.is_none()
            && let Err(error) = change(&mut self.parts)
        {
            self.parts.error = Some(error);
        }
        self
    }
}

/// `Debug` shows the verb, the path, the names of parameters and the headers. It shows neither credentials nor the body.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = path::encode(self.path("", None)) + &self.parts.tail;
        let query = params::encode(&self.all_params());
        let url = if query.is_empty() { path } else { format!("{path}?{query}") };
        f.debug_struct("Request")
            .field("verb", &self.parts.verb)
            .field("path", &ShownUrl(&url))
            .field("headers", &self.parts.headers)
            .field("body", &self.parts.body)
            .field("max_retries", &self.parts.max_retries)
            .field("error", &self.parts.error)
            .finish_non_exhaustive()
    }
}

/// Marks credentials as sensitive, so that `Debug` does not show them.
fn hide(headers: &mut HeaderMap) {
    for (name, value) in headers.iter_mut() {
        if [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE].contains(name) {
            value.set_sensitive(true);
        }
    }
}

fn once<T>(part: PathPart, place: &mut Option<T>, value: T) -> Result<(), RequestError> {
    if place.is_some() {
        return Err(RequestError::Twice(part));
    }
    *place = Some(value);
    Ok(())
}

#[cfg(test)]
mod tests;
