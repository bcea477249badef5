//! The options of requests, each by name.

use client_rs_machinery::meta::v1::{
    ApplyOptions, CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchOptions, Preconditions,
    UpdateOptions,
};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{List, Str};
use std::time::Duration;

use super::ApiRequest;
use crate::Request;

/// What a server does with fields that it does not know, or finds twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldValidation {
    /// Drops them without a word.
    Ignore,
    /// Drops them and warns. The server's default.
    Warn,
    /// Refuses the request.
    Strict,
}

impl FieldValidation {
    /// As it stands in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ignore => "Ignore",
            Self::Warn => "Warn",
            Self::Strict => "Strict",
        }
    }
}

/// What becomes of the objects that depend on a deleted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Propagation {
    /// The object goes first, they follow.
    Background,
    /// They go first, and the object waits for them.
    Foreground,
    /// They stay, without their owner.
    Orphan,
}

impl Propagation {
    /// As it stands in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }
}

/// How a list's version relates to the one asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceVersionMatch {
    /// This very version.
    Exact,
    /// This version or a newer one.
    NotOlderThan,
}

impl ResourceVersionMatch {
    /// As it stands in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "Exact",
            Self::NotOlderThan => "NotOlderThan",
        }
    }
}

client_rs_machinery::options! {
    /// What to delete, and how.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct DeleteCollectionOptions {
        /// How each object is deleted.
        pub delete: DeleteOptions => with_delete,
        /// Which objects. Default: all that the handle reaches.
        pub list: ListOptions => with_list,
    }
}

macro_rules! written {
    ($($options:ident),*) => {$(
        impl<T> ApiRequest<T, $options> {
            /// Goes through everything and keeps nothing.
            pub fn dry_run(mut self) -> Self {
                self.options.dry_run = all();
                self
            }

            /// Who is said to have changed the fields. Default: the server takes the first part of the user agent.
            pub fn field_manager(mut self, manager: impl Into<Str>) -> Self {
                self.options.field_manager = manager.into();
                self
            }

            /// What becomes of unknown and double fields. Default: the server's, a warning.
            pub fn field_validation(mut self, validation: FieldValidation) -> Self {
                self.options.field_validation = validation.as_str().into();
                self
            }
        }
    )*};
}

written!(CreateOptions, UpdateOptions, PatchOptions);

impl<T> ApiRequest<T, PatchOptions> {
    /// Takes over fields that others own. Only for a server-side apply.
    pub fn force(mut self) -> Self {
        self.options.force = Some(true);
        self
    }
}

impl<T> ApiRequest<T, ApplyOptions> {
    /// Goes through everything and keeps nothing.
    pub fn dry_run(mut self) -> Self {
        self.options.dry_run = all();
        self
    }

    /// Takes over fields that others own, instead of failing with a conflict. Controllers should; people should look first.
    pub fn force(mut self) -> Self {
        self.options.force = true;
        self
    }
}

impl<T> ApiRequest<T, GetOptions> {
    /// A state not older than this version; `0`: whatever the server has at hand. Default: the newest.
    pub fn resource_version(mut self, version: impl Into<Str>) -> Self {
        self.options.resource_version = version.into();
        self
    }
}

macro_rules! selected {
    ($options:ident: $($place:tt)*) => {
        impl<T> ApiRequest<T, $options> {
            /// Only objects with these labels. Default: all.
            pub fn label_selector(mut self, selector: impl Into<Str>) -> Self {
                self.$($place)*.label_selector = selector.into();
                self
            }

            /// Only objects with these fields. Default: all.
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
    /// A state not older than this version; `0`: whatever the server has at hand. For a watch: the changes after it.
    /// Default: the newest.
    pub fn resource_version(mut self, version: impl Into<Str>) -> Self {
        self.options.resource_version = version.into();
        self
    }

    /// How the list's version relates to the one asked for. Default: not older.
    pub fn resource_version_match(mut self, relation: ResourceVersionMatch) -> Self {
        self.options.resource_version_match = relation.as_str().into();
        self
    }

    /// At most so many objects; the rest is to be continued. Default: no limit.
    pub fn limit(mut self, limit: i64) -> Self {
        self.options.limit = limit;
        self
    }

    /// Where the list before has ended: its `metadata.continue`.
    pub fn continue_from(mut self, token: impl Into<Str>) -> Self {
        self.options.continue_ = token.into();
        self
    }
}

macro_rules! deleting {
    ($options:ident: $($place:tt)*) => {
        impl<T> ApiRequest<T, $options> {
            /// Goes through everything and keeps nothing.
            pub fn dry_run(mut self) -> Self {
                self.$($place)*.dry_run = all();
                self
            }

            /// What becomes of the objects that depend on it. Default: the kind's, mostly in the background.
            pub fn propagation(mut self, propagation: Propagation) -> Self {
                self.$($place)*.propagation_policy = Some(propagation.as_str().into());
                self
            }

            /// How long it may take to end by itself, in whole seconds; zero: at once. Default: the object's own.
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
    /// Only if it is this very object, and no other of its name.
    pub fn if_uid(mut self, uid: impl Into<Str>) -> Self {
        self.preconditions().uid = Some(uid.into());
        self
    }

    /// Only if it has not changed since.
    pub fn if_resource_version(mut self, version: impl Into<Str>) -> Self {
        self.preconditions().resource_version = Some(version.into());
        self
    }

    fn preconditions(&mut self) -> &mut Preconditions {
        self.options.preconditions.get_or_insert_default()
    }
}

/// A list's options; its time limit is the request's too.
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

/// A delete's options are its body: in a format that the kind has, as its server may know no other.
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
