//! Frames, as bytes.

use std::fmt;

use bytes::{Buf, BufMut, BytesMut};

use super::headers::{Headers, Packer, Unpacker};
use crate::ProtocolError;

/// A frame, as far as Kubernetes uses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A new stream.
    SynStream {
        /// Its number: odd from a client, even from a server, and larger than all before.
        stream: u32,
        /// Whether its opener sends nothing on it.
        fin: bool,
        /// The purpose of the frame.
        headers: Headers,
    },
    /// A new stream is taken.
    SynReply {
        /// Its number.
        stream: u32,
        /// Whether the answering side sends nothing on it.
        fin: bool,
    },
    /// A stream ends at once, both ways.
    Reset {
        /// Its number.
        stream: u32,
        /// Why.
        code: ResetCode,
    },
    /// Is anybody there? Sent back as it is by the side that did not make it.
    Ping {
        /// Odd from a client, even from a server.
        id: u32,
    },
    /// No new streams.
    GoAway {
        /// The last stream that was taken.
        last: u32,
    },
    /// Bytes of a stream: a frame's, or a part of them as they arrive.
    Data {
        /// Its number.
        stream: u32,
        /// The bytes.
        data: BytesMut,
        /// Whether they are the last ones.
        fin: bool,
    },
    /// Settings, window updates, more headers: what is read and has no effect.
    Other,
}

/// Why a stream was reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResetCode(pub u32);

impl ResetCode {
    /// The other side did what the protocol does not allow.
    pub const PROTOCOL_ERROR: Self = Self(1);
    /// It was not looked at.
    pub const REFUSED_STREAM: Self = Self(3);
    /// The side that opened it no longer needs it.
    pub const CANCEL: Self = Self(5);
}

impl fmt::Display for ResetCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PROTOCOL_ERROR => f.write_str("protocol error"),
            Self::REFUSED_STREAM => f.write_str("refused"),
            Self::CANCEL => f.write_str("cancelled"),
            Self(code) => write!(f, "code {code}"),
        }
    }
}

const VERSION: u16 = 3;
const CONTROL: u16 = 0x8000;
const FIN: u8 = 1;
const HEADER: usize = 8;
const ID: u32 = 0x7fff_ffff;
/// The largest control frame that is read: headers are small.
const MAX_CONTROL: usize = 64 * 1024;

mod kind {
    pub(super) const SYN_STREAM: u16 = 1;
    pub(super) const SYN_REPLY: u16 = 2;
    pub(super) const RST_STREAM: u16 = 3;
    pub(super) const SETTINGS: u16 = 4;
    pub(super) const PING: u16 = 6;
    pub(super) const GOAWAY: u16 = 7;
    pub(super) const HEADERS: u16 = 8;
    pub(super) const WINDOW_UPDATE: u16 = 9;
}

/// Frames to bytes, of one direction of a connection.
#[derive(Debug)]
pub struct Encoder {
    packer: Packer,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { packer: Packer::new() }
    }
}

impl Encoder {
    /// The largest number of bytes that [`data`](Self::data) takes at once.
    pub const MAX_DATA: usize = (1 << 24) - 1;

    /// A new stream.
    pub fn syn_stream(&mut self, out: &mut BytesMut, stream: u32, headers: &Headers) {
        let block = self.packer.pack(headers);
        control(out, kind::SYN_STREAM, 0, 10 + block.len());
        out.put_u32(stream);
        // No parent, the highest priority, no credential slot.
        out.put_u32(0);
        out.put_u16(0);
        out.put_slice(&block);
    }

    /// The answer to a new stream.
    pub fn syn_reply(&mut self, out: &mut BytesMut, stream: u32) {
        let block = self.packer.pack(&Headers::default());
        control(out, kind::SYN_REPLY, 0, 4 + block.len());
        out.put_u32(stream);
        out.put_slice(&block);
    }

    /// The end of a stream.
    pub fn reset(&mut self, out: &mut BytesMut, stream: u32, code: ResetCode) {
        control(out, kind::RST_STREAM, 0, 8);
        out.put_u32(stream);
        out.put_u32(code.0);
    }

    /// A ping, or the answer to one.
    pub fn ping(&mut self, out: &mut BytesMut, id: u32) {
        control(out, kind::PING, 0, 4);
        out.put_u32(id);
    }

