//! Fields for field selectors.

/// A field that selectors can use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectableField {
    /// Its name in selectors.
    pub(crate) label: &'static str,
    /// Its path.
    pub(crate) path: &'static [&'static str],
    /// The path of the field that is used if this one is missing or empty; no path for none.
    pub(crate) or: &'static [&'static str],
    /// Its value if it is missing.
    pub(crate) absent: &'static str,
}

impl SelectableField {
    pub(crate) const fn text(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, or: &[], absent: "" }
    }

    /// A text that is taken from another field if it is empty.
    pub(crate) const fn text_or(
        label: &'static str,
        path: &'static [&'static str],
        or: &'static [&'static str],
    ) -> Self {
        Self { label, path, or, absent: "" }
    }

    pub(crate) const fn number(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, or: &[], absent: "0" }
    }

    pub(crate) const fn boolean(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, or: &[], absent: "false" }
    }
}
