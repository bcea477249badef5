// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `AddressType`.
pub const ADDRESS_TYPE_FQDN: &str = "FQDN";
/// A value of `AddressType`.
pub const ADDRESS_TYPE_I_PV4: &str = "IPv4";
/// A value of `AddressType`.
pub const ADDRESS_TYPE_I_PV6: &str = "IPv6";
