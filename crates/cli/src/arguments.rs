//! Values of arguments that several commands take.

use std::time::Duration;

/// A time such as `30s`, `5m`, `1h30m`; a bare number is of seconds, as with kubectl.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(Duration::from_secs(seconds));
    }
    let parsed = client_rs_machinery::Duration::parse(text).map_err(|error| error.to_string())?;
    u64::try_from(parsed.as_nanos()).map(Duration::from_nanos).map_err(|_| "must not be negative".to_owned())
}

/// As [`duration`], for how long somebody waits: not 0.
pub(crate) fn patience(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("must be higher than zero".to_owned()),
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_gos() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h30m"), Ok(Duration::from_mins(90)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert!(duration("-1s").is_err() && duration("x").is_err());
        assert!(patience("0s").is_err() && patience("1ms").is_ok());
    }
}
