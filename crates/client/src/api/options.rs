//! The options of requests, one method per option.

use client_rs_machinery::meta::v1::{
    ApplyOptions, CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchOptions, Preconditions,
    UpdateOptions,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{List, Str};
use std::time::Duration;

use super::ApiRequest;
use crate::{Request, RestClient};

/// How the server treats unknown and duplicate fields of an object that it receives.
///
/// ```
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// use client_rs_client::api::FieldValidation;
///
/// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "a");
/// let request = pods.create(Pod::default()).field_validation(FieldValidation::Strict).into_request();
/// assert!(request.path_and_query("").unwrap().ends_with("?fieldValidation=Strict"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldValidation {
    /// The server drops them silently.
    Ignore,
    /// The server drops them and sends a warning. The server's default.
    Warn,
    /// The server refuses the request.
    Strict,
}

impl FieldValidation {
    /// The value of the query parameter or of the field in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ignore => "Ignore",
            Self::Warn => "Warn",
            Self::Strict => "Strict",
        }
    }
}

impl RestClient {
    /// Returns a client whose creates, updates, patches and applies ask for this validation of fields, unless a request asks for
    /// another one.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// use client_rs_client::api::FieldValidation;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let server = Canned::new().echo("POST /api/v1/namespaces/shop/pods");
    /// let strict = server.client().with_field_validation(FieldValidation::Strict);
    /// Api::<Pod>::namespaced(&strict, "shop").create(Pod::default()).await?;
    /// assert_eq!(server.calls(), ["POST /api/v1/namespaces/shop/pods?fieldValidation=Strict"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_field_validation(&self, validation: FieldValidation) -> Self {
        self.with_defaults(|defaults| defaults.field_validation = Some(validation.as_str()))
    }
}

/// The fate of dependent objects when their owner is deleted: those with an owner reference to it.
///
/// ```
/// use client_rs_client::api::Propagation;
///
/// assert_eq!(Propagation::Orphan.as_str(), "Orphan");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Propagation {
    /// The server deletes the owner at once. The garbage collector deletes the dependents later.
    Background,
    /// The owner stays, with a finalizer, until the garbage collector has deleted the dependents.
    Foreground,
    /// The dependents stay, without an owner.
    Orphan,
}

impl Propagation {
    /// The value of the query parameter or of the field in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }
}

/// How the server compares the version of a list with the requested `resourceVersion`.
///
/// ```
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// use client_rs_client::api::ResourceVersionMatch;
///
/// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "a");
/// let list = pods.list().resource_version("7").resource_version_match(ResourceVersionMatch::Exact);
/// let query = list.into_request().path_and_query("").unwrap();
/// assert!(query.ends_with("?resourceVersion=7&resourceVersionMatch=Exact"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceVersionMatch {
    /// Exactly this version. The server answers 410 if it no longer has it.
    Exact,
    /// This version or a newer one.
    NotOlderThan,
}

impl ResourceVersionMatch {
    /// The value of the query parameter or of the field in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "Exact",
            Self::NotOlderThan => "NotOlderThan",
        }
    }
}

client_rs_machinery::options! {
    /// The options of a `delete_collection`: a selection, and how each selected object is deleted.
    ///
    /// ```
    /// use client_rs_client::api::DeleteCollectionOptions;
    /// use client_rs_machinery::meta::v1::ListOptions;
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "a");
    ///
    /// let failed = ListOptions { field_selector: "status.phase=Failed".into(), ..ListOptions::EMPTY };
    /// let options = DeleteCollectionOptions::default().with_list(failed);
    /// let request = pods.delete_collection().options(options).into_request();
    /// assert!(request.path_and_query("").unwrap().ends_with("/pods?fieldSelector=status.phase%3DFailed"));
    /// ```
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct DeleteCollectionOptions {
        /// The options of each delete.
        pub delete: DeleteOptions => with_delete,
        /// The selection. Default: all objects in the scope of the handle.
        pub list: ListOptions => with_list,
    }
}

