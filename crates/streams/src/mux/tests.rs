use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
use tokio::time::Instant;

use super::*;
use crate::Role;
use crate::websocket::{ChannelVersion, Tunnel};

fn options() -> MuxOptions {
    MuxOptions { ping_every: None, ..MuxOptions::default() }
}

fn spdy(options: &MuxOptions, buffer: usize) -> (Mux, Mux) {
    let (near, far) = duplex(buffer);
    (
        Mux::spdy(near, Session::new(Role::Client), options.clone()),
        Mux::spdy(far, Session::new(Role::Server), options.clone()),
    )
}

fn data(port: &str) -> Headers {
    Headers::from([("streamType", "data"), ("port", port)])
}

/// Both ends of a new stream.
async fn opened(client: &Mux, server: &Mux, port: &str) -> (MuxStream, MuxStream) {
    let headers = data(port);
    let (near, far) = tokio::join!(client.open(&headers), server.accept());
    (near.unwrap(), far.unwrap())
}

async fn echo(server: Mux) {
    while let Some(stream) = server.accept().await {
        tokio::spawn(async move {
            let (mut read, mut write) = tokio::io::split(stream);
            tokio::io::copy(&mut read, &mut write).await.unwrap();
            write.shutdown().await.unwrap();
        });
    }
}

async fn there_and_back(stream: MuxStream, length: usize) {
    let sent: Vec<u8> = (0..length).map(|index| u8::try_from(index * 31 % 251).unwrap()).collect();
    let (mut read, mut write) = tokio::io::split(stream);
    let copy = sent.clone();
    let writing = tokio::spawn(async move {
        write.write_all(&copy).await.unwrap();
        write.shutdown().await.unwrap();
        write
    });
    let mut got = Vec::new();
    read.read_to_end(&mut got).await.unwrap();
    assert!(got == sent, "{} bytes of {} came back", got.len(), sent.len());
    writing.await.unwrap();
}

