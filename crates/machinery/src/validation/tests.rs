use super::*;
use proptest::prelude::*;

type Check = fn(&str) -> Result;

const CHECKS: &[(&str, Check)] = &[
    ("dns1123_label", dns1123_label),
    ("dns1123_subdomain", dns1123_subdomain),
    ("dns1123_subdomain_caseless", dns1123_subdomain_caseless),
    ("dns1123_subdomain_with_underscore", dns1123_subdomain_with_underscore),
    ("dns1035_label", dns1035_label),
    ("wildcard_dns1123_subdomain", wildcard_dns1123_subdomain),
    ("qualified_name", qualified_name),
    ("prefixed_label_key", prefixed_label_key),
    ("label_value", label_value),
    ("c_identifier", c_identifier),
    ("env_var_name", env_var_name),
    ("relaxed_env_var_name", relaxed_env_var_name),
    ("config_map_key", config_map_key),
    ("http_header_name", http_header_name),
    ("port_name", port_name),
    ("percent", percent),
    ("decimal_integer", decimal_integer),
    ("path_segment_name", path_segment_name),
    ("path_segment_prefix", path_segment_prefix),
    ("fully_qualified_name", fully_qualified_name),
    ("fully_qualified_domain_name", fully_qualified_domain_name),
    ("generate_subdomain", |name| name_is_dns_subdomain(name, NameUse::GenerateBase)),
    ("generate_label", |name| name_is_dns_label(name, NameUse::GenerateBase)),
    ("generate_1035", |name| name_is_dns1035_label(name, NameUse::GenerateBase)),
];

/// Each line: a check, a value (`64*a` is 64 times `a`), the server's words for what is wrong.
#[test]
fn answers_as_go() {
    let mut checked = 0;
    for line in include_str!("../../../../tests/corpora/names.jsonl").lines().skip(1) {
        let [name, value, want]: [String; 3] = serde_json::from_str(line).unwrap();
        let value = match value.split_once('*').and_then(|(n, text)| Some((n.parse::<usize>().ok()?, text))) {
            Some((count, text)) => text.repeat(count),
            None => value,
        };
        let check = CHECKS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}")).1;
        let got = check(&value).err().map_or(String::new(), |violations| violations.to_string());
        assert_eq!(got, want, "{name}({value:?})");
        checked += 1;
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn ranges() {
    assert_eq!(port_number(1), Ok(()));
    assert_eq!(port_number(65_535), Ok(()));
    for port in [0, -1, 65_536] {
        assert_eq!(port_number(port).unwrap_err().to_string(), "must be between 1 and 65535, inclusive");
    }
    assert_eq!(in_range(0, 0, i64::from(i32::MAX)), Ok(()));
    assert!(in_range(-1, 0, i64::from(i32::MAX)).is_err());
}

#[test]
fn generated_names_may_end_in_a_dash() {
    assert_eq!(name_is_dns_subdomain("web-", NameUse::GenerateBase), Ok(()));
    assert!(name_is_dns_subdomain("web-", NameUse::Name).is_err());
    assert_eq!(name_is_dns_label("web-", NameUse::GenerateBase), Ok(()));
    assert!(name_is_dns_label("web.x-", NameUse::GenerateBase).is_err());
    assert_eq!(name_is_dns1035_label("web-", NameUse::GenerateBase), Ok(()));
    assert!(name_is_dns1035_label("1web-", NameUse::GenerateBase).is_err());
    assert!(name_is_dns_label("-", NameUse::GenerateBase).is_err());
    // The byte before the dash may be half of a letter.
    assert_eq!(name_is_dns_label("a\u{e9}-", NameUse::GenerateBase).unwrap_err().iter().count(), 1);
    assert_eq!(name_is_path_segment("..", NameUse::GenerateBase), Ok(()));
    assert!(name_is_path_segment("..", NameUse::Name).is_err());
}

#[test]
fn labels_report_keys_and_values() {
    assert_eq!(labels([("app", "web"), ("example.com/tier", "")]), []);
    let found = labels([("a b", "c d")]);
    assert!(matches!(&found[0], EntryViolation::Key { key, .. } if key == "a b"));
    assert!(matches!(&found[1], EntryViolation::Value { key, value, .. } if key == "a b" && value == "c d"));
    assert!(found[1].to_string().starts_with("a valid label must be an empty string or"));
}

#[test]
fn annotations_take_any_case_and_value_up_to_a_total_size() {
    assert_eq!(annotations([("Example.COM/Key", "any\nvalue"), ("\u{130}", "")]), []);
    assert_eq!(annotations([("a b", "")]).len(), 1);
    let full = "x".repeat(TOTAL_ANNOTATION_SIZE_MAX - 1);
    assert_eq!(annotations([("k", full.as_str())]), []);
    let found = annotations([("k", full.as_str()), ("l", "")]);
    assert_eq!(found, [EntryViolation::TotalSize(262_145)]);
    assert_eq!(found[0].to_string(), "annotations size 262145 is larger than limit 262144");
}

proptest! {
    #[test]
    fn no_text_panics(text in ".*", close in "[a-zA-Z0-9._*/%-]{0,70}") {
        for text in [text, close] {
            for (_, check) in CHECKS {
                if let Err(violations) = check(&text) {
                    prop_assert!(!violations.to_string().is_empty());
                }
            }
        }
    }

    #[test]
    fn each_rule_implies_the_wider_ones(text in "[a-z0-9.-]{1,70}") {
        let ok = |check: Check| check(&text).is_ok();
        prop_assert!(!ok(dns1035_label) || ok(dns1123_label));
        prop_assert!(!ok(dns1123_label) || ok(dns1123_subdomain));
        prop_assert!(!ok(dns1123_label) || ok(label_value));
        prop_assert!(!ok(dns1123_subdomain) || ok(path_segment_name));
        prop_assert!(!ok(label_value) || ok(qualified_name));
        prop_assert!(!ok(fully_qualified_name) || ok(fully_qualified_domain_name) || text.split('.').any(|l| l.len() > 63));
    }
}
