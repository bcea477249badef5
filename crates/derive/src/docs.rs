//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of doc comments. Lines of a paragraph are one line, since Rust's are wrapped for editors; paragraphs and list
/// items stay apart.
pub(crate) fn description(attrs: &[Attribute]) -> String {
    let mut text = String::new();
    for line in
        attrs.iter().filter_map(doc_line).flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
    {
        let line = line.trim();
        let starts_item = line.starts_with("- ") || line.starts_with("* ");
        if line.is_empty() {
            if !text.is_empty() && !text.ends_with("\n\n") {
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
    text
}

fn doc_line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attr.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            // `///` of an empty line has no content at all, which is a line still.
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
}
