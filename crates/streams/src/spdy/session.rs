//! One side of a connection, without the connection.

use bytes::BytesMut;

use super::frame::{Decoder, Encoder, Frame, ResetCode};
use super::headers::Headers;
use crate::mux::{Core, Sink};
use crate::{ProtocolError, Role};

/// One side of a SPDY/3.1 connection: bytes in, events and bytes out. No I/O, no clock.
///
/// It knows numbers, not streams: the receiver of the events tracks the state of each stream.
#[derive(Debug)]
pub struct Session {
    role: Role,
    encoder: Encoder,
    decoder: Decoder,
    out: BytesMut,
    next_stream: u32,
    next_ping: u32,
    /// The last stream that the other side opened.
    last_remote: u32,
    goodbye: bool,
}

/// Bytes a data frame: large enough that its head costs nothing, small enough that streams take turns.
const CHUNK: usize = 32 * 1024;

impl Session {
    /// A new connection's side.
    pub fn new(role: Role) -> Self {
        let first = match role {
            Role::Client => 1,
            Role::Server => 2,
        };
        Self {
            role,
            encoder: Encoder::default(),
            decoder: Decoder::default(),
            out: BytesMut::new(),
            next_stream: first,
            next_ping: first,
            last_remote: 0,
            goodbye: false,
        }
    }

    fn is_ours(&self, number: u32) -> bool {
        (number % 2 == 1) == (self.role == Role::Client)
    }

    fn frame(&mut self, frame: Frame, sink: &mut dyn Sink) {
        match frame {
            Frame::SynStream { stream, fin, headers } => {
                if self.is_ours(stream) || stream <= self.last_remote {
                    self.encoder.reset(&mut self.out, stream, ResetCode::PROTOCOL_ERROR);
                    return;
                }
                self.last_remote = stream;
                if self.goodbye || !sink.opened(stream, headers) {
                    self.encoder.reset(&mut self.out, stream, ResetCode::REFUSED_STREAM);
                } else if fin {
                    sink.finished(stream);
                }
            }
            Frame::SynReply { stream, fin } => {
                sink.answered(stream);
                if fin {
                    sink.finished(stream);
                }
            }
            Frame::Data { stream, data, fin } => {
                if !data.is_empty() {
                    sink.data(stream, &data);
                }
                if fin {
                    sink.finished(stream);
                }
            }
            Frame::Reset { stream, code } => sink.reset(stream, code),
            Frame::Ping { id } if !self.is_ours(id) => self.encoder.ping(&mut self.out, id),
            Frame::GoAway { .. } => sink.no_more_streams(),
            Frame::Ping { .. } | Frame::Other => {}
        }
    }
}

impl Core for Session {
    fn receive(&mut self, input: &mut BytesMut, sink: &mut dyn Sink) -> Result<(), ProtocolError> {
        while let Some(frame) = self.decoder.decode(input)? {
            self.frame(frame, sink);
        }
        Ok(())
    }

    fn output(&mut self) -> &mut BytesMut {
        &mut self.out
    }

    fn open(&mut self, headers: &Headers) -> Option<u32> {
        let stream = self.next_stream;
        self.next_stream = stream.checked_add(2).filter(|next| *next <= 0x7fff_ffff)?;
        self.encoder.syn_stream(&mut self.out, stream, headers);
        Some(stream)
    }

    fn accept(&mut self, stream: u32) {
        self.encoder.syn_reply(&mut self.out, stream);
    }

    fn send(&mut self, stream: u32, data: &[u8]) {
        for chunk in data.chunks(CHUNK) {
            self.encoder.data(&mut self.out, stream, chunk, false);
        }
    }

    fn finish(&mut self, stream: u32) {
        self.encoder.data(&mut self.out, stream, &[], true);
    }

    fn reset(&mut self, stream: u32) {
        self.encoder.reset(&mut self.out, stream, ResetCode::CANCEL);
    }

    fn ping(&mut self) {
        let id = self.next_ping;
        self.next_ping = if id > 0x7fff_fff0 { id % 2 + 2 } else { id + 2 };
        self.encoder.ping(&mut self.out, id);
    }

    fn goodbye(&mut self) {
        if !std::mem::replace(&mut self.goodbye, true) {
            self.encoder.goaway(&mut self.out, self.last_remote);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes down what it hears.
    #[derive(Default)]
    struct Heard(Vec<String>);

    impl Sink for Heard {
        fn opened(&mut self, stream: u32, headers: Headers) -> bool {
            let kind = headers.get("streamType").unwrap_or_default().to_owned();
            self.0.push(format!("opened {stream} {kind}"));
            kind != "unwanted"
        }

        fn answered(&mut self, stream: u32) {
            self.0.push(format!("answered {stream}"));
        }

        fn data(&mut self, stream: u32, data: &[u8]) {
            self.0.push(format!("data {stream} {}", String::from_utf8_lossy(data)));
        }

        fn finished(&mut self, stream: u32) {
            self.0.push(format!("finished {stream}"));
        }

        fn reset(&mut self, stream: u32, code: ResetCode) {
            self.0.push(format!("reset {stream} {code}"));
        }

        fn no_more_streams(&mut self) {
            self.0.push("no more".into());
        }

        fn closed(&mut self) {
            self.0.push("closed".into());
        }
    }

    /// The events that `to` receives from all bytes that `from` has sent.
    fn pass(from: &mut Session, to: &mut Session) -> Vec<String> {
        let (mut heard, mut bytes) = (Heard::default(), from.output().split());
        to.receive(&mut bytes, &mut heard).unwrap();
        heard.0
    }

    #[test]
    fn t8_1_03_streams_open_carry_bytes_and_half_close() {
        let (mut client, mut server) = (Session::new(Role::Client), Session::new(Role::Server));
        let one = client.open(&Headers::from([("streamType", "error")])).unwrap();
        let two = client.open(&Headers::from([("streamType", "stdin")])).unwrap();
        assert_eq!((one, two), (1, 3));
        assert_eq!(pass(&mut client, &mut server), ["opened 1 error", "opened 3 stdin"]);
        server.accept(one);
        server.accept(two);
        assert_eq!(pass(&mut server, &mut client), ["answered 1", "answered 3"]);
        client.send(two, b"in");
        client.finish(two);
        assert_eq!(pass(&mut client, &mut server), ["data 3 in", "finished 3"]);
        server.send(two, b"out");
        server.reset(one);
        server.goodbye();
        assert_eq!(pass(&mut server, &mut client), ["data 3 out", "reset 1 cancelled", "no more"]);
    }

    #[test]
    fn pings_are_sent_back_and_streams_out_of_turn_refused() {
        let (mut client, mut server) = (Session::new(Role::Client), Session::new(Role::Server));
        client.ping();
        assert!(pass(&mut client, &mut server).is_empty());
        assert!(!server.output().is_empty(), "a ping is answered");
        assert!(pass(&mut server, &mut client).is_empty());
        assert!(client.output().is_empty(), "an answer is not");
        client.open(&Headers::from([("streamType", "unwanted")])).unwrap();
        assert_eq!(pass(&mut client, &mut server), ["opened 1 unwanted"]);
        assert_eq!(pass(&mut server, &mut client), ["reset 1 refused"]);
        // A number that was there before, and one of the other side's.
        for stream in [1, 2] {
            let mut out = client.output().split();
            client.encoder.syn_stream(&mut out, stream, &Headers::default());
            server.receive(&mut out, &mut Heard::default()).unwrap();
            assert_eq!(pass(&mut server, &mut client), [format!("reset {stream} protocol error")]);
        }
    }
}
