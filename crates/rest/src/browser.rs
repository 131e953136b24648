//! A browser's cookies serve as the token where none is sent, for the platform's own pages.
//!
//! A browser sends cookies with the requests of any page, and names the origin of that page. A cookie therefore permits
//! a write only for pages of the same origin or of a configured one. No foreign page signs a browser in or out.
//!
//! Where browsers use TLS, the names begin with `__Host-`: no page of another host, and no answer without TLS, can set
//! such a cookie. Services get the cookies under their plain names and in a header of their own, which no page can send.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request};
use axum::middleware::Next;
use http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, REFERER};
use http::{HeaderMap, HeaderName, HeaderValue, Response, Uri};
use pavise_contract::Contract;
use pavise_kernel::call::COOKIES;
use pavise_kernel::security::{SecurityEvents, SecurityNote};
use pavise_kernel::{Common, Error, Result, trace_context};

use crate::options::Options;
use crate::rule::Rule;

/// The addresses on the way of a request.
pub(crate) const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The cookie that holds the access token of a browser.
const SESSION: &str = "pavise_session";
/// The cookie with the token of an impersonation, used in place of the other.
const ACTING: &str = "pavise_acting";
/// The cookie with the refresh token.
const REFRESH: &str = "pavise_refresh";
/// The beginning of the names where browsers use TLS.
const HOST_ONLY: &str = "__Host-";

/// The server as browsers see it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// The origins of pages, besides the server's own, that may call.
    pub(crate) allowed: Vec<String>,
    /// Browsers send the session's cookies over TLS only.
    pub(crate) secure_cookies: bool,
    /// The server's own pages are at https.
    pub(crate) https: bool,
    /// The security events of the process.
    pub(crate) security: Arc<SecurityEvents>,
}

impl Site {
    pub(crate) fn of(options: &Options) -> Self {
        let Options { secure_cookies, https, .. } = *options;
        Self { allowed: options.allowed_origins.clone(), secure_cookies, https, security: options.security.clone() }
    }

    /// Notes a refusal that no service sees: that of a page of another site.
    pub(crate) fn note(&self, error: &Error, service: &str, rpc: &str, headers: &HeaderMap, peer: Option<SocketAddr>) {
        let forwarded = headers.get_all(FORWARDED).iter().next_back().and_then(|value| value.to_str().ok());
        let address = match forwarded.and_then(|line| line.rsplit(',').next()) {
            Some(last) => last.trim().to_owned(),
            None => peer.map(|peer| peer.ip().to_string()).unwrap_or_default(),
        };
        let trace_id = trace_context::named_by(headers).unwrap_or_default();
        let (reason, address) = (error.reason(), address.as_str());
        self.security.note_event(
            error.event(),
            &SecurityNote { reason, address, service, rpc, trace_id, ..SecurityNote::default() },
        );
    }

    /// Whether pages of this origin may call a server that was called as `authority`.
    fn admits(&self, origin: &str, authority: &str) -> bool {
        let Some((scheme, host)) = origin.split_once("://") else { return false };
        let own = if self.https { "https" } else { "http" };
        let is_own = scheme.eq_ignore_ascii_case(own)
            && without_default_port(host, own).eq_ignore_ascii_case(without_default_port(authority, own));
        is_own || self.allowed.iter().any(|one| one.eq_ignore_ascii_case(origin))
    }
}

/// `app.example.com:443` → `app.example.com`, for https. Browsers leave the port of the scheme out of an origin.
fn without_default_port<'a>(authority: &'a str, scheme: &str) -> &'a str {
    let port = if scheme == "https" { ":443" } else { ":80" };
    authority.strip_suffix(port).unwrap_or(authority)
}

/// The session's cookies of a request.
#[derive(Debug, Default)]
struct Jar<'a> {
    session: Option<&'a str>,
    acting: Option<&'a str>,
    refresh: Option<&'a str>,
}

