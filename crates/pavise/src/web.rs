//! Pages for browsers: the built web apps, and the contract from which the console builds its screens.

use std::io::Write as _;
use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::REFERRER_POLICY;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use pavise_kernel::hex::to_hex;
use sha2::{Digest as _, Sha256};
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;

/// A file whose name holds its hash never changes.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Revalidated each time, so that a new version is seen at once.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");
/// The pages run their own scripts only, show their own pictures only, and no page may frame them. The other headers of
/// protection come from the port's own layer.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'self'; object-src 'none'",
);

/// The built apps under `/app/` and `/console/` and the reference of the API under `/docs/`, as far as the folder has
/// them;
/// `/` leads to the first.
pub fn apps(folder: &Path) -> Router {
    let mut router = Router::new();
    if !folder.is_dir() {
        return router;
    }
    for name in ["app", "console", "docs"] {
        let app = folder.join(name);
        // A path that is no file is a page of the app; a script that is no file is missing, not a page.
        let pages = ServeDir::new(&app).precompressed_gzip().fallback(ServeFile::new(app.join("index.html")));
        let assets = ServeDir::new(app.join("assets")).precompressed_gzip();
        router = router
            .merge(headers(Router::new().nest_service(&format!("/{name}/assets"), assets), FOREVER))
            .merge(headers(Router::new().nest_service(&format!("/{name}"), pages), ASK));
    }
    router.route("/", get(|| async { Redirect::temporary("/app/") }))
}

/// Sets the caching of the router's files, and the policy of its pages.
fn headers(router: Router, cache: HeaderValue) -> Router {
    let set = |name: HeaderName, value: HeaderValue| SetResponseHeaderLayer::overriding(name, value);
    router
        .layer(set(CACHE_CONTROL, cache))
        .layer(set(CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(REFERRER_POLICY, HeaderValue::from_static("same-origin")))
}

/// The contract's descriptor set as a file that never changes, named by its hash.
#[derive(Debug, Clone)]
struct Descriptors {
    path: String,
    plain: Bytes,
    gzip: Bytes,
}

/// `/contract.json` names the descriptor set, which is served beside it: without comments, compressed, to be kept for ever.
///
/// # Errors
/// When the compression fails, which memory rules out.
pub fn contract(encoded: Vec<u8>) -> std::io::Result<Router> {
    let hash = to_hex(&Sha256::digest(&encoded));
    let path = format!("/contract/descriptors-{}.binpb", hash.get(..16).unwrap_or(&hash));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&encoded)?;
    let descriptors = Descriptors { path: path.clone(), plain: encoded.into(), gzip: gzip.finish()?.into() };
    Ok(Router::new().route("/contract.json", get(index)).route(&path, get(file)).with_state(descriptors))
}

async fn index(State(descriptors): State<Descriptors>) -> Response {
    ([(CACHE_CONTROL, ASK)], axum::Json(serde_json::json!({ "descriptors": descriptors.path }))).into_response()
}

async fn file(State(descriptors): State<Descriptors>, headers: HeaderMap) -> Response {
    let fixed = [(CACHE_CONTROL, FOREVER), (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"))];
    let vary = [(VARY, HeaderValue::from_static("accept-encoding"))];
    let accepts = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepts.split(',').any(|one| one.trim().split(';').next() == Some("gzip")) {
        return (fixed, vary, [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], descriptors.gzip).into_response();
    }
    (fixed, vary, descriptors.plain).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt as _;

    use super::*;

    async fn get(router: &Router, path: &str, accepts: &str) -> (StatusCode, HeaderMap, Bytes) {
        let request = Request::get(path).header(ACCEPT_ENCODING, accepts).body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, to_bytes(body, 1 << 20).await.unwrap())
    }

    #[tokio::test]
    async fn the_contract_is_found_by_its_hash_and_comes_as_the_reader_accepts_it() {
        let encoded = b"the contract ".repeat(100);
        let router = contract(encoded.clone()).unwrap();
        let (_, headers, body) = get(&router, "/contract.json", "").await;
        assert_eq!(headers[CACHE_CONTROL], "no-cache");
        let path =
            serde_json::from_slice::<serde_json::Value>(&body).unwrap()["descriptors"].as_str().unwrap().to_owned();
        let (status, headers, body) = get(&router, &path, "br").await;
        assert_eq!((status, body.as_ref()), (StatusCode::OK, encoded.as_slice()));
        assert!(headers[CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        let (_, headers, body) = get(&router, &path, "br, gzip;q=0.8").await;
        assert_eq!(headers[CONTENT_ENCODING], "gzip");
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(body.as_ref()), &mut plain).unwrap();
        assert_eq!(plain, encoded);
    }

    #[tokio::test]
    async fn a_page_is_served_for_every_path_of_an_app_and_a_missing_script_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let assets = folder.path().join("console/assets");
        std::fs::create_dir_all(&assets).unwrap();
        std::fs::write(folder.path().join("console/index.html"), "<title>console</title>").unwrap();
        std::fs::write(assets.join("one-1234.js"), "1").unwrap();
        let router = apps(folder.path());
        for path in ["/console/", "/console/orders/123?tab=timeline"] {
            let (status, headers, body) = get(&router, path, "").await;
            assert_eq!((status, body.as_ref()), (StatusCode::OK, b"<title>console</title>".as_slice()), "{path}");
            assert_eq!(headers[CACHE_CONTROL], "no-cache");
            assert!(headers[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("frame-ancestors 'none'"));
        }
        let (status, headers, _) = get(&router, "/console/assets/one-1234.js", "").await;
        assert_eq!(status, StatusCode::OK);
        assert!(headers[CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert_eq!(get(&router, "/console/assets/two.js", "").await.0, StatusCode::NOT_FOUND);
        assert_eq!(get(&router, "/", "").await.1["location"], "/app/");
    }
}
