//! How often: token buckets, and waits by key.

mod keyed_backoff;
mod limiter;

pub use client_rs_workqueue::TokenBucket;
pub use keyed_backoff::{KeyedBackoff, KeyedBackoffOptions};
pub use limiter::{NeverLimiter, RequestRateLimiter, TokenBucketLimiter, UnlimitedLimiter};
