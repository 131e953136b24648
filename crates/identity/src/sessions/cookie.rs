//! The cookies of a browser's session: scripts cannot read them, pages of others do not send the refresh token, and
//! neither ever leaves the host that set it.

use std::time::Duration;

/// Holds the access token.
pub(crate) const ACCESS: &str = "pavise_session";
/// Holds the refresh token.
pub(crate) const REFRESH: &str = "pavise_refresh";
/// Holds the token of an impersonation, which is used in place of the session's own.
pub(crate) const ACTING: &str = "pavise_acting";
/// All of them.
pub(crate) const ALL: [&str; 3] = [ACCESS, REFRESH, ACTING];

/// The cookie of an access token. Sent when somebody follows a link to us, so that he is signed in there; what changes
/// something is checked by its origin besides.
pub(super) fn access(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(ACCESS, token, lifetime, "Lax", secure)
}

/// The cookie of a refresh token: sent by our own pages only.
pub(super) fn refresh(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(REFRESH, token, lifetime, "Strict", secure)
}

/// The cookie of an impersonation's token.
pub(crate) fn acting(token: &str, lifetime: Duration, secure: bool) -> String {
    cookie(ACTING, token, lifetime, "Lax", secure)
}

/// What makes a browser forget an impersonation.
pub(crate) fn no_acting(secure: bool) -> String {
    acting("", Duration::ZERO, secure)
}

/// What makes a browser forget everything.
pub(super) fn none(secure: bool) -> [String; 3] {
    [access("", Duration::ZERO, secure), refresh("", Duration::ZERO, secure), no_acting(secure)]
}

fn cookie(name: &str, value: &str, lifetime: Duration, same_site: &str, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={}; HttpOnly; SameSite={same_site}{secure}", lifetime.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_for_the_browser_alone() {
        assert_eq!(
            access("t", Duration::from_secs(900), true),
            "pavise_session=t; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            refresh("t", Duration::from_secs(900), false),
            "pavise_refresh=t; Path=/; Max-Age=900; HttpOnly; SameSite=Strict"
        );
        assert!(none(true).iter().all(|cookie| cookie.contains("=; Path=/; Max-Age=0;")));
    }
}
