//! Setters of an object's metadata.

/// The metadata setters of every whole object's configuration, inside an `impl` of a tuple struct of a
/// [`Document`](crate::apply::Document).
#[doc(hidden)]
#[macro_export]
macro_rules! apply_metadata {
    () => {
        /// Sets labels, merged into those set before.
        pub fn labels(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<$crate::Str>, impl Into<$crate::Str>)>,
        ) -> Self {
            let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into().into()));
            self.0.metadata().merge("labels", entries);
            self
        }

        /// Sets annotations, merged into those set before.
        pub fn annotations(
            mut self,
            entries: impl IntoIterator<Item = (impl Into<$crate::Str>, impl Into<$crate::Str>)>,
        ) -> Self {
            let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into().into()));
            self.0.metadata().merge("annotations", entries);
            self
        }

        /// Adds finalizers behind those set before.
        pub fn finalizers(mut self, values: impl IntoIterator<Item = impl Into<$crate::Str>>) -> Self {
            self.0.metadata().extend("finalizers", values.into_iter().map(|value| value.into().into()));
            self
        }

        /// Sets the name.
        pub fn name(mut self, name: impl Into<$crate::Str>) -> Self {
            self.0.metadata().set("name", name.into().into());
            self
        }

        /// Sets the namespace. An empty one is left out, such as that of a claim template.
        pub fn namespace(mut self, namespace: impl Into<$crate::Str>) -> Self {
            let namespace: $crate::Str = namespace.into();
            if !namespace.is_empty() {
                self.0.metadata().set("namespace", namespace.into());
            }
            self
        }

        /// Applies only if the object still has this version.
        pub fn resource_version(mut self, version: impl Into<$crate::Str>) -> Self {
            self.0.metadata().set("resourceVersion", version.into().into());
            self
        }

        /// Applies only if the object has this UID.
        pub fn uid(mut self, uid: impl Into<$crate::Str>) -> Self {
            self.0.metadata().set("uid", uid.into().into());
            self
        }
    };
}

/// The traits of every configuration, which is a tuple struct of a [`Document`](crate::apply::Document).
#[doc(hidden)]
#[macro_export]
macro_rules! apply_traits {
    ($name:ident) => {
        impl $crate::apply::ApplyValue for $name {
            #[inline]
            fn into_json(self) -> $crate::Json {
                self.0.into_json()
            }
        }

        impl ::core::convert::From<$name> for $crate::Json {
            #[inline]
            fn from(configuration: $name) -> Self {
                configuration.0.into_json()
            }
        }

        /// Leaves out the content, which may be a secret's.
        impl ::core::fmt::Debug for $name {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                self.0.show(stringify!($name), f)
            }
        }
    };
}
