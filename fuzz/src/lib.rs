//! What the fuzz targets share: the whole contract, a facade before domains that take everything, a runtime.

use std::convert::Infallible;
use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use pavise_contract::Contract;
use pavise_kernel::peers::{Peers, Transport};
use pavise_testkit::grpc;
use pavise_transcode::{Schema, Transcoder};
use prost_reflect::DescriptorPool;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, ServiceExt as _};

/// The whole contract, as it was last released: targets need not build the platform.
pub static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(include_bytes!("../../proto/released.binpb").as_slice()).expect("the contract is a descriptor set")
});

/// Its transcoder.
pub static TRANSCODER: LazyLock<Transcoder> = LazyLock::new(|| Transcoder::new(&POOL));

/// All message types of the platform.
pub static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let messages = POOL.all_messages().filter(|message| !message.is_map_entry());
    messages.filter_map(|message| TRANSCODER.schema(message.full_name())).collect()
});

/// The type that the first two bytes choose, and the rest.
pub fn chosen(data: &[u8]) -> Option<(&'static Schema, &[u8])> {
    let (head, rest) = data.split_first_chunk::<2>()?;
    let schemas = &*SCHEMAS;
    Some((schemas.get(usize::from(u16::from_be_bytes(*head)) % schemas.len())?, rest))
}

/// The facade of the whole contract before domains that read what they are asked and answer a message without fields: the
/// one that is of every type.
pub static FACADE: LazyLock<Router> = LazyLock::new(|| {
    let peers = Peers::default();
    let contract = Contract::read(&POOL).expect("the contract is one");
    peers.install(contract.services.iter().map(|service| (service.domain.clone(), taken())).collect());
    pavise_rest::router(&POOL, TRANSCODER.clone(), peers, pavise_rest::Options::default()).expect("the contract has routes")
});

fn taken() -> Transport {
    BoxCloneSyncService::new(tower::service_fn(|request: Request<tonic::body::Body>| async move {
        grpc::asked(request).await?;
        Ok::<_, BoxError>(grpc::answered(&[]))
    }))
}

/// Sends a request and answers status and body.
pub fn send(router: &Router, request: Request<Body>) -> (StatusCode, Bytes) {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"));
    RUNTIME.block_on(async {
        let response = router.clone().oneshot(request).await.unwrap_or_else(|never: Infallible| match never {});
        let (head, body) = response.into_parts();
        (head.status, body.collect().await.map(|body| body.to_bytes()).unwrap_or_default())
    })
}

/// A body of these bytes.
pub fn body(bytes: &[u8]) -> Body {
    Body::new(Full::new(Bytes::copy_from_slice(bytes)))
}
