//! `#[derive(CustomResource)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Ident, Result, parse_quote};

use crate::docs::without_tests;
use crate::resource_attrs::{self, Attributes};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if !matches!(input.data, Data::Struct(_)) {
        return Err(Error::new(input.ident.span(), "the spec of a custom resource is a struct"));
    }
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "the spec of a custom resource has no parameters"));
    }
    let attributes = resource_attrs::read(input)?;
    let krate = attributes.krate.clone().unwrap_or_else(|| parse_quote!(::client_rs::custom));
    let private = quote!(#krate::__private);
    let parts = [
        root(input, &attributes, &private),
        traits(&attributes, &private),
        facts(input, &attributes, &krate, &private),
        wire(input, &attributes, &private),
    ];
    Ok(quote!(#(#parts)*))
}

/// The struct of the kind and its own methods.
fn root(input: &DeriveInput, attributes: &Attributes, private: &TokenStream) -> TokenStream {
    let Attributes { root, derives, group, version, .. } = attributes;
    let (vis, spec) = (&input.vis, spec_type(input, attributes));
    let (given, put) = if attributes.optional_spec {
        (quote!(impl ::core::convert::Into<#spec>), quote!(spec: spec.into()))
    } else {
        (quote!(#spec), quote!(spec))
    };
    let status = attributes.status.as_ref().map(|status| {
        quote! {
            #[doc = "The observed state."]
            pub status: ::core::option::Option<#status>,
        }
    });
    let no_status = attributes.status.as_ref().map(|_| quote!(status: ::core::option::Option::None,));
    let extra = attributes.extra.as_ref().map(|extra| {
        quote! {
            #[doc = "The fields next to the spec and the status."]
            pub extra: #extra,
        }
    });
    let no_extra = attributes.extra.as_ref().map(|_| quote!(extra: ::core::default::Default::default(),));
    let title = format!("`{}` of `{group}/{version}`.", attributes.kind);
    // The doc comment of the spec describes the spec, not the kind.
    let text = match &attributes.description {
        Some(text) if !text.is_empty() => format!("{}\n\n{title}", without_tests(text)),
        _ => title,
    };
    // A second kind with the same plural, in the same module, is a second type of this name.
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let claim = format!("plural_{}_of_{group}_{version}", attributes.plural);
    let span = attributes.plural_span;
    let claim = Ident::new(&claim.chars().map(letter).collect::<String>(), span);
    let claim = quote_spanned! {span=>
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types, clippy::empty_enums)]
        enum #claim {}
    };
    quote! {
        #claim

        #[doc = #text]
        #[derive(::core::clone::Clone, ::core::fmt::Debug #(, #derives)*)]
        #vis struct #root {
            #[doc = "Name, labels, owners and what else every object has."]
            pub metadata: #private::ObjectMeta,
            #[doc = "The desired state."]
            pub spec: #spec,
            #status
            #extra
        }

        impl #root {
            /// An object with this name and no other metadata.
            pub fn new(name: impl ::core::convert::Into<#private::Str>, spec: #given) -> Self {
                Self {
                    metadata: #private::ObjectMeta { name: name.into(), ..#private::ObjectMeta::EMPTY },
                    #put,
                    #no_status
                    #no_extra
                }
            }

            /// The `CustomResourceDefinition` of this kind, with this version.
            pub fn crd() -> #private::CustomResourceDefinition {
                #private::definition::<Self>()
            }
        }
    }
}

/// The spec as the object has it.
fn spec_type(input: &DeriveInput, attributes: &Attributes) -> TokenStream {
    let spec = &input.ident;
    if attributes.optional_spec { quote!(::core::option::Option<#spec>) } else { quote!(#spec) }
}

/// The traits that clients, informers and servers need.
fn traits(attributes: &Attributes, private: &TokenStream) -> TokenStream {
    let Attributes {
        root, group, version, kind, plural, singular, namespaced, short_names, categories, ..
    } = attributes;
    let api_version = format!("{group}/{version}");
    let machinery = quote!(#private::machinery);
    let scope = if *namespaced { quote!(#machinery::Namespaced) } else { quote!(#machinery::Cluster) };
    let verbs = quote!(&["get", "patch", "update"]);
    let scale = attributes.scale.as_ref().map(|_| {
        quote!(#machinery::SubresourceInfo {
            name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs: #verbs,
        },)
    });
    let status = attributes.status_subresource.then(|| {
        quote!(#machinery::SubresourceInfo {
            name: "status", group: #group, version: #version, kind: #kind, verbs: #verbs,
        },)
    });
    let has_status = attributes.status_subresource.then(|| quote!(#machinery::verbs!(#root: Status);));
    let has_scale = attributes.scale.as_ref().map(|_| {
        quote! {
            #machinery::verbs!(#root: Scale);

            impl #machinery::HasSubresource<#machinery::subresource::Scale> for #root {
                type Payload = #private::Scale;
                type Answer = #private::Scale;
            }
        }
    });
    quote! {
        #machinery::object!(#root, #api_version, #kind);

        impl #machinery::Resource for #root {
            type Scope = #scope;

            const INFO: &'static #machinery::ResourceInfo = &#machinery::ResourceInfo {
                group: #group,
                version: #version,
                kind: #kind,
                plural: #plural,
                singular: #singular,
                namespaced: #namespaced,
                short_names: &[#(#short_names),*],
                categories: &[#(#categories),*],
                verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
                subresources: &[#scale #status],
            };
        }

        #machinery::verbs!(#root: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
        #has_status
        #has_scale
    }
}

/// The facts of the definition.
fn facts(
    input: &DeriveInput,
    attributes: &Attributes,
    krate: &syn::Path,
    private: &TokenStream,
) -> TokenStream {
    let Attributes { root, selectable, served, storage, deprecated, .. } = attributes;
    let spec = &input.ident;
    let status =
        attributes.status.as_ref().map_or_else(|| quote!(#krate::NoStatus), |status| quote!(#status));
    let columns = attributes.columns.iter().map(|column| {
        let resource_attrs::Column { name, kind, json_path, description, format, priority } = column;
        quote!(#krate::Column {
            name: #name, kind: #kind, json_path: #json_path,
            description: #description, format: #format, priority: #priority,
        })
    });
    let scale = match &attributes.scale {
        None => quote!(::core::option::Option::None),
        Some(resource_attrs::Scale { spec, status, selector }) => {
            let selector = option(selector.as_ref());
            quote!(::core::option::Option::Some(#krate::ScalePaths {
                spec_replicas: #spec, status_replicas: #status, label_selector: #selector,
            }))
        }
    };
    let warning = option(attributes.deprecation_warning.as_ref());
    let pairs = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(key, value)| quote!((#key, #value)));
        quote!(&[#(#pairs),*])
    };
    let (labels, annotations) = (pairs(&attributes.labels), pairs(&attributes.annotations));
    let paths = quote!(#private::schema);
    let rules = attributes.rules.iter().map(|rule| rule.tokens(&paths));
    let description = attributes.description.clone().unwrap_or_else(|| {
        format!("The kind {} of {}/{}.", attributes.kind, attributes.group, attributes.version)
    });
    let (has_status, status_subresource) = (attributes.status.is_some(), attributes.status_subresource);
    let optional_spec = attributes.optional_spec;
    let extra = attributes.extra.as_ref().map(|extra| {
        quote! {
            fn extra() -> ::core::option::Option<#paths::Json> {
                ::core::option::Option::Some(<#extra as #paths::Schema>::schema())
            }
        }
    });
    quote! {
        impl #krate::CustomResource for #root {
            type Spec = #spec;
            type Status = #status;

            const VERSION_SPEC: &'static #krate::VersionSpec = &#krate::VersionSpec {
                description: #description,
                status: #has_status,
                status_subresource: #status_subresource,
                optional_spec: #optional_spec,
                columns: &[#(#columns),*],
                scale: #scale,
                selectable: &[#(#selectable),*],
                served: #served,
                storage: #storage,
                deprecated: #deprecated,
                deprecation_warning: #warning,
                labels: #labels,
                annotations: #annotations,
            };

            #extra

            fn rules() -> ::std::vec::Vec<#paths::Json> {
                ::std::vec![#(#rules),*]
            }
        }
    }
}

/// The wire format, and serde's traits.
fn wire(input: &DeriveInput, attributes: &Attributes, private: &TokenStream) -> TokenStream {
    let Attributes { root, .. } = attributes;
    let spec = &spec_type(input, attributes);
    let (status_type, write, other_status, read) = if let Some(status) = &attributes.status {
        (quote!(#status), quote!(self.status.as_ref()), quote!(other.status.as_ref()), quote!(, status))
    } else {
        let none = quote!(::core::option::Option::None::<&#private::NoStatus>);
        (quote!(#private::NoStatus), none.clone(), none, quote!())
    };
    let ignored = attributes.status.is_none().then(|| quote!(let _ = status;));
    let (keep, take, read_extra, extra) = match &attributes.extra {
        Some(extra) => (
            quote!(::core::option::Option::Some(&mut extra)),
            quote!(let mut extra = ::std::vec::Vec::new();),
            quote!(, extra: #private::read_extra::<Self, #extra>(&extra)?),
            quote!(::core::option::Option::Some(&#private::schema::json_of(&self.extra))),
        ),
        None => {
            (quote!(::core::option::Option::None), quote!(), quote!(), quote!(::core::option::Option::None))
        }
    };
    let serde = serde(attributes, private, spec, &status_type, &write, &read);
    quote! {
        impl #private::machinery::wire::Payload for #root {
            fn formats() -> &'static [#private::machinery::wire::Format] {
                &[#private::machinery::wire::Format::Json]
            }

            fn wire_kind() -> ::core::option::Option<&'static str> {
                ::core::option::Option::Some(<Self as #private::machinery::Resource>::INFO.kind)
            }

            fn decode(
                format: #private::machinery::wire::Format,
                bytes: &[u8],
                cx: &mut #private::machinery::wire::Decoding<'_>,
            ) -> ::core::result::Result<Self, #private::machinery::wire::DecodeError> {
                #take
                let (metadata, spec, status) =
                    #private::decode::<Self, #spec, #status_type>(format, bytes, cx, #keep)?;
                #ignored
                ::core::result::Result::Ok(Self { metadata, spec #read #read_extra })
            }

            fn decode_item(
                format: #private::machinery::wire::Format,
                bytes: &[u8],
                cx: &mut #private::machinery::wire::Decoding<'_>,
            ) -> ::core::result::Result<Self, #private::machinery::wire::DecodeError> {
                <Self as #private::machinery::wire::Payload>::decode(format, bytes, cx)
            }

            fn encode(&self, _: #private::machinery::wire::Format) -> ::std::vec::Vec<u8> {
                #private::encode::<Self, #spec, #status_type>(&self.metadata, &self.spec, #write, #extra)
            }

            fn differs(&self, other: &Self) -> bool {
                #private::differs((&self.spec, #write), (&other.spec, #other_status))
            }
        }

        #serde
    }
}

/// Encoding and decoding by serde.
fn serde(
    attributes: &Attributes,
    private: &TokenStream,
    spec: &TokenStream,
    status_type: &TokenStream,
    write: &TokenStream,
    read: &TokenStream,
) -> TokenStream {
    let root = &attributes.root;
    let ignored = attributes.status.is_none().then(|| quote!(let _ = status;));
    let (serialized, deserialized) = if attributes.extra.is_some() || attributes.optional_spec {
        (
            quote!(#private::serialize_whole(self, serializer)),
            quote!(#private::deserialize_whole(deserializer)),
        )
    } else {
        (
            quote!(#private::serialize::<Self, #spec, #status_type, S>(&self.metadata, &self.spec, #write, serializer)),
            quote! {
                let (metadata, spec, status) =
                    #private::deserialize::<Self, #spec, #status_type, D>(deserializer)?;
                #ignored
                ::core::result::Result::Ok(Self { metadata, spec #read })
            },
        )
    };
    quote! {
        impl #private::serde::Serialize for #root {
            fn serialize<S: #private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                #serialized
            }
        }

        impl<'de> #private::serde::Deserialize<'de> for #root {
            fn deserialize<D: #private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                #deserialized
            }
        }
    }
}

fn option(text: Option<&String>) -> TokenStream {
    text.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}
