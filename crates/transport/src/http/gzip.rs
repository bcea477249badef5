//! Compressed responses.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use flate2::write::MultiGzDecoder;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, RANGE};
use http::{HeaderMap, HeaderValue, Method};
use http_body::{Body as _, Frame};

use super::{Body, TransportError};

/// Requests a compressed response, unless the caller requests an encoding or a range. Returns whether it did.
pub(super) fn ask(method: &Method, headers: &mut HeaderMap) -> bool {
    let ask =
        *method != Method::HEAD && !headers.contains_key(ACCEPT_ENCODING) && !headers.contains_key(RANGE);
    if ask {
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    ask
}

/// The decompressed response.
pub(super) fn open(response: http::Response<Body>) -> http::Response<Body> {
    let encoding = response.headers().get(CONTENT_ENCODING);
    if encoding.is_none_or(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"gzip")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(CONTENT_ENCODING);
    parts.headers.remove(CONTENT_LENGTH);
    http::Response::from_parts(parts, body.gunzip())
}

/// The number of decompressed bytes after which they are passed on: a chunk can grow by a factor of a thousand, and the
/// limits of the reader must apply in time.
const STEP: usize = 64 * 1024;

/// A body that is decompressed step by step.
pub(super) struct Gunzip {
    body: Body,
    /// Bytes that have arrived and are not decompressed yet.
    input: Bytes,
    /// `None` after the end was written.
    decoder: Option<MultiGzDecoder<Vec<u8>>>,
}

impl Gunzip {
    pub(super) fn new(body: Body) -> Self {
        Self { body, input: Bytes::new(), decoder: Some(MultiGzDecoder::new(Vec::new())) }
    }

    pub(super) fn poll_frame(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        loop {
            let Some(decoder) = &mut self.decoder else { return Poll::Ready(None) };
            let output = if self.input.is_empty() {
                match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                    Some(Ok(frame)) => match frame.into_data() {
                        Ok(chunk) => {
                            self.input = chunk;
                            step(decoder, &mut self.input)
                        }
                        Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                    },
                    Some(Err(error)) => {
                        self.decoder = None;
                        return Poll::Ready(Some(Err(error)));
                    }
                    None => match self.decoder.take() {
                        Some(decoder) => finish(decoder),
                        None => Ok(Vec::new()),
                    },
                }
            } else {
                step(decoder, &mut self.input)
            };
            match output {
                Ok(output) if output.is_empty() => {}
                Ok(output) => return Poll::Ready(Some(Ok(Frame::data(output.into())))),
                Err(error) => {
                    self.decoder = None;
                    return Poll::Ready(Some(Err(TransportError::Decompress(error))));
                }
            }
        }
    }
}

/// Decompresses input until all of it is used or the output of one step is complete.
fn step(decoder: &mut MultiGzDecoder<Vec<u8>>, input: &mut Bytes) -> io::Result<Vec<u8>> {
    while !input.is_empty() && decoder.get_ref().len() < STEP {
        // One call writes at most as much as the decoder's buffer can hold.
        match decoder.write(input)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            taken => input.advance(taken),
        }
    }
    if input.is_empty() {
        // The decoder holds output back until it is flushed, and the next bytes of a watch may arrive hours later.
        decoder.flush()?;
    }
    Ok(std::mem::take(decoder.get_mut()))
}

