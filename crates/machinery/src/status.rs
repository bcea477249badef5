//! The API's own words for why a request failed: [`StatusReason`] and, in its details, [`CauseType`].

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
            /// All that have a name here.
            pub const KNOWN: &[Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::$other(text) => text,
                }
            }

            /// Has it a name here?
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::$other(_))
            }
        }

        /// By the name on the wire.
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    _ => Self::$other(text.into()),
                }
            }
        }

        /// By the name on the wire.
        impl From<Str> for $name {
            fn from(text: Str) -> Self {
                match text.as_str() {
                    $($text => Self::$variant,)*
                    _ => Self::$other(text),
                }
            }
        }

        /// Absent: empty on the wire.
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
    /// Why a request failed, in one word. Each goes with one HTTP status code, but not the other way round.
    ///
    /// A word that is none of these is [`Unknown`](Self::Unknown), as is the absence of one: equality goes by the word,
    /// and a known one is never held as `Unknown` unless built so by hand.
    StatusReason {
        /// 401: who is asking must be said, or said again.
        Unauthorized = "Unauthorized",
        /// 403: the one who asks may not.
        Forbidden = "Forbidden",
        /// 404: no such object or resource.
        NotFound = "NotFound",
        /// 409: an object of this name is there already.
        AlreadyExists = "AlreadyExists",
        /// 409: the object has changed since it was read.
        Conflict = "Conflict",
        /// 410: no longer there, and it won't be.
        Gone = "Gone",
        /// 422: the object breaks rules; the causes say which.
        Invalid = "Invalid",
        /// 500: not done in time; to be tried again after the delay that the details give.
        ServerTimeout = "ServerTimeout",
        /// 500: what is stored can't be read.
        StorageReadError = "StorageReadError",
        /// 504: not answered in time; it may have been done nevertheless.
        Timeout = "Timeout",
        /// 429: to be tried again later.
        TooManyRequests = "TooManyRequests",
        /// 400: makes no sense, and won't.
        BadRequest = "BadRequest",
        /// 405: the resource doesn't do this.
        MethodNotAllowed = "MethodNotAllowed",
        /// 406: none of the content types asked for can be had.
        NotAcceptable = "NotAcceptable",
        /// 413: too large.
        RequestEntityTooLarge = "RequestEntityTooLarge",
        /// 415: the content type sent can't be read.
        UnsupportedMediaType = "UnsupportedMediaType",
        /// 500: something broke on the server.
        InternalError = "InternalError",
        /// 410: the version asked for, or the list to be continued, is no longer kept.
        Expired = "Expired",
        /// 503: not now; it may not have been done.
        ServiceUnavailable = "ServiceUnavailable",
    }
    other:
    /// Another word, or none.
    Unknown
}

wire_enum! {
    /// In what way one field, or another part of a request, is the cause of a failure.
    CauseType {
        /// Refers to something that isn't there.
        FieldValueNotFound = "FieldValueNotFound",
        /// Must have a value.
        FieldValueRequired = "FieldValueRequired",
        /// Must not have the same value as another.
        FieldValueDuplicate = "FieldValueDuplicate",
        /// Malformed.
        FieldValueInvalid = "FieldValueInvalid",
        /// Not one of the values the field can have.
        FieldValueNotSupported = "FieldValueNotSupported",
        /// Well-formed, but not allowed here.
        FieldValueForbidden = "FieldValueForbidden",
        /// Longer than it may be.
        FieldValueTooLong = "FieldValueTooLong",
        /// Shorter than it may be.
        FieldValueTooShort = "FieldValueTooShort",
        /// More items than there may be.
        FieldValueTooMany = "FieldValueTooMany",
        /// Fewer items than there may be.
        FieldValueTooFew = "FieldValueTooFew",
        /// Of another type than the schema's.
        FieldValueTypeInvalid = "FieldValueTypeInvalid",
        /// Not the user's fault.
        InternalError = "InternalError",
        /// The answer is none of an API server's: perhaps of a proxy in between.
        UnexpectedServerResponse = "UnexpectedServerResponse",
        /// Another manager owns the field that is to be applied.
        FieldManagerConflict = "FieldManagerConflict",
        /// The version asked for is ahead of what the server has seen.
        ResourceVersionTooLarge = "ResourceVersionTooLarge",
        /// The namespace is being deleted.
        NamespaceTerminating = "NamespaceTerminating",
    }
    other:
    /// Another word, or none.
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
