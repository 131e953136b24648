//! Certificates and keys from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::server::WebPkiClientVerifier;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// The certificate of a server, and the authority of its callers.
#[derive(Debug, Clone)]
pub struct ServerTls {
    /// The server's certificate and its chain to the authority (PEM).
    pub cert: PathBuf,
    /// The key of the certificate (PEM).
    pub key: PathBuf,
    /// The authority of every caller's certificate (PEM). None: callers need no certificate.
    pub client_ca: Option<PathBuf>,
}

/// The authority that a client trusts, and the client's certificate.
#[derive(Debug, Clone, Default)]
pub struct ClientTls {
    /// The authority of the server's certificate (PEM). Required: no public authority is trusted.
    pub ca: Option<PathBuf>,
    /// The client's certificate (PEM), where the server demands one.
    pub cert: Option<PathBuf>,
    /// The key of the certificate (PEM).
    pub key: Option<PathBuf>,
    /// The name in the server's certificate, where it differs from the host of the address.
    pub server_name: Option<String>,
}

/// A certificate, a key or an address is unusable.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {problem}")]
pub struct TlsError {
    /// The file or the address.
    pub what: String,
    /// The problem, in words.
    pub problem: String,
}

impl TlsError {
    pub(crate) fn new(what: impl ToString, problem: impl ToString) -> Self {
        Self { what: what.to_string(), problem: problem.to_string() }
    }

    fn file(path: &Path, problem: impl ToString) -> Self {
        Self::new(path.display(), problem)
    }
}

/// Makes ring the provider of TLS for clients that name none. A provider that was chosen before stays.
pub fn choose_tls_provider() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

impl ServerTls {
    /// Reads the files.
    ///
    /// # Errors
    /// When a file cannot be read, is not PEM, or key and certificate do not belong together.
    pub fn config(&self) -> Result<Arc<rustls::ServerConfig>, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder =
            rustls::ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| TlsError::file(&self.cert, error))?;
        let builder = match &self.client_ca {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates(path)? {
                    roots.add(certificate).map_err(|error| TlsError::file(path, error))?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.map_err(|error| TlsError::file(path, error))?)
            }
        };
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| TlsError::file(&self.key, error))?;
        let config = builder.with_single_cert(certificates(&self.cert)?, key);
        let mut config = config.map_err(|error| TlsError::file(&self.cert, error))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

impl ClientTls {
    /// Reads the files.
    pub(crate) fn config(&self) -> Result<ClientTlsConfig, TlsError> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| TlsError::file(path, error));
        let ca = self
            .ca
            .as_ref()
            .ok_or_else(|| TlsError::new("tls", "name the authority that the server's certificate comes from"))?;
        certificates(ca)?;
        let mut config = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read(ca)?));
        match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => config = config.identity(Identity::from_pem(read(cert)?, read(key)?)),
            (None, None) => {}
            (Some(one), None) | (None, Some(one)) => {
                return Err(TlsError::file(one, "a client certificate needs its key, and a key its certificate"));
            }
        }
        if let Some(name) = &self.server_name {
            config = config.domain_name(name);
        }
        Ok(config)
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let found = read.map_err(|error| TlsError::file(path, error))?;
    if found.is_empty() { Err(TlsError::file(path, "holds no certificate")) } else { Ok(found) }
}
