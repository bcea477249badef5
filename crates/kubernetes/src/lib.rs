//! Clients, informers and apply configurations of all built-in Kubernetes resources, by name: client-go's `kubernetes`,
//! `informers` and `applyconfigurations` packages.
//!
//! Use it if you come from client-go, or if you like names that an editor completes. Without it
//! `Api::<Pod>::namespaced(&rest, "shop")` of the client crate does the same for built-in and custom kinds; a custom kind has
//! no accessor here.
//!
//! ```
//! use client_rs_kubernetes::Clientset;
//! # use client_rs_client::RestClient;
//! # use client_rs_transport::http::{Body, Target, Transport, TransportError};
//!
//! # fn clientset() -> Clientset {
//! #     let url = "https://k8s.example".parse().unwrap();
//! #     let service = tower::service_fn(|_: http::Request<Body>| async {
//! #         Err::<http::Response<Body>, _>(TransportError::Other("no server".into()))
//! #     });
//! #     let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
//! #     Clientset::from_rest(RestClient::new(&url, transport).unwrap())
//! # }
//! # let clientset = clientset();
//! // `Clientset::from_config(&Config::infer()?)?` in a program.
//! let pods = clientset.core_v1().pods("shop");
//! assert_eq!(pods.namespace_name(), "shop");
//!
//! // Handles are cheap, and the kind decides which verbs they have.
//! async fn images(clientset: &Clientset) -> Result<Vec<String>, client_rs_client::Error> {
//!     let pods = clientset.core_v1().pods("shop").list().label_selector("app=web").await?;
//!     Ok(pods.items.iter().flat_map(|pod| &pod.spec.containers).map(|c| c.image.to_string()).collect())
//! }
//! ```
//!
//! | you want to | see | client-go |
//! |---|---|---|
//! | read and write objects | [`Clientset`] | `kubernetes.Clientset` |
//! | keep a cache and react to changes | [`informers::BuiltInInformers`] | `informers.SharedInformerFactory` |
//! | find the services, budgets or controllers of a pod in a cache | [`listers`] | expansions of `listers` |
//! | write only some fields | `apply` (features `apply-…`) | `applyconfigurations` |
//!
//! # Features
//!
//! Each API group is a feature, such as `apps`; the stable ones are on by default. `default-features = false` with the groups
//! that you use makes builds much faster. `apply-apps` adds the apply configurations of a group, `apply` those of all stable
//! groups. The types themselves are in the crate `client-rs-api`, with features of the same names.
//!
//! Everything is generated from the schema of one Kubernetes version. A test compares it with that server's discovery: every
//! resource, verb and subresource has its accessor.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "apply-meta")]
pub mod apply;
pub mod clientset;
pub mod informers;
pub mod listers;

pub use clientset::Clientset;
