//! The addresses of sign-in pages, and the addresses that a sign-in may lead back to.
//!
//! Anybody can write the return address of a link. It is followed to the platform's own applications only, and an
//! ambiguous one is not followed.

use std::fmt::Write as _;

use pavise_kernel::{Error, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::contract::v1::{
    ComposeSignInAddressRequest, ErrorReason, LoginRealm, ResolveReturnRequest, ReturnAddress, SignInAddress,
    SignInPage,
};

/// The characters that a value of a query does not escape.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// How often a text is decoded before the check: a careless page may decode it again.
const DECODED: usize = 3;

/// An application that people sign in to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInApplication {
    /// Its name, as addresses carry it.
    pub name: String,
    /// The realm of its users.
    pub realm: LoginRealm,
    /// Its place: a path below the platform's public address (`/app`), or an address of its own
    /// (`https://members.example.com/app`).
    pub place: String,
}

impl SignInApplication {
    /// The applications that come with the platform.
    pub(crate) fn default_applications() -> Vec<Self> {
        let own = |name: &str, realm| Self { name: name.to_owned(), realm, place: format!("/{name}") };
        vec![own("app", LoginRealm::User), own("console", LoginRealm::Internal)]
    }
}

/// The applications with their addresses.
#[derive(Debug, Clone)]
pub(crate) struct Addresses(Vec<KnownApplication>);

#[derive(Debug, Clone)]
struct KnownApplication {
    name: String,
    realm: LoginRealm,
    /// `https://members.example.com:8443`; the port only where it is none that goes without saying.
    origin: String,
    /// `/app`
    base: String,
}

impl Addresses {
    pub(crate) fn new(public_url: &str, applications: &[SignInApplication]) -> Self {
        let known = applications.iter().map(|application| {
            let whole = match application.place.split_once("://") {
                Some(_) => application.place.clone(),
                None => format!("{}{}", split(public_url).0, application.place),
            };
            let (origin, base) = split(&whole);
            KnownApplication { name: application.name.clone(), realm: application.realm, origin, base }
        });
        Self(known.collect())
    }

    pub(crate) fn compose_address(&self, request: &ComposeSignInAddressRequest) -> Result<SignInAddress> {
        let from = self.named(&request.app)?;
        let back = self.back(from, &request.return_to)?;
        let own = if request.sub_type.is_empty() { from.realm } else { realm_of(&request.sub_type) };
        let page = match request.page() {
            SignInPage::Unspecified if own == from.realm => SignInPage::SignIn,
            SignInPage::Unspecified => SignInPage::CrossRealm,
            page => page,
        };
        if page == SignInPage::SignUp && from.realm != LoginRealm::User {
            return Err(Error::field("page", "nobody signs up to this application"));
        }
        let realm = if page == SignInPage::CrossRealm { own } else { from.realm };
        let value = |text: &str| utf8_percent_encode(text, PLAIN).to_string();
        let mut address = format!(
            "{}{}/{}?app={}&realm={}&return={}",
            from.origin,
            from.base,
            page.spelling(),
            value(&from.name),
            realm.spelling(),
            value(back.strip_prefix(&from.origin).unwrap_or(&back))
        );
        if page == SignInPage::CrossRealm {
            // Writing to a text does not fail.
            let _ = write!(address, "&from={}", from.realm.spelling());
        }
        Ok(SignInAddress { address, page: page.into(), realm: realm.into() })
    }

    pub(crate) fn resolve_address(&self, request: &ResolveReturnRequest) -> Result<ReturnAddress> {
        let from = self.named(&request.app)?;
        Ok(ReturnAddress { address: self.back(from, &request.return_to)? })
    }

    fn named(&self, name: &str) -> Result<&KnownApplication> {
        let found = self.0.iter().find(|known| known.name == name);
        found.ok_or_else(|| Error::field("app", "is no application of the platform"))
    }