#[tokio::test]
async fn fifty_streams_at_once_carry_their_bytes_both_ways_and_are_gone_afterwards() {
    let (client, server) = spdy(&options(), 4096);
    let serving = tokio::spawn(echo(server.clone()));
    let mut all = tokio::task::JoinSet::new();
    for port in 0..50 {
        let client = client.clone();
        all.spawn(async move {
            let stream = client.open(&data(&port.to_string())).await.unwrap();
            there_and_back(stream, 20_000).await;
        });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
    while client.streams() + server.streams() > 0 {
        tokio::task::yield_now().await;
    }
    drop(client);
    serving.await.unwrap();
    assert!(matches!(server.ended().await, ConnectionEnd::Lost(_) | ConnectionEnd::Closed));
}

#[tokio::test]
async fn spdy_runs_through_a_websocket() {
    let (near, far) = duplex(4096);
    let client = Mux::spdy(Tunnel::new(near, Role::Client), Session::new(Role::Client), options());
    let server = Mux::spdy(Tunnel::new(far, Role::Server), Session::new(Role::Server), options());
    tokio::spawn(echo(server));
    there_and_back(client.open(&data("1")).await.unwrap(), 300_000).await;
}

#[tokio::test]
async fn t8_1_01_channels_loop_back_with_half_close() {
    let (near, far) = duplex(4096);
    let channels = |role| Channels::new(role, ChannelVersion::V5);
    let (_client, mut near) = Mux::channels(near, channels(Role::Client), &[0, 1, 3], options());
    let (server, mut far) = Mux::channels(far, channels(Role::Server), &[0, 1, 3], options());
    let (mut error, mut stdout, mut stdin) = (near.pop().unwrap(), near.pop().unwrap(), near.pop().unwrap());
    let (mut far_error, mut far_out, mut far_in) =
        (far.pop().unwrap(), far.pop().unwrap(), far.pop().unwrap());
    let serving = tokio::spawn(async move {
        tokio::io::copy(&mut far_in, &mut far_out).await.unwrap();
        far_error.write_all(b"done").await.unwrap();
        drop((far_in, far_out, far_error, server));
    });
    let sent = vec![9; 200_000];
    let writing = tokio::spawn(async move {
        stdin.write_all(&sent).await.unwrap();
        stdin.shutdown().await.unwrap();
    });
    let (mut out, mut status) = (Vec::new(), String::new());
    stdout.read_to_end(&mut out).await.unwrap();
    error.read_to_string(&mut status).await.unwrap();
    assert_eq!((out.len(), status.as_str()), (200_000, "done"));
    writing.await.unwrap();
    serving.await.unwrap();
}

#[tokio::test]
async fn a_slow_reader_bounds_memory_and_a_dropped_one_stops_nobody() {
    let options = MuxOptions { stream_buffer: 8 * 1024, write_buffer: 8 * 1024, ..options() };
    let (client, server) = spdy(&options, 4096);
    let (mut slow, mut far) = opened(&client, &server, "slow").await;
    // The bytes that fit before the writer waits: the buffers of both sides, one write and one read.
    let mut written = 0;
    let stuck = loop {
        let write = tokio::time::timeout(Duration::from_secs(5), far.write(&[1; 1024]));
        match futures_now(write).await {
            Some(count) => written += count,
            None => break written,
        }
    };
    assert!(stuck < 8 * 1024 * 2 + 4096 + 128 * 1024, "{stuck} bytes were taken though nobody read");
    assert!(stuck >= 16 * 1024, "{stuck}");
    let mut got = vec![0; stuck];
    slow.read_exact(&mut got).await.unwrap();
    far.write_all(&[2; 1024]).await.unwrap();
    // Full again, and dropped: another stream gets through.
    drop(slow);
    let (mut other, mut far_other) = opened(&client, &server, "other").await;
    far_other.write_all(b"hi").await.unwrap();
    let mut hi = [0; 2];
    other.read_exact(&mut hi).await.unwrap();
    assert!(far.write_all(&vec![3; 100_000]).await.is_err(), "the far side hears that nobody reads");
}

/// The bytes written, or nothing if it would take until the (paused, so immediate) timeout. Paused time moves only when
/// nothing else can run.
async fn futures_now(
    write: impl Future<Output = Result<std::io::Result<usize>, tokio::time::error::Elapsed>>,
) -> Option<usize> {
    tokio::time::pause();
    let outcome = write.await;
    tokio::time::resume();
    outcome.ok().map(Result::unwrap)
}

#[tokio::test]
async fn a_refused_stream_and_a_cut_connection_give_different_errors() {
    let (client, server) = spdy(&MuxOptions { max_streams: 1, ..options() }, 4096);
    let (mut first, far) = opened(&client, &server, "1").await;
    assert_eq!(client.open(&data("2")).await.unwrap_err(), OpenError::Refused("refused".into()));
    drop((far, server));
    let error = first.read(&mut [0]).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    assert!(matches!(client.ended().await, ConnectionEnd::Lost(_)));
    assert!(matches!(client.open(&data("3")).await, Err(OpenError::Connection(_) | OpenError::NoMore)));
    assert!(first.write(b"x").await.is_err());
}

#[tokio::test]
async fn garbage_ends_the_connection_with_what_was_wrong() {
    let (near, mut far) = duplex(4096);
    let client = Mux::spdy(near, Session::new(Role::Client), options());
    far.write_all(&[0x80, 0x02, 0, 1, 0, 0, 0, 0]).await.unwrap();
    let ConnectionEnd::Protocol(error) = client.ended().await else { panic!("{:?}", client.end()) };
    assert!(error.to_string().contains("version 2"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn t8_1_01_a_side_that_is_not_heard_of_counts_as_gone_and_one_that_answers_does_not() {
    let silence = MuxOptions::default().silence;
    let (near, far) = duplex(1 << 20);
    let client = Mux::spdy(near, Session::new(Role::Client), MuxOptions::default());
    let start = Instant::now();
    assert_eq!(client.ended().await, ConnectionEnd::Silent(silence));
    assert!(start.elapsed() < silence + Duration::from_secs(6), "{:?}", start.elapsed());
    drop(far);
    let (client, _server) = spdy(&MuxOptions::default(), 4096);
    tokio::time::sleep(silence * 3).await;
    assert_eq!(client.end(), None);
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_takes_its_time_does_not_count_as_silence() {
    let options = MuxOptions { stream_buffer: 1024, ..MuxOptions::default() };
    // The other side would call us silent; that is its own business.
    let (near, far) = duplex(1 << 20);
    let server =
        Mux::spdy(far, Session::new(Role::Server), MuxOptions { ping_every: None, ..options.clone() });
    let client = Mux::spdy(near, Session::new(Role::Client), options.clone());
    let (mut slow, mut far) = opened(&client, &server, "1").await;
    far.write_all(&vec![1; 100_000]).await.unwrap();
    far.flush().await.unwrap();
    tokio::time::sleep(options.silence * 2).await;
    let mut got = vec![0; 100_000];
    slow.read_exact(&mut got).await.unwrap();
    assert_eq!(client.end(), None);
}

#[tokio::test(start_paused = true)]
async fn what_was_written_is_sent_though_everything_is_dropped_and_the_task_ends() {
    let (near, far): (DuplexStream, DuplexStream) = duplex(64 * 1024);
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let (client, mut streams) =
        Mux::channels(near, Channels::new(Role::Client, ChannelVersion::V5), &[0], options());
    let mut stdin = streams.pop().unwrap();
    stdin.write_all(b"last words").await.unwrap();
    drop((stdin, client));
    let (server, mut streams) =
        Mux::channels(far, Channels::new(Role::Server, ChannelVersion::V5), &[0], options());
    let mut got = String::new();
    streams.pop().unwrap().read_to_string(&mut got).await.unwrap();
    assert_eq!(got, "last words");
    drop((server, streams));
    while tasks() > before {
        tokio::task::yield_now().await;
    }
    // Nobody reads: it gives up in time.
    let (near, _far) = duplex(16);
    let (client, mut streams) =
        Mux::channels(near, Channels::new(Role::Client, ChannelVersion::V5), &[0], options());
    streams[0].write_all(&[0; 1000]).await.unwrap();
    streams.clear();
    drop(client);
    tokio::time::sleep(options().linger + Duration::from_secs(1)).await;
    assert_eq!(tasks(), before);
}

#[tokio::test]
async fn it_talks_to_another_websocket_implementation() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::Role as TheirRole;
    let (near, far) = duplex(4096);
    let (client, mut streams) =
        Mux::channels(near, Channels::new(Role::Client, ChannelVersion::V5), &[0, 1], options());
    let theirs = tokio::spawn(async move {
        let mut far = WebSocketStream::from_raw_socket(far, TheirRole::Server, None).await;
        far.send(Message::Ping("are you there?".into())).await.unwrap();
        let mut got = Vec::new();
        let mut ended = false;
        while let Some(Ok(message)) = far.next().await {
            match message {
                Message::Binary(bytes) if bytes[..] == [255, 0] => {
                    ended = true;
                    let mut answer = vec![1];
                    answer.extend_from_slice(&got);
                    far.send(Message::Binary(answer.into())).await.unwrap();
                    far.close(None).await.unwrap();
                }
                Message::Binary(bytes) => got.extend_from_slice(&bytes[1..]),
                Message::Pong(data) => assert_eq!(&data[..], b"are you there?"),
                other => assert!(other.is_close(), "{other:?}"),
            }
        }
        (got.len(), ended)
    });
    let (mut stdout, mut stdin) = (streams.pop().unwrap(), streams.pop().unwrap());
    let sent: Vec<u8> = (0..100_000_u32).map(|number| number.to_le_bytes()[0]).collect();
    stdin.write_all(&sent).await.unwrap();
    stdin.shutdown().await.unwrap();
    let mut got = Vec::new();
    stdout.read_to_end(&mut got).await.unwrap();
    assert!(got == sent);
    assert_eq!(client.ended().await, ConnectionEnd::Closed);
    drop((stdin, stdout, client));
    assert_eq!(theirs.await.unwrap(), (100_000, true));
}

/// A peer that sent all of `sent`, then closed the connection: nothing can be written to it.
struct Closed {
    sent: io::Cursor<Vec<u8>>,
}

impl AsyncRead for Closed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.sent).poll_read(cx, into)
    }
}

impl AsyncWrite for Closed {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_connection_that_refuses_writes_is_still_read_to_its_end() {
    // More than fits into the stream, so that the connection is not read for a while.
    let options = MuxOptions { stream_buffer: 1024, ..options() };
    let reason = "no space left. ".repeat(20_000);
    let mut peer = Session::new(Role::Server);
    let stream = Core::open(&mut peer, &data("80")).unwrap();
    Core::send(&mut peer, stream, reason.as_bytes());
    Core::finish(&mut peer, stream);
    let sent = io::Cursor::new(Core::output(&mut peer).to_vec());
    let client = Mux::spdy(Closed { sent }, Session::new(Role::Client), options);
    let headers = data("80");
    let mut theirs = client.accept().await.unwrap();
    assert!(client.open(&headers).await.is_err(), "nothing can be written");
    assert!(theirs.write_all(b"why?").await.is_err());
    let mut got = String::new();
    theirs.read_to_string(&mut got).await.unwrap();
    assert!(got == reason, "{} bytes of {} came", got.len(), reason.len());
    assert_eq!(client.ended().await, ConnectionEnd::Lost("broken pipe".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_sends_is_not_pinged_and_a_quiet_one_is() {
    let every = Duration::from_secs(5);
    let (near, mut far) = duplex(1 << 20);
    let mut server = Channels::new(Role::Server, ChannelVersion::V5);
    let (_client, mut streams) =
        Mux::channels(near, Channels::new(Role::Client, ChannelVersion::V5), &[1], MuxOptions::default());
    for second in 0..60_u8 {
        Core::send(&mut server, 1, &[second]);
        far.write_all(&Core::output(&mut server).split()).await.unwrap();
        assert_eq!(streams[0].read_u8().await.unwrap(), second);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let (began, mut frame) = (Instant::now(), [0; 6]);
    far.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame[0], 0x89, "a ping, and nothing before it");
    assert_eq!(began.elapsed(), every.saturating_sub(Duration::from_secs(1)));
    // Nobody reads what has come, so nobody waits for an answer.
    Core::send(&mut server, 1, &vec![0; 512 * 1024]);
    far.write_all(&Core::output(&mut server).split()).await.unwrap();
    tokio::time::sleep(MuxOptions::default().silence * 2).await;
    assert!(tokio::time::timeout(Duration::ZERO, far.read_u8()).await.is_err(), "no ping");
}

#[tokio::test(start_paused = true)]
async fn a_server_closes_after_both_goodbyes_or_when_none_comes_in_time() {
    for answers in [true, false] {
        let (near, mut far) = duplex(4096);
        let (server, mut streams) =
            Mux::channels(near, Channels::new(Role::Server, ChannelVersion::V5), &[1], options());
        streams[0].write_all(b"bye").await.unwrap();
        drop((server, streams));
        let mut frames = [0; 10];
        far.read_exact(&mut frames).await.unwrap();
        assert_eq!(frames, [0x82, 4, 1, b'b', b'y', b'e', 0x88, 2, 0x03, 0xe8], "its last words");
        // A ping that was under way.
        let mut client = Channels::new(Role::Client, ChannelVersion::V5);
        Core::ping(&mut client);
        far.write_all(&Core::output(&mut client).split()).await.unwrap();
        let began = Instant::now();
        let early = Duration::from_secs(1);
        assert!(tokio::time::timeout(early, far.read_u8()).await.is_err(), "neither an answer nor an end");
        if answers {
            Core::goodbye(&mut client);
            far.write_all(&Core::output(&mut client).split()).await.unwrap();
        }
        assert_eq!(far.read(&mut [0]).await.unwrap(), 0);
        assert_eq!(began.elapsed(), if answers { early } else { options().linger });
    }
}
