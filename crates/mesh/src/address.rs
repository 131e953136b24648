//! Finds the address of the caller: the connected address, or the one that a trusted proxy names.
//!
//! Proxies add addresses to `x-forwarded-for`, and any caller may invent some. Behind this layer the header holds one
//! address, on which rate limits by address can rely.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::ConnectInfo;
use http::{HeaderMap, HeaderName, HeaderValue, Request};
use tower::{Layer, Service};

const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A range of addresses: `10.0.0.0/8`, `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: u128,
    bits: u32,
}

/// The text is no range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write it as an address, or as a range: 10.0.0.0/8")]
pub struct NotANetwork;

impl Network {
    /// Whether the range contains an address.
    #[must_use]
    pub fn holds(&self, address: IpAddr) -> bool {
        let host_bits = 128 - self.bits;
        let cut = |address: u128| address.checked_shr(host_bits).unwrap_or(0);
        cut(number(address)) == cut(self.first)
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| NotANetwork)?;
        let size = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(size), |bits| bits.parse().map_err(|_| NotANetwork))?;
        if bits > size {
            return Err(NotANetwork);
        }
        Ok(Self { first: number(address), bits: bits + 128 - size })
    }
}

/// All addresses are numbers of IPv6: the system maps those of IPv4 there.
fn number(address: IpAddr) -> u128 {
    let address = match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    Ipv6Addr::to_bits(address)
}

/// Writes the caller's address into `x-forwarded-for`, and nothing else.
#[derive(Debug, Clone)]
pub struct AddressLayer {
    trusted: Arc<[Network]>,
}

impl AddressLayer {
    /// Requests from these networks name their caller; of all other requests the connected address is the caller's.
    #[must_use]
    pub fn new(trusted: impl Into<Arc<[Network]>>) -> Self {
        Self { trusted: trusted.into() }
    }
}

impl<S> Layer<S> for AddressLayer {
    type Service = Addressed<S>;

    fn layer(&self, inner: S) -> Addressed<S> {
        Addressed { inner, trusted: Arc::clone(&self.trusted) }
    }
}

/// A service whose requests carry the caller's address.
#[derive(Debug, Clone)]
pub struct Addressed<S> {
    inner: S,
    trusted: Arc<[Network]>,
}

impl<S, B> Service<Request<B>> for Addressed<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        if let Some(connected) = connected {
            let address = of(connected, request.headers(), &self.trusted).to_canonical();
            if let Ok(value) = HeaderValue::try_from(address.to_string()) {
                request.headers_mut().insert(FORWARDED, value);
            }
        }
        self.inner.call(request)
    }
}

/// The nearest address that is not a trusted proxy's. Each proxy appends the address that called it.
fn of(connected: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_proxy = |address: IpAddr| trusted.iter().any(|network| network.holds(address));
    let lines: Vec<&str> = headers.get_all(&FORWARDED).iter().filter_map(|value| value.to_str().ok()).collect();
    let mut address = connected;
    for named in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let Ok(named) = named.trim().parse() else { break };
        if !is_proxy(address) {
            break;
        }
        address = named;
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(connected: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append(FORWARDED, line.parse().unwrap());
        }
        let trusted: Vec<Network> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        of(connected.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn what_a_stranger_says_of_himself_is_not_believed() {
        assert_eq!(address("203.0.113.9", &["198.51.100.1"], &["127.0.0.1"]), "203.0.113.9");
        assert_eq!(address("203.0.113.9", &[], &[]), "203.0.113.9");
    }

    #[test]
    fn behind_proxies_the_nearest_stranger_counts() {
        let trusted = &["127.0.0.1", "10.0.0.0/8"];
        assert_eq!(address("127.0.0.1", &["203.0.113.9"], trusted), "203.0.113.9");
        assert_eq!(address("127.0.0.1", &["1.1.1.1, 203.0.113.9, 10.1.2.3"], trusted), "203.0.113.9");
        assert_eq!(address("127.0.0.1", &["1.1.1.1, 203.0.113.9", "10.1.2.3"], trusted), "203.0.113.9");
        assert_eq!(address("127.0.0.1", &["10.1.2.3"], trusted), "10.1.2.3", "a machine of our own");
        assert_eq!(address("127.0.0.1", &["nonsense, 10.1.2.3"], trusted), "10.1.2.3");
        assert_eq!(address("127.0.0.1", &[], trusted), "127.0.0.1");
    }

    #[test]
    fn networks_hold_what_lies_in_them() {
        let holds = |network: &str, address: &str| network.parse::<Network>().unwrap().holds(address.parse().unwrap());
        assert!(holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("10.0.0.0/8", "::ffff:10.1.1.1"));
        assert!(holds("0.0.0.0/0", "203.0.113.9") && !holds("0.0.0.0/0", "2001:db8::1"));
        assert!(holds("::/0", "203.0.113.9") && holds("2001:db8::/32", "2001:db8:5::1"));
        assert!(holds("::1", "::1") && !holds("::1", "::2"));
        for wrong in ["", "10.0.0.0/33", "10.0.0.0/-1", "localhost", "10.0.0.0/8/8", "::/129"] {
            assert_eq!(wrong.parse::<Network>(), Err(NotANetwork), "{wrong}");
        }
    }
}
