//! Rust names for Go's.

/// `hostIPs` → `host_ips`, `HTTPGetAction` → `http_get_action`: words end where Go's readers see them end.
pub(crate) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 8);
    for (at, &letter) in letters.iter().enumerate() {
        if letter == '-' || letter == '_' || letter == '.' {
            snake.push('_');
            continue;
        }
        if letter.is_ascii_uppercase() && at > 0 && begins_word(&letters, at) && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn begins_word(letters: &[char], at: usize) -> bool {
    let before = letters[at - 1];
    if before.is_ascii_lowercase() || before.is_ascii_digit() {
        return true;
    }
    // Inside an acronym a word begins only where its last capital starts a lower-case word: `HTTPGet`.
    // An `s` that only makes the acronym plural (`IPs`, `CIDRsFoo`) starts none.
    let next = letters.get(at + 1);
    let after = letters.get(at + 2);
    let plural = next == Some(&'s') && after.is_none_or(|letter| !letter.is_ascii_lowercase());
    before.is_ascii_uppercase() && next.is_some_and(char::is_ascii_lowercase) && !plural
}

/// The constant's name: `PodRunning` → `POD_RUNNING`.
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// The name, or the name with `_` behind it where Rust has taken it.
pub(crate) fn identifier(name: String) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
        "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self",
        "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
        "virtual", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_a_reader_sees_them_end() {
        for (go, rust) in [
            ("hostIP", "host_ip"),
            ("podIPs", "pod_ips"),
            ("HTTPGetAction", "http_get_action"),
            ("JSONSchemaPropsOrBool", "json_schema_props_or_bool"),
            ("serverAddressByClientCIDRs", "server_address_by_client_cidrs"),
            ("nonResourceURLs", "non_resource_urls"),
            ("x-kubernetes-list-type", "x_kubernetes_list_type"),
            ("targetWWNs", "target_wwns"),
            ("StorageOSVolumeSource", "storage_os_volume_source"),
            ("AWSElasticBlockStoreVolumeSource", "aws_elastic_block_store_volume_source"),
            ("status", "status"),
            ("v1beta1", "v1beta1"),
            ("uid", "uid"),
        ] {
            assert_eq!(snake(go), rust, "{go}");
        }
    }

    #[test]
    fn names_that_rust_has_taken_get_an_underscore() {
        assert_eq!(identifier("type".into()), "type_");
        assert_eq!(identifier("name".into()), "name");
    }
}
