//! The macros that the generated accessors are made of. All of them are `#[inline]`: what a kind needs is compiled where a
//! program asks for it.

#![allow(unused_macros, unused_imports, reason = "unused without a feature for an API group")]

/// The informers of a group: one method per version.
macro_rules! group {
    ($name:ident of $group:literal { $($version:ident: $of:ident),* $(,)? }) => {
        #[doc = concat!("The informers of the group `", $group, "`, version by version.")]
        #[derive(Clone, Debug)]
        pub struct $name(client_rs_informers::SharedInformerFactory);

        impl $name {
            #[inline]
            pub(super) fn new(factory: &client_rs_informers::SharedInformerFactory) -> Self {
                Self(factory.clone())
            }

            $(
                #[doc = concat!("The informers of `", $group, "/", stringify!($version), "`.")]
                #[inline]
                pub fn $version(&self) -> $of {
                    $of(self.0.clone())
                }
            )*

            /// Makes the informer of a resource; false if it is not one of these.
            #[inline]
            pub(super) fn ask(&self, resource: &client_rs_machinery::GroupVersionResource) -> bool {
                false $(|| (resource.version == stringify!($version) && self.$version().ask(resource)))*
            }
        }
    };
}

/// The informers of a version: one method per resource.
macro_rules! version {
    ($name:ident of $version:literal { $($getter:ident: $kind:ty),* $(,)? }) => {
        #[doc = concat!("The informers of `", $version, "`.")]
        #[derive(Clone, Debug)]
        pub struct $name(client_rs_informers::SharedInformerFactory);

        impl $name {
            $(
                #[doc = concat!("Informer and lister of `", stringify!($kind), "`.")]
                #[inline]
                pub fn $getter(&self) -> client_rs_informers::ResourceInformer<$kind> {
                    self.0.of()
                }
            )*

            #[inline]
            fn ask(&self, resource: &client_rs_machinery::GroupVersionResource) -> bool {
                $(
                    if <$kind as client_rs_machinery::Resource>::gvr() == *resource {
                        self.$getter().informer();
                        return true;
                    }
                )*
                false
            }
        }
    };
}

pub(super) use {group, version};