impl<'a> Jar<'a> {
    /// Reads every `Cookie` header; HTTP/2 may send one for each cookie.
    ///
    /// # Errors
    /// `INVALID_METADATA` where a cookie comes more than once: nobody knows which of the two is the session's.
    fn read(headers: &'a HeaderMap, secure: bool) -> Result<Self> {
        let mut jar = Self::default();
        let pairs = headers.get_all(COOKIE).iter().flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
        for pair in pairs {
            let pair = pair.trim_ascii();
            let (name, value) = pair.split_at(pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len()));
            let Ok(name) = std::str::from_utf8(name.trim_ascii()) else { continue };
            let plain = if secure { name.strip_prefix(HOST_ONLY) } else { Some(name) };
            let place = match plain {
                Some(SESSION) => &mut jar.session,
                Some(ACTING) => &mut jar.acting,
                Some(REFRESH) => &mut jar.refresh,
                _ => continue,
            };
            let value = std::str::from_utf8(value.strip_prefix(b"=").unwrap_or_default()).map_err(|_| no_token())?;
            if place.replace(value.trim()).is_some() {
                let message = format!("the cookie {name} is there more than once");
                return Err(Error::new(Common::InvalidMetadata, message).with("header", "cookie"));
            }
        }
        for place in [&mut jar.session, &mut jar.acting, &mut jar.refresh] {
            *place = place.filter(|value| !value.is_empty());
        }
        Ok(jar)
    }

    /// The cookies under their plain names, for calls about sessions.
    fn plain(&self) -> Option<String> {
        let all = [(SESSION, self.session), (ACTING, self.acting), (REFRESH, self.refresh)];
        let seen: Vec<String> =
            all.iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}"))).collect();
        (!seen.is_empty()).then(|| seen.join("; "))
    }
}

/// The address of a request, and the page that sent it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent<'a> {
    pub(crate) headers: &'a HeaderMap,
    /// The host and port that the client wrote.
    pub(crate) authority: &'a str,
    /// The server as browsers see it.
    pub(crate) site: &'a Site,
}

impl Sent<'_> {
    /// Copies the cookies that a call may see into its metadata.
    ///
    /// # Errors
    /// `ORIGIN_NOT_ALLOWED`, `INVALID_METADATA`.
    pub(crate) fn admit(&self, rule: Rule, out: &mut HeaderMap) -> Result<()> {
        let jar = Jar::read(self.headers, self.site.secure_cookies)?;
        if !rule.open
            && !out.contains_key(AUTHORIZATION)
            && let Some(token) = jar.acting.or(jar.session)
        {
            if rule.writes {
                self.check_origin()?;
            }
            out.insert(AUTHORIZATION, private(format!("Bearer {token}"))?);
        }
        if rule.session && rule.writes {
            let seen = jar.plain();
            if seen.is_some() || self.headers.contains_key(ORIGIN) {
                self.check_origin()?;
            }
            if let Some(seen) = seen {
                out.insert(COOKIES, private(seen)?);
            }
        }
        Ok(())
    }

    fn check_origin(&self) -> Result<()> {
        let origin = match self.headers.contains_key(ORIGIN) {
            true => only(self.headers, &ORIGIN),
            false => only(self.headers, &REFERER).and_then(origin_of),
        };
        if origin.is_some_and(|origin| self.site.admits(origin, self.authority)) {
            return Ok(());
        }
        let message =
            "with a session cookie, this call can be made from the platform's own pages only; send a token instead";
        Err(Error::new(Common::OriginNotAllowed, message))
    }
}

/// The value of a header that comes once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().filter(|_| all.next().is_none());
    first.and_then(|value| value.to_str().ok())
}

fn no_token() -> Error {
    Error::new(Common::InvalidMetadata, "cookie holds no token").with("header", "cookie")
}

fn private(text: String) -> Result<HeaderValue> {
    let mut value = HeaderValue::try_from(text).map_err(|_| no_token())?;
    value.set_sensitive(true);
    Ok(value)
}

/// `https://app.example.com/x?y` → `https://app.example.com`.
fn origin_of(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    address.get(..scheme.len() + 3 + end)
}

/// The same for gRPC and gRPC-web: a layer around the services' own routes.
#[derive(Debug, Clone)]
pub struct Cookies(Arc<Calls>);

#[derive(Debug)]
struct Calls {
    rules: HashMap<String, (String, Rule)>,
    site: Site,
}

impl Cookies {
    /// For the calls of a contract, with the settings of the facade.
    #[must_use]
    pub fn new(contract: &Contract, options: &Options) -> Self {
        let rules = contract.methods().map(|(service, method)| {
            let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
            (path, (service.name.clone(), Rule::of(method)))
        });
        Self(Arc::new(Calls { rules: rules.collect(), site: Site::of(options) }))
    }

    /// Admits a call, for `axum::middleware::from_fn`.
    pub async fn admit(self, mut request: Request, next: Next) -> Response<axum::body::Body> {
        if !request.headers().contains_key(COOKIE) && !request.headers().contains_key(ORIGIN) {
            return next.run(request).await;
        }
        if let Some((service, rule)) = self.0.rules.get(request.uri().path()) {
            let mut out = HeaderMap::new();
            if let Some(value) = request.headers().get(AUTHORIZATION) {
                out.insert(AUTHORIZATION, value.clone());
            }
            let authority = authority(request.uri(), request.headers()).to_owned();
            let sent = Sent { headers: request.headers(), authority: &authority, site: &self.0.site };
            if let Err(error) = sent.admit(*rule, &mut out) {
                let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
                let rpc = request.uri().path().rsplit('/').next().unwrap_or_default();
                self.0.site.note(&error, service, rpc, request.headers(), peer);
                return error.into_status(service, "").into_http();
            }
            request.headers_mut().remove(COOKIE);
            request.headers_mut().extend(out);
        }
        next.run(request).await
    }
}