    /// The whole address that a way back leads to.
    fn back(&self, from: &KnownApplication, given: &str) -> Result<String> {
        if given.is_empty() {
            return Ok(format!("{}{}/", from.origin, from.base));
        }
        let mut places = self.0.iter().filter_map(|known| match given.strip_prefix(&known.origin) {
            // An origin is followed by a path, and by nothing else: not by the rest of a longer host's name.
            Some(path) => Some((known, path)),
            None => (known.origin == from.origin).then_some((known, given)),
        });
        let found = places.find(|(known, path)| is_below(&known.base, path));
        let (known, path) = found.ok_or_else(|| {
            let message = "this address is of no application of the platform";
            Error::new(ErrorReason::ReturnNotAllowed, message).violation("return_to", "leads away from the platform")
        })?;
        Ok(format!("{}{path}", known.origin))
    }
}

/// Whether a path with its query is below an application's, even if it is decoded again.
fn is_below(base: &str, path: &str) -> bool {
    let mut text = path.to_owned();
    for _ in 0..DECODED {
        let place = text.split(['?', '#']).next().unwrap_or_default();
        let below = place.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let walks = place.split('/').skip(1).any(|part| part == "." || part == "..") || place.contains("//");
        if !below || !plain || walks || place.contains(['@', ':', ';']) {
            return false;
        }
        // Only the path is decoded: a query may hold any text.
        let Ok(decoded) = percent_decode_str(place).decode_utf8() else { return false };
        if decoded == place {
            return true;
        }
        text = decoded.into_owned();
    }
    false
}

/// An address's origin and path: without a port that is empty or 443, and without a slash at the end.
fn split(address: &str) -> (String, String) {
    let address = address.trim_end_matches('/');
    let start = address.find("://").map_or(0, |at| at + 3);
    let rest = address.get(start..).unwrap_or_default();
    let end = rest.find('/').map_or(address.len(), |at| start + at);
    let (origin, path) = address.split_at_checked(end).unwrap_or((address, ""));
    let origin = origin.strip_suffix(":443").unwrap_or(origin);
    (origin.strip_suffix(':').unwrap_or(origin).to_owned(), path.to_owned())
}

