//! The cookies of a browser's session. Scripts cannot read them, and they never leave the host that set them. Other
//! sites' pages do not send the refresh token. Calls see them under these names. Where browsers use TLS, the browser's
//! own names begin with `__Host-`, so that no other host sets them; the port's layer takes that off.

use std::time::Duration;

/// Holds the access token.
pub(crate) const ACCESS: &str = "pavise_session";
/// Holds the refresh token.
pub(crate) const REFRESH: &str = "pavise_refresh";
/// Holds the token of an impersonation, which is used in place of the session's own.
pub(crate) const ACTING: &str = "pavise_acting";
/// All of them.
pub(crate) const ALL: [&str; 3] = [ACCESS, REFRESH, ACTING];

/// The cookie of an access token. It is also sent after a link from another site, so that the caller is signed in
/// there. Calls that write check the origin as well.
pub(crate) fn build_access(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(ACCESS, token, lifetime, "Lax", secure)
}

/// The cookie of a refresh token: sent by our own pages only.
pub(crate) fn build_refresh(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(REFRESH, token, lifetime, "Strict", secure)
}

/// The cookie of an impersonation's token.
pub(crate) fn build_acting(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(ACTING, token, lifetime, "Lax", secure)
}

/// The cookie that ends an impersonation in a browser.
pub(crate) fn no_acting(secure: bool) -> String {
    build_acting("", Duration::ZERO, secure)
}

/// The cookies that sign a browser out.
pub(crate) fn build_none(secure: bool) -> [String; 3] {
    [build_access("", Duration::ZERO, secure), build_refresh("", Duration::ZERO, secure), no_acting(secure)]
}

fn cookie(name: &str, value: &str, lifetime: Duration, same_site: &str, secure: bool) -> String {
    // Browsers refuse the prefix without `Secure`.
    let (prefix, secure) = if secure { ("__Host-", "; Secure") } else { ("", "") };
    format!("{prefix}{name}={value}; Path=/; Max-Age={}; HttpOnly; SameSite={same_site}{secure}", lifetime.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_for_the_browser_alone() {
        assert_eq!(
            build_access("t", Duration::from_secs(900), true),
            "__Host-pavise_session=t; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            build_refresh("t", Duration::from_secs(900), false),
            "pavise_refresh=t; Path=/; Max-Age=900; HttpOnly; SameSite=Strict"
        );
        assert!(build_none(true).iter().all(|cookie| cookie.contains("=; Path=/; Max-Age=0;")));
    }
}
