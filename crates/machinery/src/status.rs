//! The reasons of failed requests: [`StatusReason`] and, in its details, [`CauseType`].

use crate::Str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{borrow::Cow, fmt};

macro_rules! wire_enum {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }
        other: $(#[$other_doc:meta])* $other:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            $(#[$other_doc])*
            $other(Str),
        }

        impl $name {
            /// All values that have a variant.
            pub const KNOWN: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::$other(text) => text,
                }
            }

            /// Whether the value has a variant.
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::$other(_))
            }
        }

        /// Converts from the name on the wire.
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    _ => Self::$other(text.into()),
                }
            }
        }

        /// Converts from the name on the wire.
        impl From<Str> for $name {
            fn from(text: Str) -> Self {
                match text.as_str() {
                    $($text => Self::$variant,)*
                    _ => Self::$other(text),
                }
            }
        }

        /// The absent value: empty on the wire.
        impl Default for $name {
            fn default() -> Self {
                Self::$other(Str::EMPTY)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                Ok(Self::from(&*text))
            }
        }
    };
}

wire_enum! {
    /// The machine-readable reason of a failed request, in one word. Each reason has one HTTP status code; a code can
    /// have several reasons.
    ///
    /// An unknown word, or no word, is [`Unknown`](Self::Unknown). Two reasons are equal if their words are. A known
    /// word is never held as `Unknown` unless built so by hand.
    StatusReason {
        /// 401: the credentials are missing or not accepted.
        Unauthorized = "Unauthorized",
        /// 403: the user is not allowed to do this.
        Forbidden = "Forbidden",
        /// 404: the object or the resource does not exist.
        NotFound = "NotFound",
        /// 409: an object of this name already exists.
        AlreadyExists = "AlreadyExists",
        /// 409: the object has changed since it was read.
        Conflict = "Conflict",
        /// 410: gone for good.
        Gone = "Gone",
        /// 422: validation rejected the object; the causes list the fields.
        Invalid = "Invalid",
        /// 500: the server could not finish in time. Retry after the delay in the details.
        ServerTimeout = "ServerTimeout",
        /// 500: the server cannot read the stored object.
        StorageReadError = "StorageReadError",
        /// 504: the request timed out; the server may have carried it out nevertheless.
        Timeout = "Timeout",
        /// 429: the server throttles the client. Retry later.
        TooManyRequests = "TooManyRequests",
        /// 400: the request is malformed; a retry fails again.
        BadRequest = "BadRequest",
        /// 405: the resource does not support the verb.
        MethodNotAllowed = "MethodNotAllowed",
        /// 406: the server supports none of the accepted content types.
        NotAcceptable = "NotAcceptable",
        /// 413: the request body is too large.
        RequestEntityTooLarge = "RequestEntityTooLarge",
        /// 415: the server cannot read the content type of the request body.
        UnsupportedMediaType = "UnsupportedMediaType",
        /// 500: the server failed internally.
        InternalError = "InternalError",
        /// 410: the resource version or the continue token has expired.
        Expired = "Expired",
        /// 503: the server is unavailable; it may not have carried out the request.
        ServiceUnavailable = "ServiceUnavailable",
    }
    other:
    /// Any other word, or no word.
    Unknown
}

wire_enum! {
    /// The kind of a cause: how one field, or another part of a request, led to the failure.
    CauseType {
        /// Refers to an object or value that does not exist.
        FieldValueNotFound = "FieldValueNotFound",
        /// Must have a value.
        FieldValueRequired = "FieldValueRequired",
        /// Has the same value as another element, but must be unique.
        FieldValueDuplicate = "FieldValueDuplicate",
        /// Malformed.
        FieldValueInvalid = "FieldValueInvalid",
        /// Not one of the supported values.
        FieldValueNotSupported = "FieldValueNotSupported",
        /// Well-formed, but not allowed here.
        FieldValueForbidden = "FieldValueForbidden",
        /// Longer than the limit.
        FieldValueTooLong = "FieldValueTooLong",
        /// Shorter than the minimum.
        FieldValueTooShort = "FieldValueTooShort",
        /// More items than the limit.
        FieldValueTooMany = "FieldValueTooMany",
        /// Fewer items than the minimum.
        FieldValueTooFew = "FieldValueTooFew",
        /// A type that differs from the schema's.
        FieldValueTypeInvalid = "FieldValueTypeInvalid",
        /// A failure of the server, not of the input.
        InternalError = "InternalError",
        /// The response did not come from an API server; perhaps from a proxy in between.
        UnexpectedServerResponse = "UnexpectedServerResponse",
        /// Another manager owns the applied field.
        FieldManagerConflict = "FieldManagerConflict",
        /// The requested resource version is newer than any that the server has seen.
        ResourceVersionTooLarge = "ResourceVersionTooLarge",
        /// The namespace is being deleted.
        NamespaceTerminating = "NamespaceTerminating",
    }
    other:
    /// Any other word, or no word.
    Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_are_inverse() {
        for reason in StatusReason::KNOWN {
            assert_eq!(&StatusReason::from(reason.as_str()), reason);
            assert_eq!(&StatusReason::from(Str::from(reason.as_str())), reason);
            assert!(reason.is_known());
        }
        for cause in CauseType::KNOWN {
            assert_eq!(&CauseType::from(cause.as_str()), cause);
        }
        assert_eq!((StatusReason::KNOWN.len(), CauseType::KNOWN.len()), (19, 16));
    }

    #[test]
    fn unknown_words_are_kept() {
        let odd = StatusReason::from("Odd");
        assert_eq!(odd, StatusReason::Unknown("Odd".into()));
        assert!(!odd.is_known() && odd == "Odd" && odd == *"Odd");
        assert_eq!(StatusReason::default(), StatusReason::from(""));
        assert_eq!(format!("{:>4}|{}", odd, CauseType::from("x")), " Odd|x");
    }

    #[test]
    fn json_is_the_word() {
        assert_eq!(serde_json::to_string(&StatusReason::NotFound).unwrap(), r#""NotFound""#);
        assert_eq!(serde_json::from_str::<StatusReason>(r#""Expired""#).unwrap(), StatusReason::Expired);
        assert_eq!(serde_json::from_str::<CauseType>(r#""Odd""#).unwrap(), CauseType::Other("Odd".into()));
    }
}
