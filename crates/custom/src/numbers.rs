//! JSON with numbers in Go's format.
//!
//! A server in Go reads `100.0` as a fraction and `100` as an integer. It writes both as `100`, but treats them as different
//! values: an update that writes back an unchanged object would count as a change of the spec.

use std::io;

use client_rs_machinery::go_float;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

/// Encodes a value as JSON.
pub(crate) fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(128);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, AsGo(CompactFormatter)))?;
    Ok(text)
}

struct AsGo(CompactFormatter);

impl Formatter for AsGo {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        // The shortest text of the `f32`: as an `f64` the same number has more digits.
        if value.fract() == 0.0 {
            return self.write_f64(writer, f64::from(value));
        }
        self.0.write_f32(writer, value)
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(go_float(value, -6..21).replace("e-0", "e-").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_go_writes_them() {
        for (value, expected) in [
            (100.0, "100"),
            (0.0, "0"),
            (-2.5, "-2.5"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e20, "150000000000000000000"),
            (1e21, "1e+21"),
        ] {
            assert_eq!(to_vec(&value).unwrap(), expected.as_bytes());
        }
        assert_eq!(to_vec(&(0.1_f32, 3.0_f32, f64::NAN, 7, "a")).unwrap(), b"[0.1,3,null,7,\"a\"]");
    }
}