fn finish(mut decoder: MultiGzDecoder<Vec<u8>>) -> io::Result<Vec<u8>> {
    decoder.try_finish()?;
    Ok(std::mem::take(decoder.get_mut()))
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use http_body_util::StreamBody;

    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn chunked(bytes: &[u8], size: usize) -> Body {
        let frames: Vec<_> = bytes
            .chunks(size)
            .map(|chunk| Ok::<_, TransportError>(Frame::data(Bytes::copy_from_slice(chunk))))
            .collect();
        Body::new(StreamBody::new(Iter(frames.into_iter())))
    }

    struct Iter<I>(I);

    impl<I: Iterator + Unpin> futures_core::Stream for Iter<I> {
        type Item = I::Item;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I::Item>> {
            Poll::Ready(self.0.next())
        }
    }

    /// Ends with silence: no more bytes, and no end.
    struct ThenSilence<I>(I);

    impl<I: Iterator + Unpin> futures_core::Stream for ThenSilence<I> {
        type Item = I::Item;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I::Item>> {
            self.0.next().map_or(Poll::Pending, |item| Poll::Ready(Some(item)))
        }
    }

    #[tokio::test]
    async fn the_received_part_of_a_watch_is_available_at_once() {
        let text: Vec<u8> = (0..6_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
        // Each flush of the server is its own gzip member, or all flushes share one.
        let (members, mut one) = (text.chunks(900), GzEncoder::new(Vec::new(), Compression::default()));
        let mut flushed = |part: &[u8]| {
            one.write_all(part).unwrap();
            one.flush().unwrap();
            std::mem::take(one.get_mut())
        };
        let streams = [
            members.clone().map(compressed).collect::<Vec<_>>(),
            members.map(&mut flushed).collect::<Vec<_>>(),
        ];
        for stream in streams {
            for size in [1, 100, 1 << 20] {
                let chunks: Vec<_> = stream.iter().flat_map(|part| part.chunks(size)).collect();
                let frames = chunks.into_iter().map(|chunk| Ok(Frame::data(Bytes::copy_from_slice(chunk))));
                let frames: Vec<Result<_, TransportError>> = frames.collect();
                let mut body = Body::new(StreamBody::new(ThenSilence(frames.into_iter()))).gunzip();
                let mut read = Vec::new();
                let mut cx = Context::from_waker(std::task::Waker::noop());
                while let Poll::Ready(frame) = Pin::new(&mut body).poll_frame(&mut cx) {
                    read.extend_from_slice(&frame.unwrap().unwrap().into_data().unwrap());
                }
                assert!(read == text, "{} of {} bytes in chunks of {size}", read.len(), text.len());
            }
        }
    }

    #[tokio::test]
    async fn a_compressed_body_is_read_in_chunks_of_any_size() {
        let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let bytes = compressed(&text);
        for size in [1, 7, 4096, bytes.len()] {
            let body = chunked(&bytes, size).gunzip();
            assert_eq!(body.bytes().await.unwrap(), text, "{size}");
        }
    }

    #[tokio::test]
    async fn a_chunk_that_inflates_a_thousandfold_comes_in_small_steps() {
        let bytes = compressed(&vec![0; 1 << 20]);
        let mut body = chunked(&bytes, bytes.len()).gunzip();
        let (mut cx, mut total) = (Context::from_waker(std::task::Waker::noop()), 0);
        while let Poll::Ready(Some(frame)) = Pin::new(&mut body).poll_frame(&mut cx) {
            let size = frame.unwrap().into_data().unwrap().len();
            assert!(size <= 256 * 1024, "{size} bytes at once");
            total += size;
        }
        assert_eq!(total, 1 << 20);
    }

    #[tokio::test]
    async fn a_cut_or_foreign_body_is_an_error() {
        let bytes = compressed(b"some text that is long enough");
        let error = chunked(&bytes[..bytes.len() - 6], 5).gunzip().bytes().await.unwrap_err();
        assert!(matches!(error, TransportError::Decompress(_)), "{error}");
        let error = Body::from("no gzip at all").gunzip().bytes().await.unwrap_err();
        assert!(matches!(error, TransportError::Decompress(_)), "{error}");
    }

    #[test]
    fn compression_is_requested_only_if_the_caller_did_not_decide() {
        let mut headers = HeaderMap::new();
        assert!(!ask(&Method::HEAD, &mut headers));
        assert!(ask(&Method::GET, &mut headers));
        assert_eq!(headers[ACCEPT_ENCODING], "gzip");
        assert!(!ask(&Method::GET, &mut headers));
    }
}
