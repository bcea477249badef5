//! SPDY frames, WebSocket messages and what runs over them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use client_rs_streams::spdy::{Decoder, Encoder, Frame, Session};
use client_rs_streams::upgrade::{self, Handshake};
use client_rs_streams::websocket::{ChannelVersion, Channels, Codec, Piece, Tunnel};
use client_rs_streams::{Mux, MuxOptions, Role};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use super::{paused, role_and_chunk, sections, text};

/// More streams than this are not read to their ends.
const MANY: usize = 64;

/// A peer that sends bytes in chunks of one size, then ends; what it is sent is dropped.
struct Peer {
    input: Bytes,
    chunk: usize,
}

impl AsyncRead for Peer {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let length = self.chunk.min(buf.remaining()).min(self.input.len());
        buf.put_slice(&self.input.split_to(length));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Peer {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Any chunking gives the same frames; frames that are encoded are decoded as the same; a connection that a peer feeds with
/// them ends.
pub fn spdy(data: &[u8]) {
    let (role, chunk, bytes) = role_and_chunk(data);
    let (whole, failed) = frames(bytes, bytes.len().max(1));
    let (parts, failed_too) = frames(bytes, chunk);
    assert_eq!(failed, failed_too, "chunks of {chunk}");
    assert_eq!(joined_frames(whole.clone()), joined_frames(parts), "chunks of {chunk}");
    let (mut encoder, mut out, mut expected) = (Encoder::default(), BytesMut::new(), Vec::new());
    for frame in whole {
        match &frame {
            Frame::SynStream { stream, fin: false, headers } => {
                encoder.syn_stream(&mut out, *stream, headers)
            }
            Frame::SynReply { stream, fin: false } => encoder.syn_reply(&mut out, *stream),
            Frame::Reset { stream, code } => encoder.reset(&mut out, *stream, *code),
            Frame::Ping { id } => encoder.ping(&mut out, *id),
            Frame::GoAway { last } => encoder.goaway(&mut out, *last),
            Frame::Data { stream, data, fin } => encoder.data(&mut out, *stream, data, *fin),
            _ => continue,
        }
        expected.push(frame);
    }
    let (again, error) = frames(&out, out.len().max(1));
    assert_eq!(error, None);
    assert_eq!(joined_frames(again), joined_frames(expected));
    let input = Bytes::copy_from_slice(bytes);
    paused(async move {
        let mux = Mux::spdy(Peer { input, chunk }, Session::new(role), MuxOptions::default());
        read_streams(&mux).await;
    });
}

async fn read_streams(mux: &Mux) {
    let mut streams = Vec::new();
    while let Ok(Some(stream)) = tokio::time::timeout(Duration::from_secs(3600), mux.accept()).await {
        if streams.len() < MANY {
            streams.push(stream);
        }
    }
    for stream in &mut streams {
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all).await;
    }
    drop(streams);
    tokio::time::timeout(Duration::from_secs(3600), mux.ended())
        .await
        .expect("the connection ends after its peer");
}

/// The frames in some bytes, fed in chunks, and the error that ended them.
fn frames(bytes: &[u8], chunk: usize) -> (Vec<Frame>, Option<String>) {
    let (mut decoder, mut buffer, mut frames) = (Decoder::default(), BytesMut::new(), Vec::new());
    for chunk in bytes.chunks(chunk) {
        buffer.extend_from_slice(chunk);
        loop {
            match decoder.decode(&mut buffer) {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => break,
                Err(error) => return (frames, Some(error.to_string())),
            }
        }
    }
    (frames, None)
}

/// Data frames arrive in parts: those of one frame count as one.
fn joined_frames(frames: Vec<Frame>) -> Vec<Frame> {
    let mut joined: Vec<Frame> = Vec::new();
    for frame in frames {
        if let Frame::Data { data, fin: false, .. } = &frame
            && data.is_empty()
        {
            continue;
        }
        if let Frame::Data { stream, data, fin } = &frame
            && let Some(Frame::Data { stream: last, data: before, fin: ended @ false }) = joined.last_mut()
            && last == stream
        {
            before.extend_from_slice(data);
            *ended = *fin;
            continue;
        }
        joined.push(frame);
    }
    joined
}

/// Any chunking gives the same messages; a message that is encoded is decoded as the same; channels and tunnels that a peer
/// feeds with them end.
pub fn websocket(data: &[u8]) {
    let (role, chunk, bytes) = role_and_chunk(data);
    let (whole, failed) = pieces(role, bytes, bytes.len().max(1));
    let (parts, failed_too) = pieces(role, bytes, chunk);
    assert_eq!(failed, failed_too, "chunks of {chunk}");
    assert_eq!(whole, parts, "chunks of {chunk}");
    let (ours, theirs) = match role {
        Role::Client => (Role::Client, Role::Server),
        Role::Server => (Role::Server, Role::Client),
    };
    let mut out = BytesMut::new();
    Codec::new(theirs).message(&mut out, &[bytes]);
    let (again, error) = pieces(ours, &out, chunk);
    assert_eq!((again, error), (vec![(0, bytes.to_vec(), true)], None));
    let input = Bytes::copy_from_slice(bytes);
    paused(async move {
        for version in [ChannelVersion::V4, ChannelVersion::V5] {
            let peer = Peer { input: input.clone(), chunk };
            let channels = Channels::new(role, version);
            let (mux, mut streams) = Mux::channels(peer, channels, &[0, 1, 2, 3, 4], MuxOptions::default());
            for stream in &mut streams {
                let _ = stream.read_to_end(&mut Vec::new()).await;
            }
            drop(streams);
            tokio::time::timeout(Duration::from_secs(3600), mux.ended()).await.expect("the connection ends");
        }
        let tunnel = Tunnel::new(Peer { input: input.clone(), chunk }, role);
        let mut all = Vec::new();
        let mut tunnel = tunnel;
        let _ = tunnel.read_to_end(&mut all).await;
        assert!(all.len() <= input.len());
        let tunnel = Tunnel::new(Peer { input, chunk }, role);
        let mux = Mux::spdy(tunnel, Session::new(role), MuxOptions::default());
        read_streams(&mux).await;
    });
}

/// The decoded pieces: kind, bytes, and whether it ended. Parts of one message count as one.
fn pieces(role: Role, bytes: &[u8], chunk: usize) -> (Vec<(u16, Vec<u8>, bool)>, Option<String>) {
    let (mut codec, mut buffer) = (Codec::new(role), BytesMut::new());
    // Control frames may stand between the parts of a message: messages are joined on their own.
    let (mut found, mut open): (Vec<(u16, Vec<u8>, bool)>, Option<(u16, Vec<u8>)>) = (Vec::new(), None);
    let mut failed = None;
    'all: for chunk in bytes.chunks(chunk) {
        buffer.extend_from_slice(chunk);
        loop {
            let before = buffer.len();
            match codec.decode(&mut buffer) {
                Ok(Some(Piece::Message { text, first, last, data })) => {
                    assert_eq!(first, open.is_none(), "a message begins once");
                    open.get_or_insert_with(|| (u16::from(text), Vec::new())).1.extend_from_slice(&data);
                    if last && let Some((kind, data)) = open.take() {
                        found.push((kind, data, true));
                    }
                }
                Ok(Some(Piece::Ping(data))) => found.push((2, data.to_vec(), true)),
                Ok(Some(Piece::Pong)) => found.push((3, Vec::new(), true)),
                Ok(Some(Piece::Close { code, reason })) => found.push((code, reason.into_bytes(), true)),
                Ok(None) if buffer.len() == before => break,
                Ok(None) => {}
                Err(error) => {
                    failed = Some(error.to_string());
                    break 'all;
                }
            }
        }
    }
    found.extend(open.map(|(kind, data)| (kind, data, false)));
    (found, failed)
}