/// The realm of a sub-type; the group realm when it is none of the known (002 §2).
fn realm_of(sub_type: &str) -> LoginRealm {
    match sub_type.to_ascii_lowercase().as_str() {
        "user" | "member" => LoginRealm::User,
        "internal" => LoginRealm::Internal,
        "partner" => LoginRealm::Partner,
        _ => LoginRealm::GroupAdmin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses() -> Addresses {
        let mut all = SignInApplication::default_applications();
        let partners = "https://partners.example.com:443/portal".to_owned();
        all.push(SignInApplication { name: "portal".into(), realm: LoginRealm::Partner, place: partners });
        Addresses::new("https://pavise.example:8443/", &all)
    }

    fn compose(app: &str, page: SignInPage, back: &str, sub_type: &str) -> String {
        let request = ComposeSignInAddressRequest {
            app: app.into(),
            page: page.into(),
            return_to: back.into(),
            sub_type: sub_type.into(),
        };
        addresses().compose_address(&request).unwrap().address
    }

    fn resolve(app: &str, back: &str) -> Result<String> {
        let request = ResolveReturnRequest { app: app.into(), return_to: back.into() };
        addresses().resolve_address(&request).map(|answer| answer.address)
    }

    #[test]
    fn an_address_carries_the_application_and_the_encoded_way_back() {
        assert_eq!(
            compose("console", SignInPage::SignIn, "/console/orders?status=OPEN&q=a%20b", ""),
            "https://pavise.example:8443/console/sign-in?app=console&realm=internal&return=%2Fconsole%2Forders%3Fstatus%3DOPEN%26q%3Da%2520b"
        );
        assert!(
            compose("app", SignInPage::SignUp, "", "")
                .starts_with("https://pavise.example:8443/app/sign-up?app=app&realm=user&")
        );
        assert!(compose("app", SignInPage::SignOut, "", "").contains("/app/sign-out?"));
        assert!(
            compose("portal", SignInPage::SignIn, "", "").starts_with("https://partners.example.com/portal/sign-in?"),
            "no port 443"
        );
    }

    #[test]
    fn people_sign_up_to_applications_of_members_only() {
        for app in ["console", "portal"] {
            let request =
                ComposeSignInAddressRequest { app: app.into(), page: SignInPage::SignUp.into(), ..Default::default() };
            assert_eq!(addresses().compose_address(&request).unwrap_err().violations()[0].field, "page", "{app}");
        }
    }

    #[test]
    fn a_port_is_said_unless_it_is_empty_or_443() {
        let origin = |address: &str| split(address).0;
        assert_eq!(origin("https://a.example:443/x"), "https://a.example");
        assert_eq!(origin("https://a.example:/x"), "https://a.example");
        assert_eq!(origin("https://a.example"), "https://a.example");
        assert_eq!(origin("http://a.example:80/x"), "http://a.example:80");
        assert_eq!(split("https://a.example:8443/x/y/"), ("https://a.example:8443".into(), "/x/y".into()));
    }

    #[test]
    fn sign_in_of_another_realm_leads_across() {
        for (sub_type, realm) in
            [("member", "user"), ("Partner", "partner"), ("groupAdmin", "groupAdmin"), ("??", "groupAdmin")]
        {
            let address = compose("console", SignInPage::Unspecified, "", sub_type);
            assert!(address.contains(&format!("/console/cross-realm?app=console&realm={realm}&")), "{address}");
            assert!(address.ends_with("&from=internal"), "{address}");
        }
        for sub_type in ["", "Internal"] {
            let address = compose("console", SignInPage::Unspecified, "", sub_type);
            assert!(address.contains("/console/sign-in?") && !address.contains("from="), "{address}");
        }
    }

    #[test]
    fn the_way_back_leads_to_applications_of_the_platform() {
        let good = [
            ("", "https://pavise.example:8443/app/"),
            ("/app", "https://pavise.example:8443/app"),
            ("/app/orders?x=1&y=%2F%2Fevil#top", "https://pavise.example:8443/app/orders?x=1&y=%2F%2Fevil#top"),
            ("/app/caf%C3%A9", ""),
            ("/console/orders", "https://pavise.example:8443/console/orders"),
            ("https://pavise.example:8443/app/orders", "https://pavise.example:8443/app/orders"),
            ("https://partners.example.com/portal/x", "https://partners.example.com/portal/x"),
        ];
        for (given, leads) in good.into_iter().filter(|(_, leads)| !leads.is_empty()) {
            assert_eq!(resolve("app", given).unwrap(), leads);
        }
    }

    #[test]
    fn no_link_leads_away_from_the_platform() {
        let bad = [
            "//evil.example",
            "//evil.example/app/",
            "///evil.example/app",
            "/\\evil.example",
            "\\\\evil.example",
            "/app/\\evil.example",
            "https:evil.example",
            "https:/evil.example",
            "https://evil.example",
            "https://evil.example/app/",
            "http://pavise.example:8443/app/",
            "https://pavise.example/app/",
            "https://pavise.example:8443",
            "https://pavise.example:8443.evil.example/app/",
            "https://pavise.example:8443@evil.example/app/",
            "https://user:word@pavise.example:8443/app/",
            "https://pavise.example:8443\\@evil.example/app/",
            "HTTPS://EVIL.EXAMPLE/app/",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)//app/",
            "data:text/html,<script>",
            "/app/%2f%2fevil.example",
            "/%2fevil.example",
            "/app/%5cevil.example",
            "/app/%255c%255cevil.example",
            "/app/..//evil.example",
            "/app/../../evil",
            "/app/%2e%2e/console",
            "/app/%252e%252e/%252e%252e/",
            "/app/\r\nlocation: https://evil.example",
            "/app/%0d%0alocation:%20https://evil.example",
            "/app/\u{0}",
            "/app/ x",
            "\t/app/",
            " /app/",
            "/app\u{3000}/",
            "/application",
            "/admin",
            "app/orders",
            "?x=1",
            "#x",
            "/app/@evil.example",
            "/app/;@evil.example",
            "https://partners.example.com/app/",
            "https://partners.example.com.evil.example/portal/",
            "/app/%ff%fe",
            "/app/%25252525%2f%2f",
        ];
        for given in bad {
            let refused = resolve("app", given).unwrap_err();
            assert!(refused.is(ErrorReason::ReturnNotAllowed), "{given}");
            assert!(!refused.message().contains("evil"), "what was asked for is not shown to whoever is led astray");
        }
        assert!(resolve("unknown", "/app/").is_err());
    }
}
