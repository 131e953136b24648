//! Shared parts of the fuzz targets: the whole contract, facades before domains that accept everything, a runtime.

use std::convert::Infallible;
use std::sync::{LazyLock, Mutex};

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use pavise_contract::Contract;
use pavise_kernel::peers::{Peers, Transport};
use pavise_rest::Rest;
use pavise_testkit::grpc;
use pavise_transcode::{Schema, Transcoder};
use prost_reflect::DescriptorPool;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service, ServiceExt as _};

/// The whole contract, as it is: targets need not build the platform.
pub static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| pool(include_bytes!(concat!(env!("OUT_DIR"), "/contract.binpb"))));

/// A made-up contract, which has a form among its calls: the platform's own has none.
pub static SHOP: LazyLock<DescriptorPool> =
    LazyLock::new(|| pool(include_bytes!(concat!(env!("OUT_DIR"), "/shop.binpb"))));

fn pool(set: &[u8]) -> DescriptorPool {
    DescriptorPool::decode(set).expect("the contract is a descriptor set")
}

/// All message types of the platform, each at a place that its name decides: a corpus keeps its meaning when types
/// are added.
static SCHEMAS: LazyLock<Vec<(u16, Schema)>> = LazyLock::new(|| {
    let transcoder = Transcoder::new(&POOL);
    let messages = POOL.all_messages().filter(|message| !message.is_map_entry());
    let mut schemas: Vec<(u16, Schema)> = messages
        .filter_map(|message| Some((place(message.full_name()), transcoder.schema(message.full_name())?)))
        .collect();
    schemas.sort_by_key(|(place, _)| *place);
    schemas
});

/// FNV-1a, folded.
fn place(name: &str) -> u16 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 16 ^ hash & 0xffff) as u16
}

/// The type that the first two bytes choose, at or after their place, and the remaining bytes.
pub fn chosen(data: &[u8]) -> Option<(&'static Schema, &[u8])> {
    let (head, rest) = data.split_first_chunk::<2>()?;
    let at = SCHEMAS.partition_point(|(place, _)| *place < u16::from_be_bytes(*head));
    let (_, schema) = SCHEMAS.get(at).or_else(|| SCHEMAS.first())?;
    Some((schema, rest))
}

/// The facade of the whole contract before domains that read each request and answer an empty message, which is valid
/// for every type.
pub static FACADE: LazyLock<Rest> = LazyLock::new(|| facade(&POOL));

/// The same of the made-up contract.
pub static SHOP_FACADE: LazyLock<Rest> = LazyLock::new(|| facade(&SHOP));

fn facade(pool: &DescriptorPool) -> Rest {
    let peers = Peers::default();
    let contract = Contract::read(pool).expect("the contract is one");
    peers.set_transports(contract.services.iter().map(|service| (service.domain.clone(), taken())).collect());
    pavise_rest::facade(pool, Transcoder::new(pool), peers, pavise_rest::Options::default())
        .expect("the contract has routes")
}

/// The last request of a domain.
static ASKED: Mutex<Option<Bytes>> = Mutex::new(None);

fn taken() -> Transport {
    BoxCloneSyncService::new(tower::service_fn(|request: Request<tonic::body::Body>| async move {
        let message = grpc::read_request(request).await?;
        *ASKED.lock().expect("nobody panicked") = Some(message);
        Ok::<_, BoxError>(grpc::new_response(&[]))
    }))
}

/// An answer, with the request that a domain received for it.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub asked: Option<Bytes>,
}

/// Sends a request.
pub fn send<S>(service: &S, request: Request<Body>) -> Answer
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    static RUNTIME: LazyLock<tokio::runtime::Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"));
    *ASKED.lock().expect("nobody panicked") = None;
    RUNTIME.block_on(async {
        let response = service.clone().oneshot(request).await.unwrap_or_else(|never: Infallible| match never {});
        let (head, body) = response.into_parts();
        let body = body.collect().await.expect("the answer is whole").to_bytes();
        let asked = ASKED.lock().expect("nobody panicked").take();
        Answer { status: head.status, headers: head.headers, body, asked }
    })
}

/// A body of these bytes.
pub fn body(bytes: &[u8]) -> Body {
    Body::new(Full::new(Bytes::copy_from_slice(bytes)))
}

/// A body that comes in pieces of `size` bytes.
pub fn pieces(bytes: &[u8], size: usize) -> Body {
    let pieces: Vec<_> =
        bytes.chunks(size.max(1)).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece))).collect();
    Body::from_stream(futures::stream::iter(pieces))
}
