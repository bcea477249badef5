//! `#[derive(Apply)]`: configurations for server-side apply.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{
    Data, DeriveInput, Error, Fields, GenericArgument, Ident, PathArguments, Result, Type, Visibility,
    parse_quote,
};

use crate::docs::{description, without_tests};
use crate::resource_attrs;
use crate::schema_attrs::words;
use crate::serde_attrs::{self, Rule};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "an apply configuration has no parameters"));
    }
    let serde = serde_attrs::container(&input.attrs)?;
    let words = words(&input.attrs)?;
    // `CustomResource` reports errors in this attribute.
    let is_kind = input.attrs.iter().any(|attr| attr.path().is_ident("resource"));
    let kind = if is_kind { resource_attrs::read(input).ok() } else { None };
    let krate = kind.as_ref().and_then(|kind| kind.krate.clone()).or_else(|| words.krate.clone());
    let krate = krate.unwrap_or_else(|| parse_quote!(::client_rs::custom));
    let private = quote!(#krate::__private);
    let apply = quote!(#private::machinery::apply);
    let own = match &input.data {
        Data::Struct(data)
            if matches!(data.fields, Fields::Named(_))
                && serde.proxy.is_none()
                && words.instead.is_none() =>
        {
            part(input, &data.fields, serde.rename_all, &apply, &private)?
        }
        Data::Union(data) => {
            return Err(Error::new_spanned(data.union_token, "a union has no configuration"));
        }
        _ => whole(&input.ident, &apply, &private),
    };
    let kind = kind.map(|kind| object(input, &kind, &private, &apply));
    Ok(quote!(#own #kind))
}

/// The configuration of a type that is owned as a whole.
fn whole(name: &Ident, apply: &TokenStream, private: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #apply::Apply for #name {
            type Configuration = Self;
        }

        #[automatically_derived]
        impl #apply::ApplyValue for #name {
            fn into_json(self) -> #private::machinery::Json {
                #private::schema::json_of(&self)
            }
        }
    }
}

/// The configuration of a struct: a setter for each field.
fn part(
    input: &DeriveInput,
    fields: &Fields,
    rename_all: Option<Rule>,
    apply: &TokenStream,
    private: &TokenStream,
) -> Result<TokenStream> {
    let (vis, name) = (&input.vis, &input.ident);
    let configuration = format_ident!("{name}Apply");
    let setters = fields.iter().map(|field| setter(field, vis, rename_all, apply, private));
    let setters = setters.collect::<Result<Vec<_>>>()?;
    let text = format!("The fields of a [`{name}`] that were set.");
    Ok(quote! {
        #[doc = #text]
        #[derive(::core::clone::Clone, ::core::cmp::PartialEq)]
        #[must_use = "a configuration does nothing until it is applied"]
        #vis struct #configuration(#apply::Document);

        #[automatically_derived]
        #[allow(dead_code)]
        impl #configuration {
            /// A configuration without fields.
            #vis const fn new() -> Self {
                Self(#apply::Document::EMPTY)
            }

            #(#setters)*
        }

        #[automatically_derived]
        impl ::core::default::Default for #configuration {
            fn default() -> Self {
                Self::new()
            }
        }

        #private::machinery::apply_traits!(#configuration);

        #[automatically_derived]
        impl #apply::Apply for #name {
            type Configuration = #configuration;
        }
    })
}