macro_rules! written {
    ($($options:ident),*) => {$(
        impl<T> ApiRequest<T, $options> {
            /// Runs admission, validation and conversion, but stores nothing. The response shows the object as it would be.
            pub fn dry_run(mut self) -> Self {
                self.options.dry_run = all();
                self
            }

            /// The name under which the server records the changed fields. Default: the first part of the user agent.
            pub fn field_manager(mut self, manager: impl Into<Str>) -> Self {
                self.options.field_manager = manager.into();
                self
            }

            /// How the server treats unknown and duplicate fields. Default: the server's, which is a warning.
            pub fn field_validation(mut self, validation: FieldValidation) -> Self {
                self.options.field_validation = validation.as_str().into();
                self
            }
        }
    )*};
}

written!(CreateOptions, UpdateOptions, PatchOptions);

impl<T> ApiRequest<T, PatchOptions> {
    /// Takes over fields that other managers own. Valid for a server-side apply only.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::{json, patch::Patch};
    /// # let services = Api::<Service>::namespaced(&Canned::new().client(), "a");
    /// let patch = Patch::apply(json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}));
    /// let request = services.patch("web", &patch).field_manager("me").force().into_request();
    /// assert!(request.path_and_query("").unwrap().ends_with("?fieldManager=me&force=true"));
    /// ```
    pub fn force(mut self) -> Self {
        self.options.force = Some(true);
        self
    }
}

impl<T> ApiRequest<T, ApplyOptions> {
    /// Runs admission, validation and conversion, but stores nothing. The response shows the object as it would be.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::json;
    /// # let services = Api::<Service>::namespaced(&Canned::new().client(), "a");
    /// let plan = services.apply(json!({"metadata": {"name": "web"}}), "me").dry_run().into_request();
    /// assert!(plan.path_and_query("").unwrap().contains("?dryRun=All&"));
    /// ```
    pub fn dry_run(mut self) -> Self {
        self.options.dry_run = all();
        self
    }

    /// Takes over fields that other managers own, instead of failing with a conflict.
    ///
    /// Controllers should force, because they own their fields. A person should read the conflict first.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # use client_rs_machinery::json;
    /// # let maps = Api::<ConfigMap>::namespaced(&Canned::new().client(), "a");
    /// let request = maps.apply(json!({"metadata": {"name": "m"}}), "me").force().into_request();
    /// assert!(request.path_and_query("").unwrap().ends_with("/m?fieldManager=me&force=true"));
    /// ```
    pub fn force(mut self) -> Self {
        self.options.force = true;
        self
    }
}

impl<T> ApiRequest<T, GetOptions> {
    /// Requests a state that is not older than this version. `0`: any state from the server's cache. Default: the newest.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let nodes = Api::<Node>::cluster(&Canned::new().client());
    /// let cached = nodes.get("n1").resource_version("0").into_request();
    /// assert_eq!(cached.path_and_query("").unwrap(), "/api/v1/nodes/n1?resourceVersion=0");
    /// ```
    pub fn resource_version(mut self, version: impl Into<Str>) -> Self {
        self.options.resource_version = version.into();
        self
    }
}

macro_rules! selected {
    ($options:ident: $($place:tt)*) => {
        impl<T> ApiRequest<T, $options> {
            /// Selects objects by label, such as `app=web,tier!=cache`. Default: all objects.
            pub fn label_selector(mut self, selector: impl Into<Str>) -> Self {
                self.$($place)*.label_selector = selector.into();
                self
            }

            /// Selects objects by field, such as `status.phase=Running`. The kind decides which fields work. Default: all objects.
            pub fn field_selector(mut self, selector: impl Into<Str>) -> Self {
                self.$($place)*.field_selector = selector.into();
                self
            }
        }
    };
}

selected!(ListOptions: options);
selected!(DeleteCollectionOptions: options.list);

impl<T> ApiRequest<T, ListOptions> {
    /// For a list: requests a state that is not older than this version. `0`: any state from the server's cache. For a watch: the
    /// changes after this version. Default: the newest state.
    pub fn resource_version(mut self, version: impl Into<Str>) -> Self {
        self.options.resource_version = version.into();
        self
    }

    /// How the server compares the version of the list with the requested one. Default: not older.
    pub fn resource_version_match(mut self, relation: ResourceVersionMatch) -> Self {
        self.options.resource_version_match = relation.as_str().into();
        self
    }

