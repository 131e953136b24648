//! Bodies of answers, of any type.

use bytes::Bytes;
use tower::BoxError;

/// A body that can wrap any other body: axum's and tonic's can.
pub trait Enclose: http_body::Body<Data = Bytes> + Default + Send + Unpin + 'static {
    /// Wraps another body.
    fn enclose<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>;
}

impl Enclose for axum::body::Body {
    fn enclose<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self::new(body)
    }
}

impl Enclose for tonic::body::Body {
    fn enclose<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self::new(body)
    }
}
