//! Fields for field selectors.

/// A field that selectors can use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectableField {
    /// Its name in selectors.
    pub(crate) label: &'static str,
    /// Its path.
    pub(crate) path: &'static [&'static str],
    /// Its value if it is missing.
    pub(crate) absent: &'static str,
}

impl SelectableField {
    pub(crate) const fn text(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "" }
    }

    pub(crate) const fn number(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "0" }
    }

    pub(crate) const fn boolean(label: &'static str, path: &'static [&'static str]) -> Self {
        Self { label, path, absent: "false" }
    }
}
