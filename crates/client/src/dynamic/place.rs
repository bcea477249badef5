//! The resource and the scope of a handle.

use client_rs_machinery::{GroupVersionKind, GroupVersionResource, Str};

use crate::discovery::RestMapping;
use crate::{PathPart, Request, RequestError, Verb};

/// A resource and a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) resource: GroupVersionResource,
    /// The kind, if it is known.
    pub(super) kind: Option<GroupVersionKind>,
    /// Whether the resource is namespaced, if that is known.
    pub(super) namespaced: Option<bool>,
    pub(super) namespace: Option<Str>,
}

impl Place {
    pub(super) fn of(resource: GroupVersionResource) -> Self {
        Self { resource, kind: None, namespaced: None, namespace: None }
    }

    pub(super) fn mapped(mapping: &RestMapping) -> Self {
        Self {
            resource: mapping.resource.clone(),
            kind: Some(mapping.kind.clone()),
            namespaced: Some(mapping.namespaced),
            namespace: None,
        }
    }

    pub(super) fn within(&self, namespace: Str) -> Self {
        Self { namespace: Some(namespace), ..self.clone() }
    }

    /// The namespace. Empty if none is set.
    pub(super) fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or_default()
    }

    /// A request for all objects.
    pub(super) fn all(&self, request: Request) -> Request {
        let GroupVersionResource { group, version, resource } = &self.resource;
        for (part, text) in [(PathPart::Version, version), (PathPart::Resource, resource)] {
            if text.is_empty() {
                return request.refuse(RequestError::Empty(part));
            }
        }
        let request = request.api(group, version).resource(resource);
        match &self.namespace {
            None => request,
            Some(namespace) if self.namespaced == Some(false) => {
                let (resource, namespace) =
                    (self.resource.group_resource().to_string(), namespace.to_string());
                request.refuse(RequestError::ClusterScoped { resource, namespace })
            }
            // A path without a namespace would mean all namespaces.
            Some(namespace) if namespace.is_empty() => {
                request.refuse(RequestError::Empty(PathPart::Namespace))
            }
            Some(namespace) => request.namespace(namespace),
        }
    }

    /// A request for one object, or one that creates an object.
    pub(super) fn single(&self, request: Request) -> Request {
        let request = self.all(request);
        if self.namespaced == Some(true) && self.namespace.is_none() {
            return request.refuse(RequestError::NamespaceNeeded(self.resource.group_resource().to_string()));
        }
        request
    }

    /// A request for the object with this name.
    pub(super) fn one(&self, verb: Verb, name: &str) -> Request {
        self.single(Request::new(verb)).name(name)
    }

    /// Refuses an object whose kind or namespace is not that of the handle.
    pub(super) fn check(&self, request: Request, api_version: &str, kind: &str, namespace: &str) -> Request {
        let expected = self.kind.as_ref();
        let wanted = [
            ("apiVersion", api_version, expected.map(|kind| kind.api_version().to_string())),
            ("kind", kind, expected.map(|kind| kind.kind.to_string())),
            ("namespace", namespace, self.namespace.as_ref().map(ToString::to_string)),
        ];
        for (field, found, expected) in wanted {
            if let Some(expected) = expected
                && !found.is_empty()
                && found != expected
            {
                return request.refuse(RequestError::Mismatch { field, expected, found: found.to_owned() });
            }
        }
        request
    }
}
