//! The fake: reactors in front of the storage.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use client_rs_client::{Error, RestClient};
use client_rs_machinery::meta::v1::APIResourceList;
use client_rs_machinery::{ApiError, Unstructured};
use client_rs_transport::http::{Body, Target as Host, Transport};
use futures_util::stream;
use http::{HeaderValue, Request, Response, Uri, header, request};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};

use super::action::FakeAction;
use super::chain::{Chain, Reactor, WatchReactor};
use super::fixture::Fixture;
use super::reaction::{Reaction, WatchEvents, WatchReaction};
use super::served::ServedDocuments;
use crate::access::{Access, Authority, Gate, TokenOptions, Tokens};
use crate::controllers::Controllers;
use crate::controls::{Controls, TestControls};
use crate::http::media::Form;
use crate::http::reply::Reply;
use crate::http::{Api, Peer};
use crate::registry::{Registry, RegistryOptions, Served};
use crate::request::{Query, Route, User, percent_decoded};

/// Nothing collects garbage: dependents of deleted objects stay.
const OPTIONS: RegistryOptions = RegistryOptions::PLAIN;

/// The storage of a server, with reactors in front of it and a record of all requests for resources.
///
/// A test holds the fake and the code under test holds a client of it:
/// [`FakeClient::fake`](super::FakeClient::fake) creates both.
///
/// Reactors run in order. The one that was [prepended](Self::prepend_reactor) last runs first. The first reactor
/// that handles a request ends it, and the storage does not see the request. For one request, reactors run one
/// after the other; for concurrent requests they run concurrently, so they must not block. Watches have their own
/// reactors. Requests that are not for a resource, such as discovery, go directly to the storage.
///
/// Cloning is cheap; all clones share one fake. It has no task and no socket: when the last clone and the last
/// client are dropped, it is gone.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, Faked, Reaction};
/// use client_rs_client::{Api, RestClient};
/// use client_rs_machinery::ApiError;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let Faked { client, fake } = RestClient::fake(&[])?;
/// // This one runs second, because it was prepended first.
/// fake.prepend_reactor("create", "configmaps", |action| {
///     match action.object.as_ref().and_then(|object| object.label("tier")) {
///         Some("front") => Reaction::Fail(ApiError::service_unavailable("injected")),
///         _ => Reaction::Continue,
///     }
/// });
/// fake.prepend_reactor("create", "configmaps", |action| {
///     if let Some(object) = &mut action.object {
///         object.set_label("tier", "front");
///     }
///     Reaction::Continue
/// });
///
/// let mut settings = ConfigMap::EMPTY;
/// settings.metadata.name = "settings".into();
/// let error = Api::<ConfigMap, _>::within(&client, "shop").create(settings).await.unwrap_err();
/// assert!(error.to_string().contains("injected"), "{error}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Fake {
    api: Arc<Api>,
    chain: Arc<Chain>,
    served: Arc<ServedDocuments>,
}

