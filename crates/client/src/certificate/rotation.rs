//! The rules that decide when a certificate is renewed, without a clock and without I/O.

use std::time::{Duration, SystemTime};

use crate::certificate::{CertificatePair, CertificateTemplate};

/// The next step of a [`Rotation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait until the subject of the certificate is known.
    AwaitTemplate,
    /// Wait until this time.
    Wait(SystemTime),
    /// Request a certificate with this subject.
    Request(CertificateTemplate),
}

/// Decides when a certificate is renewed: a state machine over events and time. A [`CertificateManager`](super::CertificateManager)
/// runs it; use it directly to renew a certificate in another way.
///
/// - It renews at a random moment between 70 and 90 % of the lifetime, chosen once per certificate, so that the clients of a
///   cluster do not all renew at the same time.
/// - It renews at once if there is no certificate, only a bootstrap certificate, or if the certificate has expired or does not
///   match the template.
/// - After a failure, it retries after 2 s, then after 4, 8, 16 and every 32 s, each with up to a tenth more. The old certificate
///   stays in use.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use client_rs_client::certificate::{CertificateTemplate, Rotation, Step};
///
/// let now = SystemTime::now();
/// let mut rotation = Rotation::new(None, false, 0.5);
/// assert_eq!(rotation.next(now), Step::AwaitTemplate);
///
/// let template = CertificateTemplate::default().with_common_name("my-client");
/// rotation.set_template(Some(template.clone()));
/// assert_eq!(rotation.next(now), Step::Request(template));
///
/// rotation.failed(now, 0.0);
/// assert_eq!(rotation.next(now), Step::Wait(now + Duration::from_secs(2)));
/// ```
#[derive(Clone, Debug)]
pub struct Rotation {
    current: Option<CertificatePair>,
    /// Usable only to request a real certificate.
    bootstrap: bool,
    template: Option<CertificateTemplate>,
    /// The renewal time of the current certificate.
    deadline: Option<SystemTime>,
    failures: u32,
    not_before: Option<SystemTime>,
}

const FIRST: Duration = Duration::from_secs(2);
const STEPS: u32 = 4;

impl Rotation {
    /// Starts with the current certificate, if there is one. `bootstrap`: it is only usable to request a real one. `draw`: a
    /// random number in [0, 1).
    pub fn new(current: Option<CertificatePair>, bootstrap: bool, draw: f64) -> Self {
        let deadline = current.as_ref().map(|pair| deadline(pair, draw));
        Self { current, bootstrap, template: None, deadline, failures: 0, not_before: None }
    }

    /// Sets the subject of the certificate from now on; `None` if it is not known yet.
    pub fn set_template(&mut self, template: Option<CertificateTemplate>) {
        self.template = template;
    }

    /// Records that a certificate was issued.
    pub fn issued(&mut self, pair: CertificatePair, draw: f64) {
        self.deadline = Some(deadline(&pair, draw));
        (self.current, self.bootstrap) = (Some(pair), false);
        (self.failures, self.not_before) = (0, None);
    }

    /// Records that a request failed at this time.
    pub fn failed(&mut self, now: SystemTime, draw: f64) {
        let wait = FIRST * 2_u32.pow(self.failures.min(STEPS));
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(now + wait.mul_f64(1.0 + 0.1 * draw.clamp(0.0, 1.0)));
    }

    /// The next step.
    pub fn next(&self, now: SystemTime) -> Step {
        let Some(template) = &self.template else { return Step::AwaitTemplate };
        let due = match (&self.current, self.deadline) {
            (Some(pair), Some(deadline)) if !self.is_forced(pair, template, now) => deadline,
            _ => now,
        };
        let due = self.not_before.map_or(due, |not_before| due.max(not_before));
        if due <= now { Step::Request(template.clone()) } else { Step::Wait(due) }
    }

    /// The current certificate, unless it has expired.
    pub fn current(&self, now: SystemTime) -> Option<&CertificatePair> {
        self.current.as_ref().filter(|pair| !pair.is_expired(now))
    }

