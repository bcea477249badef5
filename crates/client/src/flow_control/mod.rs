//! Client-side rate limits: token buckets, and a backoff per key.
//!
//! Most programs need neither: the server's API Priority and Fairness shares its capacity. Set a limiter in
//! [`RestClientOptions`](crate::RestClientOptions) for a server without it.

mod keyed_backoff;
mod limiter;

pub use client_rs_workqueue::TokenBucket;
pub use keyed_backoff::{KeyedBackoff, KeyedBackoffOptions};
pub use limiter::{NeverLimiter, RequestRateLimiter, TokenBucketLimiter, UnlimitedLimiter};
