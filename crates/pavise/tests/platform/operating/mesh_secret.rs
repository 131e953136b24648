//! The mesh secret is changed in one process after another.

use super::{Server, printed};

const OLD: &str = "the secret that is being replaced";
const NEW: &str = "the secret that replaces it";

/// The status of a call with a token of that secret.
async fn status(server: &Server, secret: &str) -> u16 {
    let token = printed(&["token", "issue", "--mesh-secret", secret, "--permission", "*"]);
    let call = pavise::wire::client_builder()
        .build()
        .unwrap()
        .get(format!("http://{}/v1/identities/somebody/orders", server.listen))
        .bearer_auth(token.trim());
    call.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_accepts_two_mesh_secrets_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("pavise.db");
    let server = Server::start(&database, &["--mesh-secret", NEW, "--mesh-secret-also", OLD]).ready();
    for secret in [NEW, OLD] {
        assert_eq!(status(&server, secret).await, 200, "{secret}");
    }
    assert_eq!(status(&server, "a secret that nobody configured").await, 401);
    server.stop();
    assert!(server.end().0.success());
    let server = Server::start(&database, &["--mesh-secret", NEW]).ready();
    assert_eq!((status(&server, NEW).await, status(&server, OLD).await), (200, 401));
}