    /// Limits the number of objects in the response. The token in its metadata continues the list. Default: no limit.
    ///
    /// [`Api::pages`](crate::Api::pages) and [`Pager`](crate::Pager) follow the tokens for you.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new()
    /// #     .on("GET /api/v1/pods?limit=1", r#"{"metadata": {"continue": "abc"}, "items": [{"metadata": {"name": "x"}}]}"#)
    /// #     .on("GET /api/v1/pods?limit=1&continue=abc", r#"{"items": [{"metadata": {"name": "y"}}]}"#);
    /// # let pods = Api::<Pod, _>::all(&server.client());
    /// let first = pods.list().limit(1).await?;
    /// let second = pods.list().limit(1).continue_from(first.metadata.continue_).await?;
    /// assert_eq!(second.items[0].metadata.name, "y");
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit(mut self, limit: i64) -> Self {
        self.options.limit = limit;
        self
    }

    /// Continues a list after a page. The token is `metadata.continue_` of that page.
    pub fn continue_from(mut self, token: impl Into<Str>) -> Self {
        self.options.continue_ = token.into();
        self
    }
}

macro_rules! deleting {
    ($options:ident: $($place:tt)*) => {
        impl<T> ApiRequest<T, $options> {
            /// Checks the request, but deletes nothing.
            pub fn dry_run(mut self) -> Self {
                self.$($place)*.dry_run = all();
                self
            }

            /// The fate of dependent objects. Default: the kind's, in most cases [`Background`](Propagation::Background).
            pub fn propagation(mut self, propagation: Propagation) -> Self {
                self.$($place)*.propagation_policy = Some(propagation.as_str().into());
                self
            }

            /// The time that the object has to terminate, in whole seconds. Zero: delete it at once. Default: the object's own.
            pub fn grace_period(mut self, period: Duration) -> Self {
                self.$($place)*.grace_period_seconds = Some(i64::try_from(period.as_secs()).unwrap_or(i64::MAX));
                self
            }
        }
    };
}

deleting!(DeleteOptions: options);
deleting!(DeleteCollectionOptions: options.delete);

impl<T> ApiRequest<T, DeleteOptions> {
    /// Deletes the object only if it has this UID: not a newer object with the same name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().fail("DELETE /api/v1/namespaces/a/pods/web", 409, "Conflict");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let error = pods.delete("web").if_uid("2f0d").await.unwrap_err();
    /// assert!(error.is_conflict());
    /// let options = String::from_utf8_lossy(server.received()[0].body()).into_owned();
    /// assert!(options.contains(r#""preconditions":{"uid":"2f0d"}"#));
    /// # }
    /// ```
    pub fn if_uid(mut self, uid: impl Into<Str>) -> Self {
        self.preconditions().uid = Some(uid.into());
        self
    }

    /// Deletes the object only if it still has this `resourceVersion`.
    pub fn if_resource_version(mut self, version: impl Into<Str>) -> Self {
        self.preconditions().resource_version = Some(version.into());
        self
    }

    fn preconditions(&mut self) -> &mut Preconditions {
        self.options.preconditions.get_or_insert_default()
    }
}

/// Encodes the options of a list. Its time limit becomes that of the request too.
pub(crate) fn list(request: Request, options: &ListOptions) -> Request {
    let seconds = options.timeout_seconds.and_then(|seconds| u64::try_from(seconds).ok());
    let request = request.options(options);
    match seconds.filter(|_| !options.watch) {
        Some(seconds) => request.timeout(Duration::from_secs(seconds)),
        None => request,
    }
}

pub(crate) fn watch(request: Request, options: &ListOptions) -> Request {
    list(request, &ListOptions { watch: true, ..options.clone() })
}

/// Puts the options of a delete into the body, in a format of the kind: its server may know no other.
pub(crate) fn delete<K: Payload>(request: Request, options: &DeleteOptions) -> Request {
    use client_rs_machinery::wire::Format;
    let request = request.object(options.clone());
    if K::formats().contains(&Format::Protobuf) {
        return request;
    }
    request.header(http::header::CONTENT_TYPE, Format::Json.media_type())
}

pub(crate) fn delete_collection<K: Payload>(request: Request, options: &DeleteCollectionOptions) -> Request {
    delete::<K>(list(request, &options.list), &options.delete)
}

fn all() -> List<Str> {
    [Str::from("All")].into()
}
