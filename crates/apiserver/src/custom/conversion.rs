//! Conversion between the versions of a custom resource: what is asked, and what may come of it. Webhooks do it, above.

use std::sync::Arc;

use client_rs_machinery::{ApiError, ErrorStatus, Json, StatusReason, Unstructured};

use crate::object::{ClientConfig, internal};

/// Converts objects of custom resources, by asking webhooks.
///
/// - **Order**: none; conversions of one request are independent.
/// - **Blocking**: never. An answer that is not there yet is [`ConversionError::Pending`]; the request is run again when
///   it has come.
pub(crate) trait Convert {
    /// An object in another version. `desired` is its `apiVersion`.
    fn convert(
        &self,
        converter: &Arc<Converter>,
        object: &Unstructured,
        desired: &str,
    ) -> Result<Unstructured, ConversionError>;

    /// Whether an object that was converted before need not be converted again: for lists and watches, as with the real
    /// server's cache. A read of one object always asks.
    fn reuses_conversions(&self) -> bool;
}

/// Who converts the objects of a definition.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Converter {
    pub(crate) client: Arc<ClientConfig>,
    /// The versions of reviews that it reads, the one that it likes best first.
    pub(crate) versions: Vec<String>,
}

/// Why an object can't be shown in a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConversionError {
    /// The webhook has not answered yet.
    Pending,
    /// What the webhook said, or what was wrong with that.
    Failed(String),
    /// The same, of an object that is stored.
    Corrupt {
        /// `group/plural/namespace/name`.
        key: String,
        revision: String,
        why: String,
    },
}

impl Converter {
    /// Reads the conversion of a definition; `None` where it needs no webhook.
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
    /// For a list in which the object is.
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

/// What a request fails with as long as not all answers of webhooks are there. No client sees it: the request is run
/// again.
pub(crate) fn pending() -> ApiError {
    internal("the webhooks of the request have not come to an end")
}
