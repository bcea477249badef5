//! The page of the debug listener: one file without any other resource. It reads `debug/state` and `debug/why` next to it.
//!
//! A [`Manager`](crate::Manager) serves it at `/debug`, and `krs debug` for all replicas of an operator. A program that serves it
//! elsewhere sends the policy with it:
//!
//! ```
//! use client_rs_controller::debug_page;
//!
//! assert!(debug_page::HTML.starts_with("<!doctype html>"));
//! assert!(debug_page::CONTENT_SECURITY_POLICY.starts_with("default-src 'none'"));
//! ```

/// The page. If it is served at `PREFIX/debug`, it reads `PREFIX/debug/state` and `PREFIX/debug/why`.
pub const HTML: &str = include_str!("page.html");

/// The value of the header `Content-Security-Policy`: the page may run its own script and style, named by their hashes, and talk to its
/// own listener. Nothing else.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'sha256-VD2uFDrBa3jlLmz+R6TO2u3k561Oa7uA6kIuFUMgG4E='; style-src 'sha256-lM9m/UFT8QsfaYdyBX70F5q7xlmjCQbMBF2a9THi1dY='; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns a parameter of a query, with its percent escapes decoded; `None` if it is missing, empty or malformed.
///
/// ```
/// use client_rs_controller::debug_page::query_parameter;
///
/// let query = "controller=maps&key=shop%2Fcart";
/// assert_eq!(query_parameter(query, "key").as_deref(), Some("shop/cart"));
/// assert_eq!(query_parameter(query, "output"), None);
/// ```
pub fn query_parameter(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').filter_map(|part| part.split_once('=')).find(|(key, _)| *key == name)?.1;
    let (mut bytes, mut rest) = (Vec::new(), value.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'+' => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    /// The text of the only element with this tag.
    fn element(tag: &str) -> &'static str {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        assert_eq!(HTML.matches(&open).count(), 1);
        HTML.split_once(&open).unwrap().1.split_once(&close).unwrap().0
    }

    #[test]
    fn the_policy_names_the_script_and_the_style_of_the_page() {
        for (tag, source) in [("script", "script-src"), ("style", "style-src")] {
            let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(element(tag)));
            let wanted = format!("{source} 'sha256-{hash}'");
            assert!(CONTENT_SECURITY_POLICY.contains(&wanted), "write {wanted} into the policy");
        }
    }

    #[test]
    fn the_page_refers_to_nothing_outside_of_it() {
        // The one address is the name of a namespace of XML, which nobody fetches.
        let page = HTML.replace("http://www.w3.org/2000/svg", "");
        for word in [
            "http:",
            "https:",
            "//cdn",
            "src=",
            "@import",
            "url(",
            "innerHTML",
            "eval(",
            "style=\"",
            "onclick",
        ] {
            assert!(!page.contains(word), "{word}");
        }
    }

    #[test]
    fn every_input_has_a_label_and_every_table_a_caption() {
        assert_eq!(HTML.matches("<table>").count(), HTML.matches("<caption>").count());
        for id in ["controller", "key"] {
            let place = HTML.find(&format!("id=\"{id}\"")).unwrap();
            let label = HTML[..place].rfind("<label>").unwrap();
            assert!(!HTML[label..place].contains("</label>"), "{id} is outside of a label");
        }
    }
}
