// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `KeyUsage`.
pub const USAGE_ANY: &str = "any";
/// A value of `KeyUsage`.
pub const USAGE_CRL_SIGN: &str = "crl sign";
/// A value of `KeyUsage`.
pub const USAGE_CERT_SIGN: &str = "cert sign";
/// A value of `KeyUsage`.
pub const USAGE_CLIENT_AUTH: &str = "client auth";
/// A value of `KeyUsage`.
pub const USAGE_CODE_SIGNING: &str = "code signing";
/// A value of `KeyUsage`.
pub const USAGE_CONTENT_COMMITMENT: &str = "content commitment";
/// A value of `KeyUsage`.
pub const USAGE_DATA_ENCIPHERMENT: &str = "data encipherment";
/// A value of `KeyUsage`.
pub const USAGE_DECIPHER_ONLY: &str = "decipher only";
/// A value of `KeyUsage`.
pub const USAGE_DIGITAL_SIGNATURE: &str = "digital signature";
/// A value of `KeyUsage`.
pub const USAGE_EMAIL_PROTECTION: &str = "email protection";
/// A value of `KeyUsage`.
pub const USAGE_ENCIPHER_ONLY: &str = "encipher only";
/// A value of `KeyUsage`.
pub const USAGE_I_PSEC_END_SYSTEM: &str = "ipsec end system";
/// A value of `KeyUsage`.
pub const USAGE_I_PSEC_TUNNEL: &str = "ipsec tunnel";
/// A value of `KeyUsage`.
pub const USAGE_I_PSEC_USER: &str = "ipsec user";
/// A value of `KeyUsage`.
pub const USAGE_KEY_AGREEMENT: &str = "key agreement";
/// A value of `KeyUsage`.
pub const USAGE_KEY_ENCIPHERMENT: &str = "key encipherment";
/// A value of `KeyUsage`.
pub const USAGE_MICROSOFT_SGC: &str = "microsoft sgc";
/// A value of `KeyUsage`.
pub const USAGE_NETSCAPE_SGC: &str = "netscape sgc";
/// A value of `KeyUsage`.
pub const USAGE_OCSP_SIGNING: &str = "ocsp signing";
/// A value of `KeyUsage`.
pub const USAGE_SMIME: &str = "s/mime";
/// A value of `KeyUsage`.
pub const USAGE_SERVER_AUTH: &str = "server auth";
/// A value of `KeyUsage`.
pub const USAGE_SIGNING: &str = "signing";
/// A value of `KeyUsage`.
pub const USAGE_TIMESTAMPING: &str = "timestamping";
/// A value of `RequestConditionType`.
pub const CERTIFICATE_APPROVED: &str = "Approved";
/// A value of `RequestConditionType`.
pub const CERTIFICATE_DENIED: &str = "Denied";
/// A value of `RequestConditionType`.
pub const CERTIFICATE_FAILED: &str = "Failed";