/// The error of creating a fake.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FakeError {
    /// An object can't be stored; see [`Fake::new`].
    #[error(transparent)]
    Object(#[from] ApiError),
    /// The client can't be created.
    #[error(transparent)]
    Client(#[from] Error),
}

impl Fake {
    /// Creates a fake with these objects. They are stored unchanged: without validation and defaults, and with
    /// their status. A list adds its items. A namespaced object without a namespace goes to `default`.
    ///
    /// Fails if an object is malformed, has no name, exists twice, or has a kind that is not served.
    pub fn new(objects: &[&dyn Fixture]) -> Result<Self, FakeError> {
        let registry = Arc::new(Registry::new(OPTIONS, &[]));
        let authority = Arc::new(Authority::default());
        let api = Arc::new(Api {
            controllers: Controllers::attach(&registry, Arc::clone(&authority)),
            registry,
            controls: Arc::new(Controls::default()),
            scheme: client_rs_api::scheme(),
            metrics: Arc::default(),
            address: "localhost".to_owned(),
            authority,
            flow: crate::access::flow::Flow::default(),
            // A fake has no sockets.
            webhooks: Arc::new(crate::admission::Webhooks::disabled()),
            outbound: crate::outbound::Outbound::default(),
            gate: Gate::new(
                Access::Open,
                Arc::new(Tokens::new(TokenOptions::default()).map_err(ApiError::internal_error)?),
            ),
            relays: std::sync::Mutex::default(),
            forks: None,
        });
        let fake = Self { api, chain: Arc::default(), served: Arc::default() };
        for object in objects {
            fake.add(*object)?;
        }
        Ok(fake)
    }

    /// Adds an object unchanged, as [`new`](Self::new) does. Watches receive it. No action is recorded.
    pub fn add(&self, object: &dyn Fixture) -> Result<(), FakeError> {
        self.each(object, |served, object| self.api.registry.add_fixture(served, object))
    }

    /// Replaces an object unchanged: without validation, and without a check of its resource version. Watches receive the change.
    /// No action is recorded, and no reactor runs. Fails if the object does not exist.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_apiserver::fake::{FakeClient, Faked};
    /// use client_rs_client::{Api, RestClient};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut settings = ConfigMap::EMPTY;
    /// settings.metadata.name = "settings".into();
    /// settings.metadata.namespace = "shop".into();
    /// let Faked { client, fake } = RestClient::fake(&[&settings])?;
    ///
    /// settings.data.insert("color", "red".into());
    /// fake.update(&settings)?;
    /// let maps = Api::<ConfigMap, _>::within(&client, "shop");
    /// assert_eq!(maps.get("settings").await?.data["color"], "red");
    /// fake.delete(&settings)?;
    /// assert!(maps.get("settings").await.unwrap_err().is_not_found());
    /// # Ok(())
    /// # }
    /// ```
    pub fn update(&self, object: &dyn Fixture) -> Result<(), FakeError> {
        self.each(object, |served, object| self.api.registry.update_fixture(served, object))
    }

    /// Removes the object with the kind, namespace and name of this one, at once and regardless of its finalizers. Watches receive the
    /// removal. No action is recorded, and no reactor runs. Fails if the object does not exist.
    pub fn delete(&self, object: &dyn Fixture) -> Result<(), FakeError> {
        self.each(object, |served, object| self.api.registry.delete_fixture(served, &object))
    }

    fn each<T>(
        &self,
        object: &dyn Fixture,
        write: impl Fn(&Served, Unstructured) -> Result<T, ApiError>,
    ) -> Result<(), FakeError> {
        let one = |object: Unstructured| {
            let Some(served) = self.api.registry.catalog().of_kind(object.api_version(), object.kind())
            else {
                let why = format!("kind {} of {} is not served", object.kind(), object.api_version());
                return Err(FixtureError(ApiError::bad_request(why)));
            };
            write(&served, object).map(|_| ()).map_err(FixtureError)
        };
        let object = object.to_unstructured().map_err(|error| ApiError::bad_request(error.to_string()))?;
        if !object.is_list() {
            return one(object).map_err(FixtureError::into_error);
        }
        // The items of a `PodList` have no `kind`.
        let kind = object.kind().strip_suffix("List").unwrap_or_default();
        let written = object.each_list_item(|mut item| {
            if item.kind().is_empty() {
                item.set_api_version(object.api_version());
                item.set_kind(kind);
            }
            one(item)
        });
        written.map_err(FixtureError::into_error)
    }

    /// Sets the version that the fake reports, such as `v1.33.2`. Default: that of the embedded server.
    ///
    /// ```
    /// use client_rs_apiserver::fake::{FakeClient, Faked};
    /// use client_rs_client::RestClient;
    /// use client_rs_client::discovery::DiscoveryClient;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let Faked { client, fake } = RestClient::fake(&[])?;
    /// fake.set_version("v1.33.2");
    /// let version = DiscoveryClient::from_rest(client).server_version().await?;
    /// assert_eq!(version.numbers(), Some((1, 33)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_version(&self, version: &str) {
        self.served.set_version(version);
    }

    /// Sets the resources that discovery reports, in place of those that the storage has. The first version of a group is its
    /// preferred one. The storage serves the same resources as before: use reactors for others.
    pub fn set_discovery(&self, resources: &[APIResourceList]) {
        self.served.set_resources(resources);
    }

    /// Adds a reactor in front of all others. It runs for actions that [match](FakeAction::matches) the verb and
    /// the resource.
    pub fn prepend_reactor<F>(&self, verb: impl Into<String>, resource: impl Into<String>, react: F)
    where
        F: Fn(&mut FakeAction) -> Reaction + Send + Sync + 'static,
    {
        let reactor = Reactor { verb: verb.into(), resource: resource.into(), react: Arc::new(react) };
        self.chain.add(reactor, true);
    }

    /// Adds a reactor after all others and in front of the storage.
    pub fn append_reactor<F>(&self, verb: impl Into<String>, resource: impl Into<String>, react: F)
    where
        F: Fn(&mut FakeAction) -> Reaction + Send + Sync + 'static,
    {
        let reactor = Reactor { verb: verb.into(), resource: resource.into(), react: Arc::new(react) };
        self.chain.add(reactor, false);
    }

    /// Adds a reactor for the watches of a resource, in front of all others.
    pub fn prepend_watch_reactor<F>(&self, resource: impl Into<String>, react: F)
    where
        F: Fn(&FakeAction) -> WatchReaction + Send + Sync + 'static,
    {
        self.chain.add_watch(WatchReactor { resource: resource.into(), react: Arc::new(react) }, true);
    }

    /// Adds a reactor for the watches of a resource, after all others and in front of the storage.
    pub fn append_watch_reactor<F>(&self, resource: impl Into<String>, react: F)
    where
        F: Fn(&FakeAction) -> WatchReaction + Send + Sync + 'static,
    {
        self.chain.add_watch(WatchReactor { resource: resource.into(), react: Arc::new(react) }, false);
    }

    /// Adds a reactor for requests that are proxied to pods, services or nodes, in front of all others. It returns the response of the
    /// proxied server, or `None` to let the next reactor decide. [`FakeAction::path`] is the path behind `proxy`.
    ///
    /// ```
    /// use client_rs_api::core::v1::Service;
    /// use client_rs_apiserver::fake::{FakeClient, Faked};
    /// use client_rs_client::{Request, RestClient};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let Faked { client, fake } = RestClient::fake(&[])?;
    /// fake.prepend_proxy_reactor("services", |action| {
    ///     let body = format!("{} of {}", action.path, action.name);
    ///     Some(http::Response::new(body.into()))
    /// });
    /// let request = Request::get().of::<Service>().namespace("shop").name("web:80").subresource(["proxy", "healthz"]);
    /// assert_eq!(client.send_raw(request).await?.body, "healthz of web:80");
    /// # Ok(())
    /// # }
    /// ```
    pub fn prepend_proxy_reactor<F>(&self, resource: &str, react: F)
    where
        F: Fn(&FakeAction) -> Option<Response<Bytes>> + Send + Sync + 'static,
    {
        self.prepend_reactor("*", format!("{resource}/proxy"), move |action| {
            react(action).map_or(Reaction::Continue, Reaction::Respond)
        });
    }

    /// The recorded actions, oldest first, as received: without the changes of reactors. Only the latest 100,000
    /// are kept.
    pub fn actions(&self) -> Vec<FakeAction> {
        self.chain.actions()
    }

    /// Clears the recorded actions.
    pub fn clear_actions(&self) {
        self.chain.clear();
    }

    /// The test controls of the storage: end watches, expire resource versions, advance the clock.
    pub fn controls(&self) -> TestControls {
        let api = &self.api;
        let (registry, controllers) = (Arc::clone(&api.registry), Arc::clone(&api.controllers));
        TestControls::new(registry, controllers, Arc::clone(&api.controls), None)
    }

    /// Creates a client of the fake. It does not limit its request rate.
    pub fn rest_client(&self) -> Result<RestClient, Error> {
        let fake = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let fake = fake.clone();
            async move { fake.answer(request).await }
        });
        let host = Host { host: "fake".to_owned(), port: 80, tls: false, server_name: None };
        let transport = Transport::from_service(host, service);
        RestClient::new(&Uri::from_static("http://fake"), transport)
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, io::Error> {
        let (mut parts, body) = request.into_parts();
        let mut body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let path = percent_decoded(parts.uri.path());
        let route = Route::of(&path);
        let Route::Objects(target) = route else {
            return Ok(match self.served.answer(&path, &route) {
                Some(reply) => whole(reply),
                None => self.storage(parts, body).await,
            });
        };
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let mut action = FakeAction::of(&parts, &target, &query, &body, &self.api.scheme);
        self.chain.record(action.clone());
        if action.verb == "watch" {
            for reactor in self.chain.watch_reactors() {
                if !action.is_of(&reactor.resource) {
                    continue;
                }
                match (reactor.react)(&action) {
                    WatchReaction::Continue => {}
                    WatchReaction::Watch(events) => return Ok(watch(events)),
                    WatchReaction::Fail(error) => return Ok(failure(error)),
                }
            }
            return Ok(self.storage(parts, body).await);
        }
        let asked = action.clone();
        for reactor in self.chain.reactors() {
            if !action.matches(&reactor.verb, &reactor.resource) {
                continue;
            }
            match (reactor.react)(&mut action) {
                Reaction::Continue => {}
                Reaction::Delay(delay) => tokio::time::sleep(delay).await,
                Reaction::Answer(object) => return Ok(whole(Reply::new(200, Form::JSON, object.to_json()))),
                Reaction::Respond(response) => return Ok(response.map(Body::from)),
                Reaction::Fail(error) => return Ok(failure(error)),
            }
        }
        rewrite(&mut parts, &mut body, &asked, &action);
        if action.creates() {
            self.api.registry.ensure_namespace_exists(&action.namespace);
        }
        Ok(self.storage(parts, body).await)
    }

    async fn storage(&self, parts: request::Parts, body: Bytes) -> Response<Body> {
        let user = User::new("admin", ["system:masters"]);
        let peer = Arc::new(Peer { user: Some(user), ..Peer::default() });
        let request = Request::from_parts(parts, Full::new(body));
        let (parts, body) = Arc::clone(&self.api).answer(request, peer).await.into_parts();
        Response::from_parts(parts, Body::new(body))
    }
}

