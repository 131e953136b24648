//! A browser's cookies serve as the token where none is sent, for the platform's own pages.
//!
//! A browser sends cookies with the requests of any page, and names the origin of that page. A cookie therefore permits
//! a write only for pages of the same origin or of a configured one. No foreign page signs a browser in or out.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, REFERER};
use http::{HeaderMap, HeaderValue, Response, Uri};
use pavise_contract::{Contract, Method};
use pavise_kernel::{Common, Error, Result};

/// The cookie that holds the access token of a browser.
const SESSION: &str = "pavise_session";
/// The cookie with the token of an impersonation, used in place of the other.
const ACTING: &str = "pavise_acting";
/// All cookies that calls about sessions may see.
const ALL: [&str; 3] = [SESSION, ACTING, "pavise_refresh"];

/// The use that a call makes of cookies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    /// The call may write.
    pub(crate) writes: bool,
    /// The call needs no token: an old cookie does not block it.
    pub(crate) open: bool,
    /// The call is about a browser's session itself: it sees the cookies and may set them.
    pub(crate) session: bool,
}

impl Rule {
    pub(crate) fn of(method: &Method) -> Self {
        let input = method.descriptor.input();
        Self {
            writes: !method.reads(),
            open: method.access.public && method.access.realms.is_empty(),
            session: input.get_field_by_name("refresh_token").is_some() || input.get_field_by_name("cookie").is_some(),
        }
    }
}

/// The address of a request, and the page that sent it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent<'a> {
    pub(crate) headers: &'a HeaderMap,
    /// The host and port that the client wrote.
    pub(crate) authority: &'a str,
    /// The origins of pages, besides the server's own, that may call.
    pub(crate) allowed: &'a [String],
}

impl Sent<'_> {
    /// Copies the cookies that a call may see into its metadata.
    ///
    /// # Errors
    /// `ORIGIN_NOT_ALLOWED`, `INVALID_METADATA`.
    pub(crate) fn admit(&self, rule: Rule, out: &mut HeaderMap) -> Result<()> {
        let token = self.cookie(ACTING).or_else(|| self.cookie(SESSION));
        if !rule.open
            && !out.contains_key(AUTHORIZATION)
            && let Some(token) = token
        {
            if rule.writes {
                self.check_origin()?;
            }
            out.insert(AUTHORIZATION, private(format!("Bearer {token}"))?);
        }
        if rule.session && rule.writes {
            let seen: Vec<String> =
                ALL.iter().filter_map(|name| self.cookie(name).map(|value| format!("{name}={value}"))).collect();
            if !seen.is_empty() || self.headers.contains_key(ORIGIN) {
                self.check_origin()?;
            }
            if !seen.is_empty() {
                out.insert(COOKIE, private(seen.join("; "))?);
            }
        }
        Ok(())
    }

    fn cookie(&self, name: &str) -> Option<&str> {
        let lines = self.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find_map(|(known, value)| (known == name && !value.is_empty()).then_some(value))
    }

    fn check_origin(&self) -> Result<()> {
        let text = |name| self.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let origin = match self.headers.get(ORIGIN) {
            Some(origin) => origin.to_str().ok(),
            None => text(REFERER).and_then(origin_of),
        };
        let same = |origin: &str| {
            origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(self.authority))
                || self.allowed.iter().any(|one| one.eq_ignore_ascii_case(origin))
        };
        if origin.is_some_and(same) {
            return Ok(());
        }
        let message =
            "with a session cookie, this call can be made from the platform's own pages only; send a token instead";
        Err(Error::new(Common::OriginNotAllowed, message))
    }
}

fn private(text: String) -> Result<HeaderValue> {
    let mut value = HeaderValue::try_from(text)
        .map_err(|_| Error::new(Common::InvalidMetadata, "cookie holds no token").with("header", "cookie"))?;
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
    allowed: Vec<String>,
}

impl Cookies {
    /// For the calls of a contract; pages of `allowed` origins may use them besides the server's own.
    #[must_use]
    pub fn new(contract: &Contract, allowed: &[String]) -> Self {
        let rules = contract.methods().map(|(service, method)| {
            let path = format!("/{}/{}", service.descriptor.full_name(), method.descriptor.name());
            (path, (service.name.clone(), Rule::of(method)))
        });
        Self(Arc::new(Calls { rules: rules.collect(), allowed: allowed.to_vec() }))
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
            let sent = Sent { headers: request.headers(), authority: &authority, allowed: &self.0.allowed };
            if let Err(error) = sent.admit(*rule, &mut out) {
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
        let allowed = ["https://app.example.com".to_owned()];
        Sent { headers: &sent, authority: "orders.localhost:8080", allowed: &allowed }.admit(rule, &mut out)?;
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
                ("origin", "http://orders.localhost:8080.evil.example"),
                ("referer", "https://evil.example/app.example.com"),
                ("accept", "*/*"),
            ] {
                assert!(with(bad).unwrap_err().is(Common::OriginNotAllowed), "{bad:?}");
            }
        }
        let read = admit(&[("cookie", "pavise_session=t1"), ("origin", "https://evil.example")], READ);
        assert!(read.is_ok(), "reads are for CORS to guard");
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
        assert_eq!(admit(&[cookies, own], SIGN).unwrap()["cookie"], "pavise_session=t1; pavise_refresh=r");
        assert!(admit(&[cookies], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        assert!(admit(&[cookies, ("origin", "https://evil.example")], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        // A foreign page cannot sign a browser in as another identity either.
        assert!(admit(&[("origin", "https://evil.example")], SIGN).unwrap_err().is(Common::OriginNotAllowed));
        assert!(admit(&[], SIGN).unwrap().is_empty(), "programs send no origin");
    }
}