    /// No new streams.
    pub fn goaway(&mut self, out: &mut BytesMut, last: u32) {
        control(out, kind::GOAWAY, 0, 8);
        out.put_u32(last);
        out.put_u32(0);
    }

    /// Bytes of a stream, at most [`MAX_DATA`](Self::MAX_DATA) of them: the rest is left out.
    pub fn data(&mut self, out: &mut BytesMut, stream: u32, data: &[u8], fin: bool) {
        let data = data.get(..Self::MAX_DATA).unwrap_or(data);
        out.reserve(HEADER + data.len());
        out.put_u32(stream & ID);
        flags_and_length(out, u8::from(fin), data.len());
        out.put_slice(data);
    }
}

fn control(out: &mut BytesMut, kind: u16, flags: u8, length: usize) {
    out.reserve(HEADER + length);
    out.put_u16(CONTROL | VERSION);
    out.put_u16(kind);
    flags_and_length(out, flags, length);
}

fn flags_and_length(out: &mut BytesMut, flags: u8, length: usize) {
    out.put_u32((u32::from(flags) << 24) | (u32::try_from(length).unwrap_or(0) & 0x00ff_ffff));
}

/// Bytes to frames, of one direction of a connection.
///
/// A data frame is given out piece by piece as it arrives, so that its size, up to 16 MiB, costs no memory.
#[derive(Debug)]
pub struct Decoder {
    unpacker: Unpacker,
    /// The data frame that is being read.
    data: Option<Data>,
}

#[derive(Debug)]
struct Data {
    stream: u32,
    left: usize,
    fin: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { unpacker: Unpacker::new(), data: None }
    }
}

impl Decoder {
    /// The next frame, taken from `input`; `None` when there is not enough of it.
    pub fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Frame>, ProtocolError> {
        if self.data.is_none() {
            let Some((first, second)) = head(input) else { return Ok(None) };
            let length = usize::try_from(second & 0x00ff_ffff).unwrap_or(usize::MAX);
            let flags = second.to_be_bytes()[0];
            if first & !ID != 0 {
                return self.control(input, first, flags, length);
            }
            if first == 0 {
                return Err(bad("data of stream 0"));
            }
            input.advance(HEADER);
            self.data = Some(Data { stream: first, left: length, fin: flags & FIN != 0 });
        }
        let Some(frame) = &mut self.data else { return Ok(None) };
        if input.is_empty() && frame.left > 0 {
            return Ok(None);
        }
        let data = input.split_to(frame.left.min(input.len()));
        frame.left -= data.len();
        let (stream, last) = (frame.stream, frame.left == 0);
        let fin = last && frame.fin;
        if last {
            self.data = None;
        }
        Ok(Some(Frame::Data { stream, data, fin }))
    }

    fn control(
        &mut self,
        input: &mut BytesMut,
        first: u32,
        flags: u8,
        length: usize,
    ) -> Result<Option<Frame>, ProtocolError> {
        let [version, kind] = [first >> 16, first & 0xffff].map(|half| u16::try_from(half).unwrap_or(0));
        if version != CONTROL | VERSION {
            return Err(bad(format!("a frame of version {}", version & !CONTROL)));
        }
        if length > MAX_CONTROL {
            return Err(bad(format!("a control frame of {length} bytes")));
        }
        if input.len() < HEADER + length {
            return Ok(None);
        }
        input.advance(HEADER);
        let mut body = input.split_to(length);
        let fin = flags & FIN != 0;
        let short = |_| bad("a control frame that is too short");
        let frame = match kind {
            kind::SYN_STREAM => {
                let stream = body.try_get_u32().map_err(short)? & ID;
                if body.len() < 6 {
                    return Err(bad("a control frame that is too short"));
                }
                body.advance(6);
                Frame::SynStream { stream, fin, headers: self.unpacker.unpack(&body)? }
            }
            kind::SYN_REPLY | kind::HEADERS => {
                let stream = body.try_get_u32().map_err(short)? & ID;
                // Read even if nobody wants them: later ones are packed against them.
                self.unpacker.unpack(&body)?;
                if kind == kind::SYN_REPLY { Frame::SynReply { stream, fin } } else { Frame::Other }
            }
            kind::RST_STREAM => {
                let stream = body.try_get_u32().map_err(short)? & ID;
                Frame::Reset { stream, code: ResetCode(body.try_get_u32().map_err(short)?) }
            }
            kind::PING => Frame::Ping { id: body.try_get_u32().map_err(short)? },
            kind::GOAWAY => Frame::GoAway { last: body.try_get_u32().map_err(short)? & ID },
            kind::SETTINGS | kind::WINDOW_UPDATE => Frame::Other,
            kind => return Err(bad(format!("a control frame of kind {kind}"))),
        };
        match frame {
            Frame::SynStream { stream: 0, .. } | Frame::SynReply { stream: 0, .. } => {
                Err(bad("a frame of stream 0"))
            }
            frame => Ok(Some(frame)),
        }
    }
}

