//! [`LabelSet`] and [`Selection`]: the two sides of a join by label selector.

use std::fmt;
use std::hash::{Hash, Hasher};

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Map, Str};

/// The labels of an object, and its namespace. A clone copies nothing.
///
/// ```
/// use client_rs_collections::{LabelSet, Selection};
///
/// let pod = LabelSet::new([("app", "web")]).in_namespace("shop");
/// assert!(Selection::parse("app=web")?.in_namespace("shop").matches(&pod));
/// assert!(!Selection::parse("app=web")?.in_namespace("bank").matches(&pod));
/// assert!(Selection::parse("app")?.matches(&pod), "without a namespace it selects in all of them");
/// # Ok::<(), client_rs_machinery::labels::ParseError>(())
/// ```
#[derive(Clone)]
pub struct LabelSet {
    namespace: Str,
    labels: Map<Str>,
}

/// A label selector, for one namespace or for all of them. A clone copies nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selection {
    namespace: Option<Str>,
    selector: Selector,
}

impl LabelSet {
    /// The labels of a cluster-scoped object.
    pub fn new(labels: impl Into<Map<Str>>) -> Self {
        Self { namespace: Str::EMPTY, labels: labels.into() }
    }

    /// Adds the namespace of the object.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<Str>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// Returns the namespace; empty for a cluster-scoped object.
    pub fn namespace(&self) -> &Str {
        &self.namespace
    }

    /// Returns the labels.
    pub fn labels(&self) -> &Map<Str> {
        &self.labels
    }
}

impl Selection {
    /// Selects in all namespaces.
    pub fn new(selector: Selector) -> Self {
        Self { namespace: None, selector }
    }

    /// Selects no object.
    pub fn nothing() -> Self {
        Self::new(Selector::NOTHING)
    }

    /// Parses the text form of a label selector. It selects in all namespaces.
    pub fn parse(text: &str) -> Result<Self, client_rs_machinery::labels::ParseError> {
        Selector::parse(text).map(Self::new)
    }

    /// Restricts it to one namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<Str>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Returns the namespace; `None` for all of them.
    pub fn namespace(&self) -> Option<&Str> {
        self.namespace.as_ref()
    }

    /// Returns the label selector.
    pub fn selector(&self) -> &Selector {
        &self.selector
    }

    /// Whether an object with these labels is selected.
    pub fn matches(&self, set: &LabelSet) -> bool {
        self.namespace.as_ref().is_none_or(|namespace| *namespace == set.namespace)
            && self.selector.matches(&set.labels)
    }
}

impl From<Selector> for Selection {
    fn from(selector: Selector) -> Self {
        Self::new(selector)
    }
}

impl PartialEq for LabelSet {
    fn eq(&self, other: &Self) -> bool {
        self.namespace == other.namespace
            && (self.labels.ptr_eq(&other.labels) || self.labels.as_slice() == other.labels.as_slice())
    }
}

impl Eq for LabelSet {}

impl Hash for LabelSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.namespace.hash(state);
        self.labels.as_slice().hash(state);
    }
}

impl fmt::Debug for LabelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.namespace)?;
        for (at, (key, value)) in self.labels.as_slice().iter().enumerate() {
            write!(f, "{}{key}={value}", if at == 0 { "" } else { "," })?;
        }
        f.write_str("]")
    }
}
