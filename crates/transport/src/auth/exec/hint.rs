//! The install hint for a missing plugin, at a limited rate.

use std::time::Duration;

use tokio::time::Instant;

const MANUAL: &str = "\n\nIt looks like a credential plugin is configured that is not installed. More about credential plugins:\n      \
     https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins";

/// Returns a hint up to ten times an hour, so that logs stay readable.
#[derive(Debug, Default)]
pub(super) struct Hint {
    window: Option<Instant>,
    told: u32,
}

impl Hint {
    const TIMES: u32 = 10;
    const WINDOW: Duration = Duration::from_hours(1);

    /// The hint, or an empty string if it was returned often enough.
    pub(super) fn tell(&mut self, install_hint: &str, now: Instant) -> String {
        if self.window.is_none_or(|start| now.duration_since(start) >= Self::WINDOW) {
            self.window = Some(now);
            self.told = 0;
        }
        if self.told >= Self::TIMES {
            return String::new();
        }
        self.told += 1;
        if install_hint.is_empty() { MANUAL.to_owned() } else { format!("{MANUAL}\n\n{install_hint}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_9_18_install_hint_printed_at_most_10_times_per_hour_then_suppressed_then_again() {
        let mut hint = Hint::default();
        let start = Instant::now();
        let minute = |minutes: u64| start + Duration::from_secs(60 * minutes);
        for n in 0..10 {
            assert!(hint.tell("brew install it", minute(n)).ends_with("\n\nbrew install it"));
        }
        for n in 10..60 {
            assert_eq!(hint.tell("brew install it", minute(n)), "");
        }
        for n in 60..70 {
            assert!(!hint.tell("", minute(n)).is_empty());
        }
        assert_eq!(hint.tell("", minute(70)), "");
    }
}
