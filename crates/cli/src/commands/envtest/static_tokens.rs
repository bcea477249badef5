//! `--token-auth-file`: lines of CSV with a token, a user, a UID and, quoted, groups.

use anyhow::{Result, bail};
use client_rs_apiserver::User;

/// Reads the tokens of a file.
pub(super) fn read(text: &str) -> Result<Vec<(String, User)>> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let fields = fields(line);
        let [token, name, uid, rest @ ..] = fields.as_slice() else {
            bail!(
                "line {number} of the token file must have at least 3 columns (token, user name, user uid)"
            );
        };
        if token.is_empty() {
            bail!("line {number} of the token file has an empty token");
        }
        let groups = rest.first().map(String::as_str).unwrap_or_default();
        let groups = groups.split(',').map(str::trim).filter(|group| !group.is_empty());
        all.push((token.clone(), User::new(name.as_str(), groups).with_uid(uid.clone())));
    }
    Ok(all)
}

/// The fields of a line of CSV, without the spaces around them.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(std::mem::take(&mut field).trim().to_owned()),
            letter => field.push(letter),
        }
    }
    all.push(field.trim().to_owned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_token_a_user_a_uid_and_groups() {
        let all = read("t1,jane,u1,\"a,b\"\n\nt2, bob ,u2\n").unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].0.as_str(), all[0].1.name.as_str()), ("t1", "jane"));
        assert_eq!(all[0].1.groups, ["a", "b"]);
        assert_eq!((all[1].1.name.as_str(), all[1].1.uid.as_str()), ("bob", "u2"));
        assert!(all[1].1.groups.is_empty());
        assert_eq!(fields("\"say \"\"x\"\"\",y"), ["say \"x\"", "y"]);
        assert!(read("t1,jane\n").is_err() && read(",jane,u\n").is_err());
    }
}
