//! A few streams in the messages of one WebSocket. The first byte of a message identifies its stream.

use bytes::BytesMut;

use super::codec::{Codec, Piece, bad};
use crate::mux::{Core, Sink};
use crate::spdy::Headers;
use crate::{ProtocolError, Role};

/// The numbers of the channels.
pub mod channel {
    /// Standard input of the process.
    pub const STDIN: u8 = 0;
    /// Standard output.
    pub const STDOUT: u8 = 1;
    /// Standard error.
    pub const STDERR: u8 = 2;
    /// How it ended.
    pub const ERROR: u8 = 3;
    /// The size of its terminal.
    pub const RESIZE: u8 = 4;
    /// The channel that ends, since v5.
    pub(super) const CLOSE: u8 = 255;
}

/// A version of the channel protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelVersion {
    /// How the process ended comes as a `Status`.
    V4,
    /// As v4, and a client can end one channel before the others. A server can't: clients know no such message.
    V5,
}

impl ChannelVersion {
    /// Its name in a handshake.
    pub fn name(self) -> &'static str {
        match self {
            Self::V4 => "v4.channel.k8s.io",
            Self::V5 => "v5.channel.k8s.io",
        }
    }
}

/// One side of the channel protocol: bytes in, events and bytes out. No I/O, no clock.
#[derive(Debug)]
pub struct Channels {
    codec: Codec,
    role: Role,
    version: ChannelVersion,
    out: BytesMut,
    /// The destination of the message that is being read.
    to: Option<To>,
    /// Whether we have said goodbye.
    goodbye: bool,
    /// Whether the other side has.
    heard_goodbye: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Channel(u8),
    /// The next byte names the channel that ends.
    Close,
    /// Its number was read; the rest of the message is ignored.
    Nowhere,
}

/// Bytes a message: what Kubernetes itself sends, and its buffers hold.
const CHUNK: usize = 32 * 1024;

impl Channels {
    /// One side of a new connection.
    pub fn new(role: Role, version: ChannelVersion) -> Self {
        Self {
            codec: Codec::new(role),
            role,
            version,
            out: BytesMut::new(),
            to: None,
            goodbye: false,
            heard_goodbye: false,
        }
    }

    fn message(&mut self, mut data: &[u8], last: bool, sink: &mut dyn Sink) -> Result<(), ProtocolError> {
        if self.to.is_none() {
            match data.split_first() {
                Some((&first, rest)) => {
                    data = rest;
                    let closes = first == channel::CLOSE && self.version == ChannelVersion::V5;
                    self.to = Some(if closes { To::Close } else { To::Channel(first) });
                }
                None if last => return Err(bad("a message without its channel")),
                None => return Ok(()),
            }
        }
        match (self.to, data.first()) {
            (Some(To::Channel(channel)), Some(_)) => sink.data(u32::from(channel), data),
            (Some(To::Close), Some(&channel)) => {
                sink.finished(u32::from(channel));
                self.to = Some(To::Nowhere);
            }
            (Some(To::Close), None) if last => return Err(bad("the end of no channel")),
            _ => {}
        }
        if last {
            self.to = None;
        }
        Ok(())
    }
}

impl Core for Channels {
    fn receive(&mut self, input: &mut BytesMut, sink: &mut dyn Sink) -> Result<(), ProtocolError> {
        loop {
            let before = input.len();
            match self.codec.decode(input)? {
                Some(Piece::Message { text: true, .. }) => return Err(bad("a message of text")),
                Some(Piece::Message { data, last, .. }) => self.message(&data, last, sink)?,
                // Nothing follows a goodbye.
                Some(Piece::Ping(_)) if self.goodbye => {}
                Some(Piece::Ping(data)) => self.codec.pong(&mut self.out, &data),
                Some(Piece::Close { code, reason }) => {
                    self.heard_goodbye = true;
                    self.goodbye();
                    // Without a code, or on its way out: an end like any other.
                    return if matches!(code, 1000 | 1001 | 1005) {
                        sink.closed();
                        Ok(())
                    } else {
                        Err(bad(format!("closed with code {code}: {reason}")))
                    };
                }
                // The head of a frame may have been all there was to take.
                None if input.len() == before => return Ok(()),
                Some(Piece::Pong) | None => {}
            }
        }
    }

    fn output(&mut self) -> &mut BytesMut {
        &mut self.out
    }

    fn open(&mut self, _: &Headers) -> Option<u32> {
        None
    }

    fn accept(&mut self, _: u32) {}

