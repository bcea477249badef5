//! Conversion between the versions of a custom resource. The trait is here; the webhooks that implement it are in
//! `admission`.

use std::sync::Arc;

use client_rs_machinery::{ApiError, ErrorStatus, Json, StatusReason, Unstructured};

use crate::object::{ClientConfig, internal};

/// Converts objects of custom resources by calling webhooks.
///
/// - **Order**: none; conversions of one request are independent.
/// - **Blocking**: never. If a response has not arrived yet, the result is [`ConversionError::Pending`]; the
///   request runs again when it has.
pub(crate) trait Convert {
    /// Converts an object to another version. `desired` is its `apiVersion`.
    fn convert(
        &self,
        converter: &Arc<Converter>,
        object: &Unstructured,
        desired: &str,
    ) -> Result<Unstructured, ConversionError>;

    /// Whether earlier conversions of an object are reused: for lists and watches, as with the real server's cache.
    /// A read of a single object always calls the webhook.
    fn reuses_conversions(&self) -> bool;
}

/// The converter of a definition's objects.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Converter {
    pub(crate) client: Arc<ClientConfig>,
    /// The versions of reviews that it supports, in order of preference.
    pub(crate) versions: Vec<String>,
}

/// The reason why an object can't be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConversionError {
    /// The webhook has not responded yet.
    Pending,
    /// The webhook's error, or the error in its response.
    Failed(String),
    /// The same, for a stored object.
    Corrupt {
        /// `group/plural/namespace/name`.
        key: String,
        revision: String,
        why: String,
    },
}

impl Converter {
    /// Reads the conversion of a definition; `None` if it needs no webhook.
    pub(crate) fn read(conversion: &Json) -> Option<Arc<Self>> {
        if conversion["strategy"].as_str() != Some("Webhook") {
            return None;
        }
        let webhook = &conversion["webhook"];
        let versions = webhook["conversionReviewVersions"].as_list().into_iter().flatten();
        Some(Arc::new(Self {
            client: Arc::new(ClientConfig::read(&webhook["clientConfig"])),
            versions: versions.filter_map(Json::as_str).map(str::to_owned).collect(),
        }))
    }
}

impl ConversionError {
    /// The error for a list that contains the object.
    pub(crate) fn listed(self, resource: &str) -> ApiError {
        let Self::Corrupt { key, .. } = &self else { return self.into() };
        let message = format!(
            "failed to read one or more {resource} from the storage: {}",
            self.text(&format!("/registry/{key}"))
        );
        ApiError::new(ErrorStatus {
            code: 500,
            reason: StatusReason::from("StorageReadError"),
            message: message.into(),
            ..ErrorStatus::default()
        })
    }

    fn text(&self, key: &str) -> String {
        match self {
            Self::Corrupt { revision, why, .. } => format!(
                "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: object not \
                 decodable revision={revision}: {why}"
            ),
            Self::Failed(why) => why.clone(),
            Self::Pending => String::new(),
        }
    }
}

impl From<ConversionError> for ApiError {
    fn from(error: ConversionError) -> Self {
        match &error {
            ConversionError::Pending => pending(),
            ConversionError::Failed(why) => internal(why.as_str()),
            ConversionError::Corrupt { key, .. } => ApiError::internal_error(error.text(&format!("/{key}"))),
        }
    }
}

/// The error of a run that waits for webhooks. No client receives it, because the request runs again.
pub(crate) fn pending() -> ApiError {
    internal("webhooks of the request have not responded yet")
}