    /// The time at which the current certificate is renewed, unless the template changes.
    pub fn deadline(&self) -> Option<SystemTime> {
        self.deadline
    }

    fn is_forced(&self, pair: &CertificatePair, template: &CertificateTemplate, now: SystemTime) -> bool {
        self.bootstrap || pair.is_expired(now) || !template.is_met_by(pair)
    }
}

fn deadline(pair: &CertificatePair, draw: f64) -> SystemTime {
    let life = pair.not_after().duration_since(pair.not_before()).unwrap_or_default();
    pair.not_before() + life.mul_f64(0.7 + 0.2 * draw.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::certificate::pair::tests::{made, template};

    const BEGIN: u64 = 1_600_000_000;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn rotation(lifetime: u64, draw: f64) -> Rotation {
        let mut rotation = Rotation::new(Some(made(&template(), BEGIN, lifetime)), false, draw);
        rotation.set_template(Some(template()));
        rotation
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn t8_3_01_the_moment_is_between_70_and_90_percent_of_its_life(lifetime in 60_u64..40_000_000, draw in 0.0..1.0) {
            let deadline = rotation(lifetime, draw).deadline().unwrap();
            let life = Duration::from_secs(lifetime);
            prop_assert!(deadline >= at(BEGIN) + life.mul_f64(0.6999));
            prop_assert!(deadline <= at(BEGIN) + life.mul_f64(0.9001));
        }
    }

    #[test]
    fn t8_3_01_time_moves_through_a_rotation() {
        let mut rotation = rotation(1000, 0.5);
        assert_eq!(rotation.next(at(BEGIN)), Step::Wait(at(BEGIN + 800)));
        assert_eq!(rotation.next(at(BEGIN + 799)), Step::Wait(at(BEGIN + 800)));
        assert_eq!(rotation.next(at(BEGIN + 800)), Step::Request(template()));
        rotation.issued(made(&template(), BEGIN + 800, 1000), 0.0);
        assert_eq!(rotation.next(at(BEGIN + 801)), Step::Wait(at(BEGIN + 1500)));
        assert!(rotation.current(at(BEGIN + 1801)).is_none(), "an expired one is not returned");
        assert_eq!(rotation.next(at(BEGIN + 5000)), Step::Request(template()));
    }

    #[test]
    fn t8_3_04_an_unusable_certificate_is_replaced_at_once() {
        let mut none = Rotation::new(None, false, 0.5);
        assert_eq!(none.next(at(BEGIN)), Step::AwaitTemplate);
        none.set_template(Some(template()));
        assert_eq!(none.next(at(BEGIN)), Step::Request(template()));
        let mut bootstrap = Rotation::new(Some(made(&template(), BEGIN, 1000)), true, 0.5);
        bootstrap.set_template(Some(template()));
        assert_eq!(bootstrap.next(at(BEGIN + 1)), Step::Request(template()));
        assert!(bootstrap.current(at(BEGIN + 1)).is_some(), "it is used until then");
        let mut other = rotation(1000, 0.5);
        let wanted = CertificateTemplate { dns_names: vec!["new.example".into()], ..template() };
        other.set_template(Some(wanted.clone()));
        assert_eq!(other.next(at(BEGIN)), Step::Request(wanted));
    }

    #[test]
    fn t8_3_03_a_failure_keeps_the_old_one_and_retries_with_growing_waits() {
        let mut rotation = rotation(1000, 0.5);
        let mut now = at(BEGIN + 900);
        for seconds in [2, 4, 8, 16, 32, 32, 32] {
            assert_eq!(rotation.next(now), Step::Request(template()));
            rotation.failed(now, 0.0);
            assert_eq!(rotation.next(now), Step::Wait(now + Duration::from_secs(seconds)));
            assert!(rotation.current(now).is_some());
            now += Duration::from_secs(seconds);
        }
        rotation.failed(now, 1.0);
        let Step::Wait(until) = rotation.next(now) else { panic!("it waits") };
        assert!(until <= now + Duration::from_millis(35_200) && until > now + Duration::from_secs(35));
    }
}
