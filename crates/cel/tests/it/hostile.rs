//! Hostile input is an error at worst: expressions of any text, and functions with any text.
#![cfg(feature = "evaluate")]

use client_rs_cel::{Program, Value, parse};
use proptest::prelude::*;

/// Every function that parses text, with `self` at each place where it takes one.
const READERS: &[&str] = &[
    "url(self).getHost() + url(self).getHostname() + url(self).getPort() + url(self).getScheme() + url(self).getEscapedPath()",
    "url(self).getQuery()",
    "isURL(self)",
    "ip(self).family()",
    "isIP(self) || ip.isCanonical(self)",
    "cidr(self).masked().containsIP(self) || cidr(self).containsCIDR(self)",
    "isCIDR(self)",
    "quantity(self).add(quantity(self)).sub(quantity(self)).compareTo(quantity(self))",
    "quantity(self).asApproximateFloat()",
    "quantity(self).isInteger() && quantity(self).asInteger() > 0",
    "isQuantity(self)",
    "semver(self).compareTo(semver(self))",
    "isSemver(self)",
    "duration(self)",
    "timestamp(self).getFullYear(self)",
    "int(self)",
    "uint(self)",
    "double(self)",
    "bool(self)",
    "bytes(self)",
    "string(bytes(self))",
    "self.matches(self)",
    "'ab:12'.matches(self)",
    "self.find(self)",
    "self.findAll(self, 3)",
    "self.format([self, 1, 2.5, true, [self], {self: self}])",
    "'%s %d %x'.format([self, 1, self])",
    "self.split(self).join(self)",
    "self.split('', 3)",
    "self.replace(self, 'x', 2)",
    "self.charAt(3) + self.substring(1, 3)",
    "self.indexOf(self, 1) + self.lastIndexOf('a')",
    "self.lowerAscii() + self.upperAscii() + self.trim()",
    "[self, 'b', self].isSorted() && [self].indexOf(self) >= 0",
    "format.dns1123Label().validate(self)",
    "format.dns1123Subdomain().validate(self)",
    "format.qualifiedName().validate(self)",
    "format.uri().validate(self)",
    "format.date().validate(self)",
    "format.datetime().validate(self)",
    "format.named(self)",
    "self + self < 'b' && self in [self] && self.size() > 0",
];

/// Text of the characters that grammars use, and any text.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::collection::vec(
            prop::sample::select("0123456789abcdefimnpxEKMGZT:/.%@[]{}()|?*+-_#&='\"\\ ~^$,<>!äß😀\u{0}\n".chars().collect::<Vec<_>>()),
            0..24,
        )
        .prop_map(String::from_iter),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn functions_take_any_text(text in texts()) {
        for reader in READERS {
            let program = Program::compile(reader).unwrap_or_else(|error| panic!("{reader}: {error}"));
            let variables = [("self", Value::text(text.as_str()))];
            // The same each time, and no panic. The printed form is compared, because NaN does not equal itself.
            let seen = [(); 2].map(|()| format!("{:?}", program.evaluate(&variables)));
            prop_assert_eq!(&seen[0], &seen[1], "{} of {:?}", reader, text);
        }
    }

    #[test]
    fn expressions_are_of_any_text(text in texts(), around in prop::sample::select(READERS)) {
        let (before, behind) = around.split_at(around.len() / 2);
        for expression in [text.clone(), format!("{before}{text}{behind}"), format!("self.{text}")] {
            if let Ok(program) = Program::compile(&expression) {
                prop_assert!(parse(&expression).is_ok());
                let variables = [("self", Value::text(text.as_str()))];
                prop_assert_eq!(program.evaluate(&variables).is_ok(), program.run(&variables).outcome.is_ok());
            } else {
                prop_assert!(parse(&expression).is_err());
            }
        }
    }
}
