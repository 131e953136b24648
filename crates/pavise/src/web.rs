//! Pages for browsers: the built web apps, and the contract from which the console builds its screens.

mod descriptors;

use std::path::Path;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Redirect;
use axum::routing::get;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;

pub use descriptors::contract;

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

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes, to_bytes};
    use axum::http::header::ACCEPT_ENCODING;
    use axum::http::{HeaderMap, Request, StatusCode};
    use tower::ServiceExt as _;

    use super::*;

    async fn get(router: &Router, path: &str, accepts: &str) -> (StatusCode, HeaderMap, Bytes) {
        let request = Request::get(path).header(ACCEPT_ENCODING, accepts).body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, to_bytes(body, 1 << 20).await.unwrap())
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