fn setter(
    field: &syn::Field,
    vis: &Visibility,
    rename_all: Option<Rule>,
    apply: &TokenStream,
    private: &TokenStream,
) -> Result<TokenStream> {
    let Some(ident) = &field.ident else { return Ok(TokenStream::new()) };
    let serde = serde_attrs::field(&field.attrs)?;
    let words = words(&field.attrs)?;
    if serde.skip {
        return Ok(TokenStream::new());
    }
    let json = serde.name(ident, rename_all);
    let docs = words.description.clone().unwrap_or_else(|| description(&field.attrs));
    let docs = if docs.is_empty() { format!("`{json}`.") } else { without_tests(&docs) };
    let method = if ident.unraw() == "new" { format_ident!("new_") } else { ident.clone() };
    let str = quote!(#private::machinery::Str);
    let into_json = quote!(#apply::ApplyValue::into_json);
    // If the type does not describe the JSON, any value is allowed.
    let any = words.instead.is_some() || words.preserve || serde.with.is_some();
    let shape = if any { Shape::One(parse_quote!(#private::machinery::Json)) } else { shape(&field.ty) };
    let Taken { bound, made } = taken(shape.inner(), apply);
    let (taken, statement) = match (&shape, serde.flatten) {
        (Shape::One(_), false) => (bound, quote!(self.0.set(#json, #into_json(#made)))),
        (Shape::One(_), true) => (bound, quote!(self.0.absorb(#into_json(#made)))),
        (Shape::List(_), _) => (
            quote!(impl ::core::iter::IntoIterator<Item = #bound>),
            quote! {
                let values = ::core::iter::IntoIterator::into_iter(values);
                self.0.extend(#json, values.map(|values| #into_json(#made)))
            },
        ),
        (Shape::Map(_), flatten) => {
            let put = if flatten { quote!(self.0.put(values)) } else { quote!(self.0.merge(#json, values)) };
            (
                quote!(impl ::core::iter::IntoIterator<Item = (impl ::core::convert::Into<#str>, #bound)>),
                quote! {
                    let values = ::core::iter::IntoIterator::into_iter(values);
                    let values = values.map(|(key, values)| {
                        (::core::convert::Into::<#str>::into(key), #into_json(#made))
                    });
                    #put
                },
            )
        }
    };
    Ok(quote! {
        #[doc = #docs]
        #vis fn #method(mut self, values: #taken) -> Self {
            #statement;
            self
        }
    })
}

/// The argument type of a setter for one value, and an expression for the configuration of the variable `values`.
struct Taken {
    bound: TokenStream,
    made: TokenStream,
}

fn taken(ty: &Type, apply: &TokenStream) -> Taken {
    const NUMBERS: [&str; 13] =
        ["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32", "f64"];
    let plain = matches!(ty, Type::Path(path) if NUMBERS.iter().any(|name| path.path.is_ident(name)));
    if plain {
        // A literal has no type to convert from.
        return Taken { bound: quote!(#ty), made: quote!(values) };
    }
    let configuration = quote!(<#ty as #apply::Apply>::Configuration);
    Taken {
        bound: quote!(impl ::core::convert::Into<#configuration>),
        made: quote!(::core::convert::Into::<#configuration>::into(values)),
    }
}

/// How a field is set: as a whole, item by item, or entry by entry.
enum Shape {
    One(Type),
    List(Type),
    Map(Type),
}

impl Shape {
    fn inner(&self) -> &Type {
        match self {
            Self::One(ty) | Self::List(ty) | Self::Map(ty) => ty,
        }
    }
}

fn shape(ty: &Type) -> Shape {
    let Type::Path(path) = ty else { return Shape::One(ty.clone()) };
    let Some(last) = path.path.segments.last() else { return Shape::One(ty.clone()) };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return Shape::One(ty.clone()) };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    match (last.ident.to_string().as_str(), types.as_slice()) {
        ("Option" | "Box" | "Arc" | "Rc" | "Shared", [inner]) => shape(inner),
        ("Vec" | "List" | "BTreeSet", [inner]) | ("HashSet", [inner, ..]) => Shape::List((*inner).clone()),
        ("Map", [inner]) | ("BTreeMap", [_, inner]) | ("HashMap", [_, inner, ..]) => {
            Shape::Map((*inner).clone())
        }
        _ => Shape::One(ty.clone()),
    }
}

/// The configuration of a whole object.
fn object(
    input: &DeriveInput,
    kind: &resource_attrs::Attributes,
    private: &TokenStream,
    apply: &TokenStream,
) -> TokenStream {
    let resource_attrs::Attributes {
        root, group, version, kind: kind_name, namespaced, status, extra, ..
    } = kind;
    let (vis, spec) = (&input.vis, &input.ident);
    let machinery = quote!(#private::machinery);
    let configuration = format_ident!("{root}Apply");
    let api_version = format!("{group}/{version}");
    let text = format!("The fields of a [`{root}`] that were set, to be applied.");
    let (place, named) = if *namespaced {
        (
            quote!(, namespace: impl ::core::convert::Into<#machinery::Str>),
            quote!(.name(name).namespace(namespace)),
        )
    } else {
        (quote!(), quote!(.name(name)))
    };
    let status = status.as_ref().map(|status| {
        quote! {
            /// The observed state. Apply it with `apply_status`.
            #vis fn status(mut self, status: <#status as #apply::Apply>::Configuration) -> Self {
                self.0.set("status", #apply::ApplyValue::into_json(status));
                self
            }

            /// The fields that a manager has applied to the status of an object.
            #vis fn extract_status(
                object: &#root,
                manager: &str,
            ) -> ::core::result::Result<Self, #apply::ExtractError> {
                ::core::result::Result::Ok(Self(#private::extract(object, manager, "status")?))
            }
        }
    });
    let extra = extra.as_ref().map(|extra| {
        quote! {
            /// The fields next to the spec and the status.
            #vis fn extra(mut self, extra: <#extra as #apply::Apply>::Configuration) -> Self {
                self.0.absorb(#apply::ApplyValue::into_json(extra));
                self
            }
        }
    });
    quote! {
        #[doc = #text]
        #[derive(::core::clone::Clone, ::core::cmp::PartialEq)]
        #[must_use = "a configuration does nothing until it is applied"]
        #vis struct #configuration(#apply::Document);

        #[automatically_derived]
        #[allow(dead_code)]
        impl #configuration {
            /// A configuration with only the name of the object.
            #vis fn new(name: impl ::core::convert::Into<#machinery::Str> #place) -> Self {
                Self(#apply::Document::of_kind(#api_version, #kind_name)) #named
            }

            /// The desired state.
            #vis fn spec(mut self, spec: <#spec as #apply::Apply>::Configuration) -> Self {
                self.0.set("spec", #apply::ApplyValue::into_json(spec));
                self
            }

            #status

            #extra

            /// The fields that a manager has applied to an object, according to its managed fields: to change them, and
            /// apply them again. If the manager has applied nothing, only the object's identity is set.
            #vis fn extract(object: &#root, manager: &str) -> ::core::result::Result<Self, #apply::ExtractError> {
                ::core::result::Result::Ok(Self(#private::extract(object, manager, "")?))
            }

            /// Adds owners after those that were set before.
            #vis fn owner_references(
                mut self,
                owners: impl ::core::iter::IntoIterator<Item = #private::OwnerReference>,
            ) -> Self {
                let owners = ::core::iter::IntoIterator::into_iter(owners);
                self.0.metadata().extend("ownerReferences", owners.map(|owner| #private::schema::json_of(&owner)));
                self
            }

            #machinery::apply_metadata!();
        }

        #machinery::apply_traits!(#configuration);

        #[automatically_derived]
        impl #private::ApplyConfiguration<#root> for #configuration {
            fn document(&self) -> &#machinery::Json {
                self.0.json()
            }
        }
    }
}