    fn send(&mut self, stream: u32, data: &[u8]) {
        let Ok(channel) = u8::try_from(stream) else { return };
        for chunk in data.chunks(CHUNK) {
            self.codec.message(&mut self.out, &[&[channel], chunk]);
        }
    }

    fn finish(&mut self, stream: u32) {
        if let (Ok(channel), ChannelVersion::V5, Role::Client) =
            (u8::try_from(stream), self.version, self.role)
        {
            self.codec.message(&mut self.out, &[&[channel::CLOSE, channel]]);
        }
    }

    fn reset(&mut self, stream: u32) {
        self.finish(stream);
    }

    fn ping(&mut self) {
        self.codec.ping(&mut self.out);
    }

    fn goodbye(&mut self) {
        if !std::mem::replace(&mut self.goodbye, true) {
            self.codec.close(&mut self.out);
        }
    }

    /// The server is the one to close the connection, after both goodbyes (RFC 6455, section 7.1.1).
    fn may_close(&self) -> bool {
        self.role == Role::Client || self.heard_goodbye
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spdy::ResetCode;

    #[derive(Default)]
    struct Heard(Vec<String>);

    impl Sink for Heard {
        fn opened(&mut self, _: u32, _: Headers) -> bool {
            false
        }

        fn answered(&mut self, _: u32) {}

        fn data(&mut self, stream: u32, data: &[u8]) {
            self.0.push(format!("{stream}: {}", String::from_utf8_lossy(data)));
        }

        fn finished(&mut self, stream: u32) {
            self.0.push(format!("{stream} ends"));
        }

        fn reset(&mut self, _: u32, _: ResetCode) {}

        fn no_more_streams(&mut self) {}

        fn closed(&mut self) {
            self.0.push("closed".into());
        }
    }

    fn heard(channels: &mut Channels, bytes: &[u8]) -> Result<Vec<String>, ProtocolError> {
        let mut heard = Heard::default();
        channels.receive(&mut BytesMut::from(bytes), &mut heard)?;
        Ok(heard.0)
    }

    #[test]
    fn t8_1_01_channels_carry_bytes_and_end_one_by_one() {
        let (mut client, mut server) = (
            Channels::new(Role::Client, ChannelVersion::V5),
            Channels::new(Role::Server, ChannelVersion::V5),
        );
        client.send(0, b"in");
        client.finish(0);
        let bytes = client.output().split();
        assert_eq!(heard(&mut server, &bytes).unwrap(), ["0: in", "0 ends"]);
        server.send(1, b"out");
        // kubectl calls its end an unknown stream.
        server.finish(1);
        server.send(3, b"{}");
        server.goodbye();
        let bytes = server.output().split();
        assert_eq!(heard(&mut client, &bytes).unwrap(), ["1: out", "3: {}", "closed"]);
        assert!(!client.output().is_empty(), "a goodbye is answered");
    }

    #[test]
    fn v4_has_no_way_to_end_one_channel() {
        let mut client = Channels::new(Role::Client, ChannelVersion::V4);
        client.finish(0);
        assert!(client.output().is_empty());
        // Nor does it understand one: 255 is a channel that nobody has.
        assert_eq!(heard(&mut client, &[0x82, 2, 255, 0]).unwrap(), ["255: \0"]);
    }

    #[test]
    fn t8_1_01_an_empty_message_of_a_channel_is_ignored_and_one_without_channel_is_an_error() {
        let mut client = Channels::new(Role::Client, ChannelVersion::V5);
        assert!(heard(&mut client, &[0x82, 1, 1]).unwrap().is_empty());
        assert!(heard(&mut client, &[0x82, 0]).unwrap_err().what.contains("without its channel"));
        let mut client = Channels::new(Role::Client, ChannelVersion::V5);
        assert!(heard(&mut client, &[0x82, 1, 255]).unwrap_err().what.contains("no channel"));
    }

    #[test]
    fn t8_1_01_text_is_an_error() {
        let mut client = Channels::new(Role::Client, ChannelVersion::V5);
        assert!(heard(&mut client, &[0x81, 2, 1, b'a']).unwrap_err().what.contains("text"));
    }

    #[test]
    fn an_end_that_is_not_normal_is_an_error() {
        let mut client = Channels::new(Role::Client, ChannelVersion::V5);
        let error = heard(&mut client, &[0x88, 4, 0x03, 0xf3, b'n', b'o']).unwrap_err();
        assert!(error.what.contains("1011: no"), "{error}");
    }
}
