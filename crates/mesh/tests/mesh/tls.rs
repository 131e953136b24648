use std::path::{Path, PathBuf};

use pavise_kernel::peers::Transport;
use pavise_mesh::{ClientTls, Endpoint, ServerTls, Serving, TlsError, remote};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use tempfile::TempDir;
use tonic::Code;

use crate::scene::{Server, app, call, message};

/// An authority and its certificates, in files.
struct Authority {
    folder: TempDir,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "Test authority");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { folder, issuer }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A certificate and its key.
    fn certify(&self, name: &str, usage: ExtendedKeyUsagePurpose) -> (PathBuf, PathBuf) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.insert_extended_key_usage(usage);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let (cert, key_file) = (self.path(&format!("{name}.pem")), self.path(&format!("{name}.key")));
        std::fs::write(&cert, certificate.pem()).unwrap();
        std::fs::write(&key_file, key.serialize_pem()).unwrap();
        (cert, key_file)
    }

    fn server(&self) -> ServerTls {
        let (cert, key) = self.certify("localhost", ExtendedKeyUsagePurpose::ServerAuth);
        ServerTls { cert, key, client_ca: None }
    }

    fn client(&self) -> ClientTls {
        let (cert, key) = self.certify("orders", ExtendedKeyUsagePurpose::ClientAuth);
        ClientTls { ca: Some(self.path("ca.pem")), cert: Some(cert), key: Some(key), server_name: None }
    }
}

async fn secure(tls: ServerTls) -> Server {
    Server::with(app(|_| async { message("safe") }), Serving { tls: Some(tls.config().unwrap()), ..Serving::default() })
        .await
}

fn channel(server: &Server, tls: ClientTls) -> Transport {
    let endpoint = Endpoint { tls: Some(tls), ..Endpoint::new(format!("https://localhost:{}", server.address.port())) };
    remote(&endpoint, |_| false).unwrap()
}

#[tokio::test]
async fn a_server_with_a_certificate_is_believed_by_those_who_know_its_authority() {
    let (ours, other) = (Authority::new(), Authority::new());
    let server = secure(ours.server()).await;
    let trusting = |ca: &Path| ClientTls { ca: Some(ca.to_owned()), ..ClientTls::default() };
    assert_eq!(call(&channel(&server, trusting(&ours.path("ca.pem"))), &[]).await.unwrap(), "safe");
    let status = call(&channel(&server, trusting(&other.path("ca.pem"))), &[]).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    let wrong_name = ClientTls { server_name: Some("elsewhere".into()), ..trusting(&ours.path("ca.pem")) };
    assert_eq!(call(&channel(&server, wrong_name), &[]).await.unwrap_err().code(), Code::Unavailable);
    let plain = remote(&Endpoint::new(server.url()), |_| false).unwrap();
    assert!(call(&plain, &[("grpc-timeout", "2S")]).await.is_err(), "without TLS nobody gets in");
}

#[tokio::test]
async fn callers_need_a_certificate_of_the_authority_that_the_server_names() {
    let (ours, other) = (Authority::new(), Authority::new());
    let server = secure(ServerTls { client_ca: Some(ours.path("ca.pem")), ..ours.server() }).await;
    assert_eq!(call(&channel(&server, ours.client()), &[]).await.unwrap(), "safe");
    let nameless = ClientTls { cert: None, key: None, ..ours.client() };
    assert!(call(&channel(&server, nameless), &[]).await.is_err());
    let stranger = ClientTls { ca: Some(ours.path("ca.pem")), ..other.client() };
    assert!(call(&channel(&server, stranger), &[]).await.is_err());
    assert_eq!(call(&channel(&server, ours.client()), &[]).await.unwrap(), "safe");
}

#[tokio::test]
async fn files_that_do_not_fit_are_named() {
    let (ours, other) = (Authority::new(), Authority::new());
    let problem = |tls: ServerTls| -> TlsError { tls.config().unwrap_err() };
    let good = ours.server();
    let missing = problem(ServerTls { cert: ours.path("nothing.pem"), ..good.clone() });
    assert!(missing.what.ends_with("nothing.pem"), "{missing}");
    let swapped = problem(ServerTls { key: good.cert.clone(), ..good.clone() });
    assert!(swapped.what.ends_with("localhost.pem"), "{swapped}");
    let (_, strange) = other.certify("localhost", ExtendedKeyUsagePurpose::ServerAuth);
    let mixed = problem(ServerTls { key: strange, ..good.clone() });
    assert!(mixed.what.ends_with("localhost.pem"), "{mixed}");
    std::fs::write(ours.path("empty.pem"), "").unwrap();
    let empty = problem(ServerTls { client_ca: Some(ours.path("empty.pem")), ..good });
    assert!(empty.what.ends_with("empty.pem"), "{empty}");

    let endpoint = |tls| Endpoint { tls: Some(tls), ..Endpoint::new("https://localhost:1") };
    let half = ClientTls { key: None, ..ours.client() };
    assert!(remote(&endpoint(half), |_| false).is_err());
}

#[tokio::test]
async fn browsers_speak_http1_over_tls_too() {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, ServerName};
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let ours = Authority::new();
    let server = secure(ours.server()).await;
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(ours.path("ca.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let mut stream =
        connector.connect(ServerName::try_from("localhost").unwrap(), server.connect().await).await.unwrap();
    stream.write_all(crate::scene::GET.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}