/// The error of adding an object or an item of a list.
struct FixtureError(ApiError);

impl FixtureError {
    fn into_error(self) -> FakeError {
        FakeError::Object(self.0)
    }
}

impl From<client_rs_machinery::NestedError> for FixtureError {
    fn from(error: client_rs_machinery::NestedError) -> Self {
        Self(ApiError::bad_request(error.to_string()))
    }
}

/// Writes the changes of reactors into the request.
fn rewrite(parts: &mut request::Parts, body: &mut Bytes, asked: &FakeAction, action: &FakeAction) {
    let mut put = |bytes: Bytes, media_type: &'static str| {
        *body = bytes;
        parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        parts.headers.remove(header::CONTENT_LENGTH);
    };
    if let (Some(object), true) = (&action.object, action.object != asked.object) {
        put(object.to_json().into(), "application/json");
    }
    if let (Some(patch), true) = (&action.patch, action.patch != asked.patch) {
        put(patch.body.clone(), patch.patch_type.media_type());
    }
}

fn whole(reply: Reply) -> Response<Body> {
    let (parts, body) = reply.into_response(None).into_parts();
    Response::from_parts(parts, Body::new(body))
}

fn failure(error: ApiError) -> Response<Body> {
    whole(Reply::failure(Form::JSON, &error.into()))
}

fn watch(events: WatchEvents) -> Response<Body> {
    let lines = stream::unfold(events.0, |mut events| async move {
        let line = events.recv().await?;
        Some((Ok::<_, Infallible>(Frame::data(line)), events))
    });
    let mut response = Response::new(Body::new(StreamBody::new(lines)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
