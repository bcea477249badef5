//! Content negotiation: the format of a response.

use client_rs_machinery::ApiError;
use client_rs_machinery::{ErrorDetails, ErrorStatus, StatusReason};

/// The encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Json,
    Yaml,
    Protobuf,
}

/// The part of the objects that a response contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// The whole object.
    Whole,
    /// A table row.
    Table,
    /// The metadata, of one object or of a list.
    Metadata,
}

/// The format of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) encoding: Encoding,
    pub(crate) view: View,
    /// Whether the client accepts the aggregated format of discovery.
    pub(crate) aggregated: bool,
    /// Whether JSON is indented.
    pub(crate) pretty: bool,
}

impl Form {
    pub(crate) const JSON: Self =
        Self { encoding: Encoding::Json, view: View::Whole, aggregated: false, pretty: false };

    /// Negotiates the format: the first supported one of the `Accept` header, in the client's order of preference.
    pub(crate) fn negotiate(accept: &str) -> Result<Self, ApiError> {
        let mut clauses: Vec<Clause<'_>> = accept.split(',').filter_map(Clause::parse).collect();
        if clauses.is_empty() {
            return Ok(Self::JSON);
        }
        // The sort is stable: equal preferences keep their order.
        clauses.sort_by(|a, b| b.quality.total_cmp(&a.quality));
        clauses.iter().find_map(Clause::form).ok_or_else(|| {
            // A known media type with parameters that are not known has another error.
            let known = clauses.iter().any(|clause| clause.encoding().is_some());
            if known { only_plain() } else { not_acceptable() }
        })
    }

    /// As [`negotiate`](Self::negotiate), for documents that have no form as a table.
    pub(crate) fn negotiate_without_tables(accept: &str) -> Result<Self, ApiError> {
        let mut clauses: Vec<Clause<'_>> = accept.split(',').filter_map(Clause::parse).collect();
        if clauses.is_empty() {
            return Ok(Self::JSON);
        }
        clauses.sort_by(|a, b| b.quality.total_cmp(&a.quality));
        let mut forms = clauses.iter().filter_map(Clause::form);
        forms.find(|form| form.view != View::Table).ok_or_else(only_plain)
    }
}

impl Form {
    /// As [`negotiate`](Self::negotiate), for objects without a protobuf encoding. Their metadata has one.
    pub(crate) fn negotiate_text(accept: &str) -> Option<Self> {
        let mut clauses: Vec<Clause<'_>> = accept.split(',').filter_map(Clause::parse).collect();
        if clauses.is_empty() {
            return Some(Self::JSON);
        }
        clauses.sort_by(|a, b| b.quality.total_cmp(&a.quality));
        let can = |form: &Self| form.encoding != Encoding::Protobuf || form.view == View::Metadata;
        clauses.iter().filter_map(Clause::form).find(can)
    }
}

impl Encoding {
    /// The media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Protobuf => "application/vnd.kubernetes.protobuf",
        }
    }

    /// The encoding of a request's body. It is JSON if the request has no content type.
    pub(crate) fn of_content_type(content_type: &str) -> Option<Self> {
        match essence(content_type).as_str() {
            "" | "application/json" => Some(Self::Json),
            "application/yaml" => Some(Self::Yaml),
            "application/vnd.kubernetes.protobuf" => Some(Self::Protobuf),
            _ => None,
        }
    }
}

struct Clause<'a> {
    media_type: String,
    parameters: Vec<(&'a str, &'a str)>,
    quality: f32,
}

