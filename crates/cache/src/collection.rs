//! [`Collection`]: the objects that a source lists.

use client_rs_machinery::labels::from_fn;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::{GroupResource, Object, Str, WriteLog, fields, labels};

/// The objects that a [`ListWatch`](crate::ListWatch) lists: their server, resource and namespace, and the selectors.
///
/// A controller compares it with a write, to know whether an informer will show the written object.
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// use client_rs_cache::Collection;
/// use client_rs_machinery::{GroupResource, WriteLog};
///
/// let pods = Collection::new(WriteLog::new(None), GroupResource::new("", "pods"))
///     .with_namespace("shop")
///     .with_label_selector("app=web");
/// let mut pod = PartialObjectMetadata::default();
/// pod.metadata.namespace = "shop".into();
/// assert_eq!(pods.includes(&pod), Some(false));
/// pod.metadata.labels.insert("app", "web".into());
/// assert_eq!(pods.includes(&pod), Some(true));
/// // Only the server can evaluate other fields.
/// assert_eq!(pods.with_field_selector("spec.nodeName=n1").includes(&pod), None);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Collection {
    /// The log of the client that lists: it identifies the server.
    pub writes: WriteLog,
    /// The resource.
    pub resource: GroupResource,
    /// The namespace; `None` for all of them.
    pub namespace: Option<Str>,
    /// The label selector, as in [`ListOptions`]. Empty: everything.
    pub label_selector: Str,
    /// The field selector, as in [`ListOptions`]. Empty: everything.
    pub field_selector: Str,
}

impl Collection {
    /// All objects of a resource.
    pub fn new(writes: WriteLog, resource: GroupResource) -> Self {
        Self { writes, resource, namespace: None, label_selector: Str::EMPTY, field_selector: Str::EMPTY }
    }

    /// Restricts it to a namespace.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<Str>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Sets the label selector.
    #[must_use]
    pub fn with_label_selector(mut self, selector: impl Into<Str>) -> Self {
        self.label_selector = selector.into();
        self
    }

    /// Sets the field selector.
    #[must_use]
    pub fn with_field_selector(mut self, selector: impl Into<Str>) -> Self {
        self.field_selector = selector.into();
        self
    }

    /// Whether an object belongs to it. `None` if only the server can tell.
    pub fn includes(&self, object: &dyn Object) -> Option<bool> {
        if self.namespace.as_ref().is_some_and(|namespace| *namespace != object.namespace()) {
            return Some(false);
        }
        let by_label = labels::Selector::parse(&self.label_selector)
            .ok()
            .map(|selector| selector.matches(&from_fn(|label: &str| object.label(label))));
        let by_field = fields::Selector::parse(&self.field_selector).ok().and_then(|selector| {
            let known = |requirement: &fields::Requirement| {
                matches!(&*requirement.field, "metadata.name" | "metadata.namespace")
            };
            let all_known = selector.requirements().is_some_and(|all| all.iter().all(known));
            all_known.then(|| {
                selector.matches(&from_fn(|field: &str| match field {
                    "metadata.name" => Some(object.name()),
                    "metadata.namespace" => Some(object.namespace()),
                    _ => None,
                }))
            })
        });
        match (by_label, by_field) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Applies the change that a function makes to the options of each request.
    pub(crate) fn tweaked(mut self, tweak: impl Fn(&mut ListOptions)) -> Self {
        let mut options = ListOptions {
            label_selector: self.label_selector.clone(),
            field_selector: self.field_selector.clone(),
            ..ListOptions::default()
        };
        tweak(&mut options);
        (self.label_selector, self.field_selector) = (options.label_selector, options.field_selector);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::thing;

    #[test]
    fn an_object_belongs_by_namespace_labels_and_fields() {
        let all = Collection::new(WriteLog::new(None), GroupResource::new("test", "things"));
        let mut object = thing("a/x", 1);
        object.metadata.labels.insert("app", "web".into());
        let of = |change: fn(Collection) -> Collection| change(all.clone()).includes(&object);
        assert_eq!(of(|all| all), Some(true));
        assert_eq!(of(|all| all.with_namespace("a")), Some(true));
        assert_eq!(of(|all| all.with_namespace("b")), Some(false));
        assert_eq!(of(|all| all.with_label_selector("app in (web, db)")), Some(true));
        assert_eq!(of(|all| all.with_label_selector("!app")), Some(false));
        assert_eq!(of(|all| all.with_label_selector("not a selector")), None);
        assert_eq!(of(|all| all.with_field_selector("metadata.name=x")), Some(true));
        assert_eq!(of(|all| all.with_field_selector("metadata.name!=x,metadata.namespace=a")), Some(false));
        assert_eq!(of(|all| all.with_field_selector("status.phase=Running")), None);
        assert_eq!(
            of(|all| all.with_label_selector("!app").with_field_selector("status.phase=Running")),
            Some(false)
        );
        assert_eq!(
            of(|all| all.tweaked(|options| options.label_selector = "app=db".into())),
            Some(false),
            "a function that adjusts each request counts"
        );
    }
}
