//! How often: token buckets, and waits by key.

mod keyed_backoff;
mod limiter;
mod token_bucket;

pub use keyed_backoff::{KeyedBackoff, KeyedBackoffOptions};
pub use limiter::{NeverLimiter, RateLimiter, TokenBucketLimiter, UnlimitedLimiter};
pub use token_bucket::TokenBucket;
