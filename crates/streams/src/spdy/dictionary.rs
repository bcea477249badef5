//! The text that headers are compressed against: part of the protocol (SPDY/3, section 2.6.10.1).

/// Words, each behind its length; `~` stands for a space.
const WORDS: &str = "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges \
    age allow authorization cache-control connection content-base content-encoding content-language \
    content-length content-location content-md5 content-range content-type date etag expect expires from host \
    if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards \
    pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer \
    transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200~OK version \
    HTTP/1.1 url public set-cookie keep-alive origin";

/// The text after them, without lengths.
const TAIL: &str = "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authori\
    tative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not \
    Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug S\
    ept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,imag\
    e/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,\
    sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

/// The dictionary.
pub(super) fn dictionary() -> Vec<u8> {
    let mut dictionary = Vec::with_capacity(1423);
    for word in WORDS.split(' ') {
        let word = word.replace('~', " ");
        // No word is longer than a line.
        dictionary.extend_from_slice(&u32::try_from(word.len()).unwrap_or_default().to_be_bytes());
        dictionary.extend_from_slice(word.as_bytes());
    }
    dictionary.extend_from_slice(TAIL.as_bytes());
    dictionary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_protocols_dictionary() {
        let dictionary = dictionary();
        assert_eq!(dictionary.len(), 1423);
        // The checksum by which a zlib stream names its dictionary; every SPDY/3 stream has this one.
        let (mut a, mut b) = (1_u32, 0_u32);
        for byte in dictionary {
            a = (a + u32::from(byte)) % 65521;
            b = (b + a) % 65521;
        }
        assert_eq!((b << 16) | a, 0xe3c6_a7c2);
    }
}
