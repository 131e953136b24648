//! The hosts that a printed page may be of, and may load from.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use url::{Host, Url};

/// A list of hosts. All others are refused.
#[derive(Debug, Clone, Default)]
pub struct AllowedHosts(Arc<Vec<AllowedHost>>);

/// An admitted host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedHost {
    scheme: &'static str,
    host: String,
    port: u16,
    /// It is the platform itself, which may have a private address.
    pub(crate) is_own: bool,
}

impl AllowedHosts {
    /// The same with the platform's own site. An address that cannot be read adds nothing.
    #[must_use]
    pub fn with_site(self, address: &str) -> Self {
        let Ok(url) = Url::parse(address) else { return self };
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return self };
        let scheme = match url.scheme() {
            "https" => "https",
            "http" => "http",
            _ => return self,
        };
        self.with(AllowedHost { scheme, host: host.to_ascii_lowercase(), port, is_own: true })
    }

    /// The same with another host, which is asked by TLS: `forms.example`, or `forms.example:8443`. An address is no name.
    #[must_use]
    pub fn with_host(self, name: &str) -> Self {
        let Ok(url) = Url::parse(&format!("https://{}/", name.trim())) else { return self };
        let (Some(Host::Domain(host)), Some(port)) = (url.host(), url.port_or_known_default()) else { return self };
        let host = host.to_ascii_lowercase();
        self.with(AllowedHost { scheme: "https", host, port, is_own: false })
    }

    fn with(self, host: AllowedHost) -> Self {
        let mut hosts = Arc::unwrap_or_clone(self.0);
        hosts.push(host);
        Self(Arc::new(hosts))
    }

    /// Whether a page at that address may be printed.
    #[must_use]
    pub fn admits(&self, url: &Url) -> bool {
        let has_user = !url.username().is_empty() || url.password().is_some();
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
        !has_user && self.find(url.scheme(), host, port).is_some()
    }

    /// The host of a request.
    pub(crate) fn find(&self, scheme: &str, host: &str, port: u16) -> Option<&AllowedHost> {
        self.0
            .iter()
            .find(|known| known.scheme == scheme && known.port == port && known.host.eq_ignore_ascii_case(host))
    }
}

/// Whether an address is one of the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_public_v4(address),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || first == 0
        || first >= 240
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 192 && second == 88 && third == 99)
        || (first == 198 && (second == 18 || second == 19));
    !is_special
}

/// Of the unicast addresses 2000::/3, those that hold no other address and are for no documents.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = first & 0xe000 == 0x2000;
    let holds_another = first == 0x2002 || (first == 0x2001 && second < 0x0200);
    let is_for_documents = (first == 0x2001 && second == 0x0db8) || (first == 0x3fff && second < 0x1000);
    is_global && !holds_another && !is_for_documents
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses by which people try to reach what only a server can reach.
    const FORBIDDEN: [&str; 30] = [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://0.0.0.0/",
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "file:///etc/passwd",
        "ftp://forms.example/x",
        "gopher://forms.example/x",
        "data:text/html,<p>x",
        "javascript:alert(1)",
        "chrome://settings/",
        "about:blank",
        "https://forms.example@evil.example/",
        "https://user:secret@forms.example/",
        "https://forms.example.evil.example/",
        "https://evil.example/#forms.example",
        "https://forms.example:22/",
        "http://forms.example/",
    ];

    #[test]
    fn only_the_listed_hosts_are_admitted() {
        let hosts = AllowedHosts::default().with_site("https://pavise.example").with_host("forms.example");
        for admitted in ["https://forms.example/a?b#c", "https://FORMS.example:443/", "https://pavise.example/app/"] {
            assert!(hosts.admits(&Url::parse(admitted).unwrap()), "{admitted}");
        }
        for forbidden in FORBIDDEN {
            assert!(Url::parse(forbidden).is_ok_and(|url| !hosts.admits(&url)), "{forbidden}");
        }
        let none = AllowedHosts::default().with_host("10.0.0.1").with_host("").with_site("file:///");
        assert!(!none.admits(&Url::parse("https://10.0.0.1/").unwrap()));
    }

    #[test]
    fn addresses_that_only_a_server_reaches_are_not_public() {
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.31.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::7f00:1",
            "64:ff9b::a00:1",
            "fc00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2002:a00:1::1",
            "3fff::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
