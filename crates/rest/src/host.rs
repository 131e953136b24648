//! Finds the service of a host name.

use http::request::Parts;

/// The prefixes of a service's name outside production (002 §7).
const ENVIRONMENTS: [&str; 2] = ["dev-", "uat-"];

/// The host and port that a request was sent to, as the client wrote it.
pub(crate) fn authority(parts: &Parts) -> &str {
    crate::browser::authority(&parts.uri, &parts.headers)
}

/// The name below `base` of the service that `authority` names: `Dev-Orders.localhost:8443` → `orders`.
pub(crate) fn service(authority: &str, base: &str) -> Option<String> {
    let host = without_port(authority);
    let split = host.len().checked_sub(base.len())?;
    let (label, tail) = (host.get(..split)?, host.get(split..)?);
    let label = label.strip_suffix('.')?;
    if !tail.eq_ignore_ascii_case(base) || label.is_empty() {
        return None;
    }
    let label = label.to_ascii_lowercase();
    let plain = ENVIRONMENTS.iter().find_map(|environment| label.strip_prefix(environment));
    Some(plain.map_or_else(|| label.clone(), str::to_owned))
}

fn without_port(authority: &str) -> &str {
    if authority.starts_with('[') {
        return authority;
    }
    authority.split_once(':').map_or(authority, |(host, _)| host).trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_label_names_the_service_whatever_the_environment() {
        for host in [
            "identity-merge.localhost",
            "dev-identity-merge.localhost:8080",
            "UAT-Identity-Merge.LOCALHOST",
            "identity-merge.localhost.",
        ] {
            assert_eq!(service(host, "localhost").as_deref(), Some("identity-merge"), "{host}");
        }
        assert_eq!(service("orders.api.example.com", "api.example.com").as_deref(), Some("orders"));
    }

    #[test]
    fn other_hosts_name_none() {
        for host in [
            "localhost",
            "localhost:80",
            "127.0.0.1:8080",
            "[::1]:8080",
            "orders.example.com",
            "orderslocalhost",
            ".localhost",
            "",
        ] {
            assert_eq!(service(host, "localhost"), None, "{host}");
        }
    }
}
