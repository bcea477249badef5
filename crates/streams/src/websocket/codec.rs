//! Frames, as bytes.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::{ProtocolError, Role};

/// Frames to bytes and back, of one side of a connection. No I/O.
///
/// Messages are given out piece by piece as they arrive, so that their size costs no memory.
pub struct Codec {
    role: Role,
    masks: RandomState,
    frames: u64,
    /// The data frame that is being read.
    frame: Option<DataFrame>,
    /// The message that is being read.
    message: Option<Message>,
}

#[derive(Clone, Copy)]
struct DataFrame {
    left: u64,
    fin: bool,
    mask: Option<[u8; 4]>,
    /// How far into the mask.
    at: usize,
}

#[derive(Clone, Copy)]
struct Message {
    text: bool,
    /// Whether a piece of it has been given out.
    begun: bool,
}

/// Something that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A message, or a part of it.
    Message {
        /// Whether it is text, not bytes.
        text: bool,
        /// Whether the message begins here.
        first: bool,
        /// Whether it ends here.
        last: bool,
        /// The bytes; none only where the message has none, or no more.
        data: BytesMut,
    },
    /// Is anybody there?
    Ping(Bytes),
    /// Yes.
    Pong,
    /// The other side says goodbye, and why, if it does.
    Close {
        /// The reason's number; 1005 where there is none.
        code: u16,
        /// The reason.
        reason: String,
    },
}

/// A normal end.
const NORMAL: u16 = 1000;
const NO_CODE: u16 = 1005;

mod opcode {
    pub(super) const CONTINUATION: u8 = 0;
    pub(super) const TEXT: u8 = 1;
    pub(super) const BINARY: u8 = 2;
    pub(super) const CLOSE: u8 = 8;
    pub(super) const PING: u8 = 9;
    pub(super) const PONG: u8 = 10;
}

impl Codec {
    /// One side of a new connection.
    pub fn new(role: Role) -> Self {
        Self { role, masks: RandomState::new(), frames: 0, frame: None, message: None }
    }

    /// A message of bytes, made of parts.
    pub fn message(&mut self, out: &mut BytesMut, parts: &[&[u8]]) {
        self.put(out, opcode::BINARY, parts);
    }

    /// A ping.
    pub fn ping(&mut self, out: &mut BytesMut) {
        self.put(out, opcode::PING, &[]);
    }

    /// The answer to a ping.
    pub fn pong(&mut self, out: &mut BytesMut, data: &[u8]) {
        self.put(out, opcode::PONG, &[data]);
    }

    /// A normal end.
    pub fn close(&mut self, out: &mut BytesMut) {
        self.put(out, opcode::CLOSE, &[&NORMAL.to_be_bytes()]);
    }

    fn put(&mut self, out: &mut BytesMut, opcode: u8, parts: &[&[u8]]) {
        const FIN: u8 = 0x80;
        /// The length is in the next two bytes, or in the next eight.
        const TWO: u8 = 0x7e;
        const EIGHT: u8 = 0x7f;
        let length: usize = parts.iter().map(|part| part.len()).sum();
        out.reserve(14 + length);
        out.put_u8(FIN | opcode);
        let masked = if self.role == Role::Client { 0x80 } else { 0 };
        match (u8::try_from(length), u16::try_from(length)) {
            (Ok(short @ ..TWO), _) => out.put_u8(masked | short),
            (_, Ok(middle)) => {
                out.put_u8(masked | TWO);
                out.put_u16(middle);
            }
            _ => {
                out.put_u8(masked | EIGHT);
                out.put_u64(u64::try_from(length).unwrap_or(u64::MAX));
            }
        }
        let mask = (self.role == Role::Client).then(|| self.mask());
        if let Some(mask) = mask {
            out.put_slice(&mask);
        }
        let begin = out.len();
        for part in parts {
            out.put_slice(part);
        }
        if let Some(mask) = mask {
            apply(mask, 0, &mut out[begin..]);
        }
    }

    /// A mask that nobody can foresee: a keyed hash, the key from the system, of a counter.
    fn mask(&mut self) -> [u8; 4] {
        self.frames += 1;
        let [a, b, c, d, ..] = self.masks.hash_one(self.frames).to_ne_bytes();
        [a, b, c, d]
    }