/// The first eight bytes.
fn head(input: &BytesMut) -> Option<(u32, u32)> {
    let head = input.first_chunk::<HEADER>()?;
    let (first, second) = head.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*first), u32::from_be_bytes(*second.first_chunk()?)))
}

fn bad(what: impl Into<String>) -> ProtocolError {
    ProtocolError::new("SPDY", what)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(decoder: &mut Decoder, bytes: &[u8], step: usize) -> Result<Vec<Frame>, ProtocolError> {
        let (mut input, mut frames) = (BytesMut::new(), Vec::new());
        for chunk in bytes.chunks(step.max(1)) {
            input.extend_from_slice(chunk);
            while let Some(frame) = decoder.decode(&mut input)? {
                frames.push(frame);
            }
        }
        Ok(frames)
    }

    /// Pieces of one data frame joined.
    fn joined(frames: Vec<Frame>) -> Vec<Frame> {
        let mut whole: Vec<Frame> = Vec::new();
        for frame in frames {
            match (whole.last_mut(), frame) {
                (
                    Some(Frame::Data { stream, data, fin }),
                    Frame::Data { stream: other, data: more, fin: last },
                ) if *stream == other && !*fin => {
                    data.extend_from_slice(&more);
                    *fin = last;
                }
                (_, frame) => whole.push(frame),
            }
        }
        whole
    }

    #[test]
    fn every_frame_survives_whatever_pieces_it_comes_in() {
        let (mut encoder, mut out) = (Encoder::default(), BytesMut::new());
        let headers = Headers::from([("streamType", "error"), ("port", "80")]);
        encoder.syn_stream(&mut out, 1, &headers);
        encoder.syn_reply(&mut out, 1);
        encoder.data(&mut out, 1, b"hello", false);
        encoder.ping(&mut out, 7);
        encoder.data(&mut out, 1, b"", true);
        encoder.reset(&mut out, 3, ResetCode::CANCEL);
        encoder.goaway(&mut out, 5);
        let expected = vec![
            Frame::SynStream { stream: 1, fin: false, headers },
            Frame::SynReply { stream: 1, fin: false },
            Frame::Data { stream: 1, data: BytesMut::from(&b"hello"[..]), fin: false },
            Frame::Ping { id: 7 },
            Frame::Data { stream: 1, data: BytesMut::new(), fin: true },
            Frame::Reset { stream: 3, code: ResetCode::CANCEL },
            Frame::GoAway { last: 5 },
        ];
        for step in [1, 2, 3, 7, 1000] {
            let frames = all(&mut Decoder::default(), &out, step).unwrap();
            assert_eq!(joined(frames), expected, "in steps of {step}");
        }
    }

    #[test]
    fn garbage_is_an_error_and_never_a_panic() {
        for garbage in [
            &[0x80, 0x02, 0, 1, 0, 0, 0, 0][..],
            &[0x80, 0x03, 0, 99, 0, 0, 0, 0],
            &[0x80, 0x03, 0, 1, 0, 0, 0, 2, 0, 0],
            &[0x80, 0x03, 0, 1, 0, 0xff, 0xff, 0xff],
            &[0, 0, 0, 0, 0, 0, 0, 0],
            b"HTTP/1.1 400 Bad Request",
        ] {
            let outcome = all(&mut Decoder::default(), garbage, 1000);
            let waits = matches!(&outcome, Ok(frames) if frames.is_empty());
            // `HTTP` is a data frame of a strange stream: that is for the session to say.
            assert!(outcome.is_err() || waits || garbage.starts_with(b"HTTP"), "{garbage:?}: {outcome:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600), step in 1_usize..50) {
            let _ = all(&mut Decoder::default(), &bytes, step);
        }
    }
}
