//! Cron schedules.

/// The five fields: their smallest and largest number, and the names of numbers.
const FIELDS: [(u32, u32, &[&str]); 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    (0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

const DESCRIPTORS: &[&str] =
    &["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// Checks a schedule. The error has the text of the library that the real server uses.
pub(super) fn check(schedule: &str) -> Result<(), String> {
    if let Some(descriptor) = schedule.strip_prefix('@') {
        return described(schedule, descriptor);
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        let count = fields.len();
        return Err(format!("expected exactly 5 fields, found {count}: [{}]", fields.join(" ")));
    }
    for (field, bounds) in fields.iter().zip(FIELDS) {
        for range in field.split(',') {
            check_range(range, bounds)?;
        }
    }
    Ok(())
}

fn described(schedule: &str, descriptor: &str) -> Result<(), String> {
    if DESCRIPTORS.contains(&schedule) {
        return Ok(());
    }
    let Some(duration) = descriptor.strip_prefix("every ") else {
        return Err(format!("unrecognized descriptor: {schedule}"));
    };
    match duration.parse::<client_rs_machinery::Duration>() {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("failed to parse duration {schedule}: time: invalid duration {duration:?}")),
    }
}

fn check_range(text: &str, (least, most, names): (u32, u32, &[&str])) -> Result<(), String> {
    let number = |part: &str| -> Result<u32, String> {
        if let Some(at) = names.iter().position(|name| name.eq_ignore_ascii_case(part)) {
            return Ok(u32::try_from(at).unwrap_or_default() + least);
        }
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match part.parse() {
            Ok(number) if digits => Ok(number),
            _ => Err(format!(
                "failed to parse int from {part}: strconv.Atoi: parsing {part:?}: invalid syntax"
            )),
        }
    };
    let (range, step) = text.split_once('/').map_or((text, None), |(range, step)| (range, Some(step)));
    if step.is_some_and(|step| step.contains('/')) {
        return Err(format!("too many slashes: {text}"));
    }
    let (start, end) = if range == "*" || range == "?" {
        (least, most)
    } else if let Some((start, end)) = range.split_once('-') {
        if end.contains('-') {
            return Err(format!("too many hyphens: {text}"));
        }
        (number(start)?, number(end)?)
    } else {
        let start = number(range)?;
        (start, if step.is_some() { most } else { start })
    };
    let step = step.map_or(Ok(1), number)?;
    if start < least {
        return Err(format!("beginning of range ({start}) below minimum ({least}): {text}"));
    }
    if end > most {
        return Err(format!("end of range ({end}) above maximum ({most}): {text}"));
    }
    if start > end {
        return Err(format!("beginning of range ({start}) beyond end of range ({end}): {text}"));
    }
    if step == 0 {
        return Err(format!("step of range should be a positive number: {text}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_validated() {
        for good in ["* * * * *", "*/5 0-3,7 1 JAN-mar sun", "@daily", "@every 1h30m", "0 4 ? * 1-5/2"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, why) in [
            ("", "expected exactly 5 fields, found 0: []"),
            ("60 * * * *", "end of range (60) above maximum (59): 60"),
            ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
            ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
            ("*/0 * * * *", "step of range should be a positive number: */0"),
            ("1/2/3 * * * *", "too many slashes: 1/2/3"),
            ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
            ("x * * * *", "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax"),
            ("@whenever", "unrecognized descriptor: @whenever"),
        ] {
            assert_eq!(check(bad), Err(why.to_owned()), "{bad}");
        }
        assert!(check("@every x").is_err());
    }
}