    /// Takes the next event from `input`; `None` if `input` is incomplete.
    pub fn decode(&mut self, input: &mut BytesMut) -> Result<Option<Piece>, ProtocolError> {
        if self.frame.is_none()
            && let Some(control) = self.head(input)?
        {
            return Ok(Some(control));
        }
        let (Some(frame), Some(message)) = (&mut self.frame, &mut self.message) else { return Ok(None) };
        if input.is_empty() && frame.left > 0 {
            return Ok(None);
        }
        let length = usize::try_from(frame.left).unwrap_or(usize::MAX).min(input.len());
        let mut data = input.split_to(length);
        if let Some(mask) = frame.mask {
            apply(mask, frame.at, &mut data);
            frame.at = (frame.at + length) % 4;
        }
        frame.left -= u64::try_from(length).unwrap_or(0);
        let ended = frame.left == 0;
        let last = ended && frame.fin;
        let piece = Piece::Message {
            text: message.text,
            first: !std::mem::replace(&mut message.begun, true),
            last,
            data,
        };
        if ended {
            self.frame = None;
        }
        if last {
            self.message = None;
        }
        Ok(Some(piece))
    }

    /// A control frame, whole; or the head of a data frame, which is kept.
    fn head(&mut self, input: &mut BytesMut) -> Result<Option<Piece>, ProtocolError> {
        let [first, second] = match input.first_chunk::<2>() {
            Some(head) => *head,
            None => return Ok(None),
        };
        let (fin, opcode) = (first & 0x80 != 0, first & 0x0f);
        let masked = second & 0x80 != 0;
        if first & 0x70 != 0 {
            return Err(bad("a frame with bits that nobody agreed on"));
        }
        if masked != (self.role == Role::Server) {
            return Err(bad(if masked {
                "a server's frame with a mask"
            } else {
                "a client's frame without a mask"
            }));
        }
        let extra = match second & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let head = 2 + extra + if masked { 4 } else { 0 };
        let Some(bytes) = input.get(2..head) else { return Ok(None) };
        let mut bytes = bytes;
        let length = match extra {
            2 => u64::from(bytes.get_u16()),
            8 => bytes.get_u64(),
            _ => u64::from(second & 0x7f),
        };
        let mask = masked.then(|| bytes.get_u32().to_be_bytes());
        if length > u64::MAX / 2 {
            return Err(bad("a frame of more bytes than there can be"));
        }
        if opcode >= opcode::CLOSE {
            return Self::control(input, head, (fin, opcode), length, mask);
        }
        match (opcode, self.message.is_some()) {
            (opcode::CONTINUATION, true) => {}
            (opcode::TEXT | opcode::BINARY, false) => {
                self.message = Some(Message { text: opcode == opcode::TEXT, begun: false });
            }
            (opcode::CONTINUATION, false) => return Err(bad("a message without its beginning")),
            (opcode::TEXT | opcode::BINARY, true) => return Err(bad("a message inside another")),
            _ => return Err(bad(format!("a frame of kind {opcode}"))),
        }
        input.advance(head);
        self.frame = Some(DataFrame { left: length, fin, mask, at: 0 });
        Ok(None)
    }

    fn control(
        input: &mut BytesMut,
        head: usize,
        (fin, opcode): (bool, u8),
        length: u64,
        mask: Option<[u8; 4]>,
    ) -> Result<Option<Piece>, ProtocolError> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > 125 || !fin {
            return Err(bad("a control frame that is too long or in parts"));
        }
        if input.len() < head + length {
            return Ok(None);
        }
        input.advance(head);
        let mut data = input.split_to(length);
        if let Some(mask) = mask {
            apply(mask, 0, &mut data);
        }
        Ok(Some(match opcode {
            opcode::PING => Piece::Ping(data.freeze()),
            opcode::PONG => Piece::Pong,
            opcode::CLOSE => {
                let code = data.try_get_u16().unwrap_or(NO_CODE);
                Piece::Close { code, reason: String::from_utf8_lossy(&data).into_owned() }
            }
            opcode => return Err(bad(format!("a frame of kind {opcode}"))),
        }))
    }
}

