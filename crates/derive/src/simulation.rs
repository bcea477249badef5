//! The attribute of tests that simulate a controller.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemFn, ReturnType};

/// Makes a test of a function that returns a simulation. The generated code calls a method of the returned value, so it needs no path
/// to the crate.
pub(crate) fn expand(arguments: &TokenStream, function: &ItemFn) -> Result<TokenStream, Error> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(
            arguments,
            "this attribute has no arguments: use the methods of `Simulation`, such as `mode` and `seeds`",
        ));
    }
    let signature = &function.sig;
    if let Some(asyncness) = &signature.asyncness {
        return Err(Error::new_spanned(
            asyncness,
            "the function describes a simulation and runs nothing, so it is not async",
        ));
    }
    if !signature.inputs.is_empty() {
        return Err(Error::new_spanned(&signature.inputs, "a test has no parameters"));
    }
    let ReturnType::Type(_, returns) = &signature.output else {
        return Err(Error::new_spanned(signature, "the function has to return a `Simulation`"));
    };
    let (attributes, visibility, name, body) =
        (&function.attrs, &function.vis, &signature.ident, &function.block);
    let text = name.to_string();
    Ok(quote! {
        #(#attributes)*
        #[test]
        #[cfg_attr(
            not(all(target_os = "linux", target_pointer_width = "64")),
            ignore = "the simulation needs Linux with 64 bits"
        )]
        #visibility fn #name() {
            // A closure: the name of a function would hide the user's functions.
            let simulation = || -> #returns #body;
            simulation().check_in(module_path!(), #text);
        }
    })
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn expanded(function: &ItemFn) -> Result<String, String> {
        expand(&TokenStream::new(), function)
            .map(|tokens| tokens.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_function_becomes_a_test() {
        let text = expanded(&parse_quote!(
            fn survives() -> Simulation {
                operator()
            }
        ))
        .unwrap();
        assert!(text.contains("# [test]") && text.contains("fn survives ()"), "{text}");
        assert!(text.contains(r#"check_in (module_path ! () , "survives")"#), "{text}");
    }

    #[test]
    fn other_functions_are_refused() {
        let error = |function| expanded(&function).unwrap_err();
        assert!(
            error(parse_quote!(
                fn a() {}
            ))
            .contains("return a `Simulation`")
        );
        assert!(
            error(parse_quote!(
                async fn a() -> Simulation {}
            ))
            .contains("not async")
        );
        assert!(
            error(parse_quote!(
                fn a(b: u8) -> Simulation {}
            ))
            .contains("no parameters")
        );
        let function: ItemFn = parse_quote!(
            fn a() -> Simulation {}
        );
        assert!(expand(&quote!(seeds = 5), &function).unwrap_err().to_string().contains("no arguments"));
    }
}