/// The host and port that a request was sent to, as the client wrote it.
pub(crate) fn authority<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> &'r str {
    match uri.authority() {
        Some(authority) => authority.as_str(),
        None => headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: Rule = Rule { writes: true, open: false, session: false };
    const READ: Rule = Rule { writes: false, open: false, session: false };
    const OPEN: Rule = Rule { writes: true, open: true, session: false };
    /// A sign-in, a refresh, a sign-out.
    const SIGN: Rule = Rule { writes: true, open: true, session: true };

    fn admit(headers: &[(&'static str, &str)], rule: Rule) -> Result<HeaderMap> {
        let mut sent = HeaderMap::new();
        let mut out = HeaderMap::new();
        for (name, value) in headers {
            sent.append(*name, value.parse().unwrap());
            if *name == "authorization" {
                out.insert(AUTHORIZATION, value.parse().unwrap());
            }
        }
        let site = Site { allowed: vec!["https://app.example.com".to_owned()], ..Site::default() };
        Sent { headers: &sent, authority: "orders.localhost:8080", site: &site }.admit(rule, &mut out)?;
        Ok(out)
    }

    #[test]
    fn the_session_cookie_is_a_token_where_none_is_sent() {
        let cookie = ("cookie", "a=b; pavise_session=t1; c=d");
        assert_eq!(admit(&[cookie], READ).unwrap()["authorization"], "Bearer t1");
        assert_eq!(admit(&[cookie, ("authorization", "Bearer t2")], WRITE).unwrap()["authorization"], "Bearer t2");
        assert!(!admit(&[cookie], OPEN).unwrap().contains_key("authorization"));
        let acting = ("cookie", "pavise_session=t1; pavise_acting=t3");
        assert_eq!(admit(&[acting], READ).unwrap()["authorization"], "Bearer t3", "an impersonation is used first");
        assert!(!admit(&[acting], READ).unwrap().contains_key("cookie"), "services see no cookies");
    }

    #[test]
    fn a_cookie_changes_nothing_for_the_pages_of_others() {
        for cookie in ["pavise_session=t1", "pavise_acting=t1"] {
            let with = |extra: (&'static str, &str)| admit(&[("cookie", cookie), extra], WRITE);
            assert!(with(("origin", "http://orders.localhost:8080")).is_ok());
            assert!(with(("origin", "https://app.example.com")).is_ok());
            assert!(with(("referer", "https://app.example.com/cart?x=1")).is_ok());
            for bad in [
                ("origin", "https://evil.example"),
                ("origin", "null"),
                ("origin", "http://orders.localhost:8081"),
                ("origin", "https://orders.localhost:8080"),
                ("referer", "https://orders.localhost:8080/cart"),
                ("origin", "http://orders.localhost:8080.evil.example"),
                ("referer", "https://evil.example/app.example.com"),
                ("accept", "*/*"),
            ] {
                assert!(with(bad).unwrap_err().is(Common::OriginNotAllowed), "{bad:?}");
            }
        }
        let read = admit(&[("cookie", "pavise_session=t1"), ("origin", "https://evil.example")], READ);
        assert!(read.is_ok(), "reads are for CORS to guard");
        let twice = [
            ("cookie", "pavise_session=t1"),
            ("origin", "https://app.example.com"),
            ("origin", "https://app.example.com"),
        ];
        assert!(admit(&twice, WRITE).unwrap_err().is(Common::OriginNotAllowed), "two headers name no page");
        let lies = [
            ("cookie", "pavise_session=t1"),
            ("origin", "https://evil.example"),
            ("referer", "https://app.example.com/"),
        ];
        assert!(admit(&lies, WRITE).unwrap_err().is(Common::OriginNotAllowed), "the origin counts, not the referrer");
    }

    #[test]
    fn calls_about_sessions_see_the_cookies_and_are_for_our_own_pages() {
        let cookies = ("cookie", "pavise_refresh=r; other=x; pavise_session=t1");
        let own = ("origin", "http://orders.localhost:8080");
        assert_eq!(admit(&[cookies, own], SIGN).unwrap()["pavise-cookies"], "pavise_session=t1; pavise_refresh=r");
        assert!(admit(&[cookies], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        assert!(admit(&[cookies, ("origin", "https://evil.example")], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        // A foreign page cannot sign a browser in as another identity either.
        assert!(admit(&[("origin", "https://evil.example")], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        assert!(admit(&[], SIGN).unwrap().is_empty(), "programs send no origin");
    }
}
