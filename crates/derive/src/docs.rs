//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of doc comments. The lines of a paragraph are joined, because Rust's are wrapped for editors. Paragraphs, list
/// items and the lines of code blocks stay separate.
pub(crate) fn description(attrs: &[Attribute]) -> String {
    let mut text = String::new();
    let mut fence: Option<Fence> = None;
    for line in
        attrs.iter().filter_map(doc_line).flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
    {
        if let Some(open) = &fence {
            text.push_str(line.strip_prefix(' ').unwrap_or(&line).trim_end());
            text.push('\n');
            if open.is_closed_by(&line) {
                fence = None;
            }
            continue;
        }
        let line = line.trim();
        fence = Fence::opened_by(line);
        if fence.is_some() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(line);
            text.push('\n');
            continue;
        }
        let starts_item = line.starts_with("- ") || line.starts_with("* ");
        if line.is_empty() {
            text.truncate(text.trim_end_matches('\n').len());
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            continue;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push(if starts_item { '\n' } else { ' ' });
        }
        text.push_str(line);
    }
    text.truncate(text.trim_end().len());
    if let Some(Fence { mark, length }) = fence {
        text.push('\n');
        text.extend(std::iter::repeat_n(mark, length));
    }
    text
}

/// A description as the documentation of another item: its code is shown there, but not tested a second time.
pub(crate) fn without_tests(description: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<Fence> = None;
    for line in description.lines() {
        if let Some(open) = &fence {
            lines.push(line.to_owned());
            if open.is_closed_by(line) {
                fence = None;
            }
            continue;
        }
        fence = Fence::opened_by(line);
        lines.push(match &fence {
            Some(Fence { mark, length }) => format!("{}text", mark.to_string().repeat(*length)),
            None => line.to_owned(),
        });
    }
    lines.join("\n")
}

/// The beginning of a code block.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == mark).count();
        let opens = length >= 3 && (mark == '~' || !line[length..].contains('`'));
        opens.then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }
}

fn doc_line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            // `///` without content is an empty line.
            let value = text.value();
            Some(if value.is_empty() { "\n".to_owned() } else { value })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stay_apart_and_their_lines_do_not() {
        let item: syn::DeriveInput = syn::parse_quote! {
            /// One thing
            /// in two lines.
            ///
            /// And:
            /// - a
            /// - b
            struct A;
        };
        assert_eq!(description(&item.attrs), "One thing in two lines.\n\nAnd:\n- a\n- b");
        let item: syn::DeriveInput = syn::parse_quote! { struct A; };
        assert_eq!(description(&item.attrs), "");
    }

    #[test]
    fn code_stays_as_it_is_and_is_no_test_of_another_item() {
        let item: syn::DeriveInput = syn::parse_quote! {
            /// Such as
            /// ```text
            /// rust
            ///
            ///   evil(); //
            /// ```
            ///
            /// or
            /// ~~~
            /// open
            struct A;
        };
        let text = description(&item.attrs);
        assert_eq!(text, "Such as\n```text\nrust\n\n  evil(); //\n```\n\nor\n~~~\nopen\n~~~");
        assert_eq!(
            without_tests(&text),
            "Such as\n```text\nrust\n\n  evil(); //\n```\n\nor\n~~~text\nopen\n~~~"
        );
        assert_eq!(without_tests("```\na\n```\n```no_run\nb\n```"), "```text\na\n```\n```text\nb\n```");
    }
}