/// Puts a mask on, or takes it off, beginning in its middle.
fn apply(mask: [u8; 4], at: usize, data: &mut [u8]) {
    let mut mask = mask;
    mask.rotate_left(at % 4);
    let word = u64::from_ne_bytes([mask[0], mask[1], mask[2], mask[3], mask[0], mask[1], mask[2], mask[3]]);
    let (words, rest) = data.as_chunks_mut::<8>();
    for bytes in words {
        *bytes = (u64::from_ne_bytes(*bytes) ^ word).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

pub(super) fn bad(what: impl Into<String>) -> ProtocolError {
    ProtocolError::new("WebSocket", what)
}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codec").field("role", &self.role).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pieces(codec: &mut Codec, bytes: &[u8], step: usize) -> Result<Vec<Piece>, ProtocolError> {
        let (mut input, mut pieces) = (BytesMut::new(), Vec::new());
        for chunk in bytes.chunks(step.max(1)) {
            input.extend_from_slice(chunk);
            loop {
                let before = input.len();
                match codec.decode(&mut input)? {
                    Some(piece) => pieces.push(piece),
                    None if input.len() == before => break,
                    None => {}
                }
            }
        }
        Ok(pieces)
    }

    fn messages(pieces: Vec<Piece>) -> Vec<Vec<u8>> {
        let mut messages: Vec<Vec<u8>> = Vec::new();
        for piece in pieces {
            let Piece::Message { first, data, .. } = piece else { continue };
            if first {
                messages.push(Vec::new());
            }
            messages.last_mut().unwrap().extend_from_slice(&data);
        }
        messages
    }

    proptest! {
        #[test]
        fn messages_survive_whatever_pieces_they_come_in(
            sent in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 0..6),
            large in 65_530_usize..65_540,
            step in 1_usize..200,
            client in any::<bool>(),
        ) {
            let roles = if client { (Role::Client, Role::Server) } else { (Role::Server, Role::Client) };
            let (mut sender, mut receiver) = (Codec::new(roles.0), Codec::new(roles.1));
            let mut out = BytesMut::new();
            let mut sent = sent;
            sent.push(vec![7; large]);
            for message in &sent {
                let (one, two) = message.split_at(message.len() / 2);
                sender.message(&mut out, &[one, two]);
                sender.ping(&mut out);
            }
            let got = messages(pieces(&mut receiver, &out, step).unwrap());
            prop_assert_eq!(got, sent);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), step in 1_usize..50) {
            let _ = pieces(&mut Codec::new(Role::Client), &bytes, step);
            let _ = pieces(&mut Codec::new(Role::Server), &bytes, step);
        }
    }

    #[test]
    fn a_message_in_parts_is_one_message_and_control_frames_come_between() {
        let bytes = [0x02, 1, b'a', 0x89, 1, b'?', 0x00, 1, b'b', 0x80, 0, 0x88, 4, 0x03, 0xe8, b'o', b'k'];
        let got = pieces(&mut Codec::new(Role::Client), &bytes, 1).unwrap();
        let message =
            |first, last, data: &[u8]| Piece::Message { text: false, first, last, data: data.into() };
        let expected = [
            message(true, false, b"a"),
            Piece::Ping(Bytes::from_static(b"?")),
            message(false, false, b"b"),
            message(false, true, b""),
            Piece::Close { code: 1000, reason: "ok".into() },
        ];
        assert_eq!(got, expected);
    }

    #[test]
    fn what_the_protocol_does_not_allow_is_an_error() {
        for (bytes, why) in [
            (&[0xc2, 0][..], "bits"),
            (&[0x82, 0x80, 0, 0, 0, 0], "mask"),
            (&[0x80, 0], "beginning"),
            (&[0x02, 0, 0x82, 0], "inside"),
            (&[0x83, 0], "kind 3"),
            (&[0x8b, 0], "kind 11"),
            (&[0x89, 126, 0, 200], "too long"),
            (&[0x09, 0], "parts"),
            (&[0x82, 127, 0xff, 0, 0, 0, 0, 0, 0, 0], "more bytes"),
        ] {
            let error = pieces(&mut Codec::new(Role::Client), bytes, 1).unwrap_err();
            assert!(error.what.contains(why), "{error}");
        }
        assert!(pieces(&mut Codec::new(Role::Server), &[0x82, 0], 1).is_err(), "a client must mask");
    }
}
