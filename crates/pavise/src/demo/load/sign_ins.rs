//! A sign-in per realm. The passwords follow from the secret that seals the token keys: they are printed at each start
//! and stored nowhere but as hashes.

use anyhow::Context as _;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::{
    ApplicationPermissions, CreateIdentityRequest, IdentityRealm, ListIdentitiesRequest, SetPasswordRequest,
};
use pavise_kernel::call::hex;
use pavise_kernel::caller::APPLICATION;
use pavise_kernel::store::Cursor;
use pavise_kernel::worker::Work;
use sha2::{Digest as _, Sha256};

use super::lease::Lease;
use crate::app::App;
use crate::engine;
use crate::settings::Settings;

/// Under which name is kept which secret the passwords were made of.
const NAME: &str = "demo.sign_ins";
/// What a password is written with: nothing that is mistaken for something else.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// What a partner of the demonstration may do.
const PARTNER: [&str; 4] = ["catalog.offers.read", "catalog.products.read", "identity.identities.read", "identity.tokens.read"];

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    /// The realm, as documented.
    pub realm: &'static str,
    /// The e-mail address, or the username of a machine.
    pub name: &'static str,
    /// The password.
    pub password: String,
}

/// The sign-ins that `load` makes with these settings.
///
/// # Errors
/// When the secret cannot be read.
pub fn sign_ins(settings: &Settings) -> anyhow::Result<Vec<SignIn>> {
    let secret = secret(settings)?;
    let all = [
        (IdentityRealm::User, "member@demo.pavise.example"),
        (IdentityRealm::Internal, "staff@demo.pavise.example"),
        (IdentityRealm::Partner, "partner@demo.pavise.example"),
        (IdentityRealm::GroupAdmin, "admin@demo.pavise.example"),
        (IdentityRealm::Machine, "demo-machine"),
    ];
    Ok(all.map(|(realm, name)| SignIn { realm: realm.spelling(), name, password: password(&secret, name) }).to_vec())
}

/// What seals the token keys: as set, or kept beside an SQLite database.
fn secret(settings: &Settings) -> anyhow::Result<String> {
    if let Some(secret) = &settings.key_secret {
        return Ok(secret.clone());
    }
    let file = engine::sqlite_file(&settings.database).context("the sign-ins need --key-secret")?.with_extension("key");
    std::fs::read_to_string(&file).with_context(|| format!("the key file {} cannot be read", file.display()))
}

/// Sixteen letters, 80 bits, in groups of four.
fn password(secret: &str, name: &str) -> String {
    let digest = Sha256::digest(format!("pavise demonstration\npassword\n{secret}\n{name}"));
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied().map_or('x', char::from);
    let letters: Vec<char> = digest.iter().take(16).map(letter).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Makes them.
pub(super) async fn enroll(work: &Work, settings: &Settings) -> anyhow::Result<()> {
    let made = sign_ins(settings)?.into_iter().map(|sign_in| {
        let realm = IdentityRealm::from_spelling(sign_in.realm).unwrap_or_default();
        let may = |permissions: &[&str]| ApplicationPermissions {
            application: APPLICATION.to_owned(),
            permissions: permissions.iter().map(|one| (*one).to_owned()).collect(),
        };
        let (names, machine) = (vec![sign_in.name.to_owned()], realm == IdentityRealm::Machine);
        let request = CreateIdentityRequest {
            realm: realm.into(),
            emails: if machine { Vec::new() } else { names.clone() },
            usernames: if machine { names } else { Vec::new() },
            password: sign_in.password,
            permissions: match realm {
                IdentityRealm::Internal | IdentityRealm::Machine => vec![may(&["*"])],
                IdentityRealm::Partner => vec![may(&PARTNER)],
                _ => Vec::new(),
            },
            group_ids: if realm == IdentityRealm::GroupAdmin { vec![pavise_catalog::demo::GROUP.to_owned()] } else { Vec::new() },
            ..CreateIdentityRequest::default()
        };
        async move { pavise_identity::enroll(work, request).await }
    });
    futures::future::try_join_all(made).await?;
    Ok(())
}

/// Sets the passwords anew when the secret has changed since they were made.
pub(super) async fn keep(app: &App, settings: &Settings) -> anyhow::Result<()> {
    let mark = hex(&Sha256::digest(format!("pavise demonstration\nmark\n{}", secret(settings)?)));
    let mark = mark.get(..16).unwrap_or_default().to_owned();
    let (kernel, kept) = (&app.kernel, app.kernel.store().cursor(NAME).await?.epoch);
    if kept == mark {
        return Ok(());
    }
    if !kept.is_empty() {
        let work = Work::new(kernel, "demo", format!("passwords {mark} {}", kernel.clock().now()), "demo-data");
        let mut identities = IdentityServiceClient::new(work.peer("identity"));
        for sign_in in sign_ins(settings)? {
            let machine = sign_in.realm == IdentityRealm::Machine.spelling();
            let name = sign_in.name.to_owned();
            let (email, username) = if machine { (String::new(), name) } else { (name, String::new()) };
            let find = ListIdentitiesRequest { email, username, ..ListIdentitiesRequest::default() };
            for identity in identities.list_identities(find).await?.into_inner().identities {
                let set = SetPasswordRequest { user_id: identity.id.clone(), password: sign_in.password.clone() };
                identities.set_password(work.request(set, &identity.id)).await?;
            }
        }
    }
    let lease = Lease::take(kernel, NAME).await?;
    lease.advance(Cursor { clock: 0, epoch: mark }).await?;
    lease.release().await
}

/// Prints them to stderr.
pub(super) fn print(settings: &Settings) -> anyhow::Result<()> {
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(["For", "Realm", "Sign in as", "Password"]);
    for sign_in in sign_ins(settings)? {
        let page = match sign_in.realm {
            // Nobody is sent to a page that is not there.
            _ if !settings.web.is_dir() => "v1/tokens",
            "User" => "app/",
            "Internal" | "Partner" | "GroupAdmin" => "console/",
            _ => "v1/tokens",
        };
        table.add_row([
            format!("{scheme}://{}/{page}", settings.listen),
            sign_in.realm.to_owned(),
            sign_in.name.to_owned(),
            sign_in.password,
        ]);
    }
    eprintln!("Sign-ins of the demonstration:\n{table}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Given;

    fn of(secret: &str) -> Vec<SignIn> {
        sign_ins(&Given { key_secret: Some(secret.to_owned()), ..Given::default() }.decide().unwrap()).unwrap()
    }

    #[test]
    fn a_password_follows_from_the_secret_and_is_each_ones_own() {
        let (one, again, other) = (of("a secret of a database"), of("a secret of a database"), of("a secret of another"));
        assert_eq!(one, again);
        let mut passwords: Vec<&str> = one.iter().chain(&other).map(|sign_in| sign_in.password.as_str()).collect();
        assert!(passwords.iter().all(|password| password.len() == 19), "{passwords:?}");
        passwords.sort_unstable();
        passwords.dedup();
        assert_eq!(passwords.len(), 10);
    }
}