impl<'a> Clause<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let media_type = essence(text);
        if media_type.is_empty() {
            return None;
        }
        let parameters: Vec<_> = text
            .split(';')
            .skip(1)
            .filter_map(|parameter| parameter.split_once('='))
            .map(|(key, value)| (key.trim(), value.trim()))
            .collect();
        let quality = parameters.iter().find(|(key, _)| *key == "q");
        let quality = quality.and_then(|(_, value)| value.parse().ok()).unwrap_or(1.0);
        Some(Self { media_type, parameters, quality })
    }

    fn parameter(&self, name: &str) -> &str {
        self.parameters.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }

    fn encoding(&self) -> Option<Encoding> {
        match self.media_type.as_str() {
            "application/json" | "*/*" | "application/*" => Some(Encoding::Json),
            "application/yaml" => Some(Encoding::Yaml),
            "application/vnd.kubernetes.protobuf" => Some(Encoding::Protobuf),
            _ => None,
        }
    }

    fn form(&self) -> Option<Form> {
        let encoding = self.encoding()?;
        let form = Form { encoding, ..Form::JSON };
        let pretty = self.parameter("pretty") == "1";
        let form = Form { pretty, ..form };
        let meta = self.parameter("g") == "meta.k8s.io" && matches!(self.parameter("v"), "v1" | "v1beta1");
        match self.parameter("as") {
            "" => Some(form),
            // Tables have no protobuf encoding.
            "Table" if meta && encoding != Encoding::Protobuf => Some(Form { view: View::Table, ..form }),
            "PartialObjectMetadata" | "PartialObjectMetadataList" if meta => {
                Some(Form { view: View::Metadata, ..form })
            }
            "APIGroupDiscoveryList"
                if encoding == Encoding::Json
                    && self.parameter("g") == "apidiscovery.k8s.io"
                    && self.parameter("v") == "v2" =>
            {
                Some(Form { aggregated: true, ..form })
            }
            _ => None,
        }
    }
}

/// The media type without parameters, in lower case.
pub(crate) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn only_plain() -> ApiError {
    let message = "only the following media types are accepted: application/json, application/yaml, \
                   application/vnd.kubernetes.protobuf";
    let reason = StatusReason::NotAcceptable;
    ApiError::new(ErrorStatus { code: 406, reason, message: message.into(), ..ErrorStatus::default() })
}

fn not_acceptable() -> ApiError {
    let message = "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, \
                   application/vnd.kubernetes.protobuf, application/json;stream=watch, \
                   application/vnd.kubernetes.protobuf;stream=watch";
    ApiError::new(ErrorStatus {
        code: 406,
        reason: StatusReason::NotAcceptable,
        message: message.into(),
        details: Some(ErrorDetails::default()),
        ..ErrorStatus::default()
    })
}

#[cfg(test)]
mod tests {
    use super::Encoding::{Json, Protobuf, Yaml};
    use super::View::{Metadata, Table, Whole};
    use super::*;

    #[test]
    fn the_first_supported_format_is_chosen() {
        let of = |accept| Form::negotiate(accept).map(|form| (form.encoding, form.view, form.aggregated));
        for (accept, expected) in [
            ("", (Json, Whole, false)),
            ("*/*", (Json, Whole, false)),
            ("application/vnd.kubernetes.protobuf, application/json", (Protobuf, Whole, false)),
            ("application/cbor, application/yaml", (Yaml, Whole, false)),
            ("application/json;q=0.5, application/yaml;q=0.9", (Yaml, Whole, false)),
            ("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", (Json, Table, false)),
            ("application/json;as=Table;v=v9;g=meta.k8s.io,application/json", (Json, Whole, false)),
            (
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
                (Protobuf, Metadata, false),
            ),
            ("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", (Json, Whole, true)),
            (
                "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
                (Json, Whole, false),
            ),
            ("application/json;stream=watch", (Json, Whole, false)),
        ] {
            assert_eq!(of(accept), Ok(expected), "{accept}");
        }
        assert!(of("text/html").unwrap_err().is_not_acceptable());
        let unknown = of("application/json;as=Nope;v=v1;g=meta.k8s.io").unwrap_err();
        assert!(unknown.message().starts_with("only the following"), "{unknown}");
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        assert!(Form::negotiate_without_tables(table).unwrap_err().is_not_acceptable());
        let or_json = Form::negotiate_without_tables(&format!("{table},application/json"));
        assert_eq!(or_json.map(|form| form.view), Ok(Whole));
    }
}
