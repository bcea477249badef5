//! The two formats of the API.

use std::fmt;

/// A wire format of the Kubernetes API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `application/json`: every resource has it.
    Json,
    /// `application/vnd.kubernetes.protobuf`: built-in resources only.
    Protobuf,
}

impl Format {
    /// The media type, without parameters.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
        }
    }

    /// Returns the format that a `Content-Type` header names. Parameters such as `stream=watch` are ignored.
    pub fn from_media_type(content_type: &str) -> Option<Self> {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        [Self::Json, Self::Protobuf]
            .into_iter()
            .find(|format| format.media_type().eq_ignore_ascii_case(essence))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.media_type())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_read_with_parameters_and_in_any_case() {
        for (content_type, expected) in [
            ("application/json", Some(Format::Json)),
            ("Application/JSON; charset=utf-8", Some(Format::Json)),
            ("application/json;stream=watch", Some(Format::Json)),
            ("application/vnd.kubernetes.protobuf;stream=watch", Some(Format::Protobuf)),
            ("application/merge-patch+json", None),
            ("text/plain", None),
            ("", None),
        ] {
            assert_eq!(Format::from_media_type(content_type), expected, "{content_type}");
        }
    }
}