/// Handshakes of both sides: headers of any content are taken or refused.
pub fn handshake(data: &[u8]) {
    let [status, lines, protocols] = sections(data).map(text);
    let mut headers = HeaderMap::new();
    for line in lines.lines() {
        let Some((name, value)) = line.split_once(':') else { continue };
        let (Ok(name), Ok(value)) =
            (HeaderName::try_from(name.trim()), HeaderValue::from_bytes(value.trim().as_bytes()))
        else {
            continue;
        };
        headers.append(name, value);
    }
    let protocols: Vec<&str> = protocols.lines().collect();
    let asked = upgrade::asked(&headers);
    let answer = upgrade::answer(&headers, &protocols);
    if let Ok((answer, chosen)) = &answer {
        assert!(asked.is_some(), "{headers:?} is answered with {answer:?}");
        assert!(
            chosen.is_empty() || protocols.contains(&chosen.as_str()),
            "{chosen:?} is none of {protocols:?}"
        );
    }
    let status = StatusCode::from_u16(status.trim().parse().unwrap_or(101)).unwrap_or_default();
    for handshake in [Handshake::websocket(protocols.clone()), Handshake::spdy(protocols.clone())] {
        let mut request = HeaderMap::new();
        handshake.ask(&mut request);
        if let Ok(chosen) = handshake.check(status, &headers) {
            assert!(
                chosen.is_empty() || protocols.contains(&chosen.as_str()),
                "{chosen:?} was not asked for"
            );
        }
        // A handshake between both sides succeeds with the protocol that the server chose.
        let is_token = |name: &&str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',')
        };
        if !protocols.is_empty()
            && protocols.iter().all(is_token)
            && let Ok((answer, chosen)) = upgrade::answer(&request, &protocols)
        {
            assert_eq!(
                handshake.check(StatusCode::SWITCHING_PROTOCOLS, &answer).as_deref(),
                Ok(chosen.as_str())
            );
        }
    }
}
