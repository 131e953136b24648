//! A sign-in per realm. The passwords follow from the secret that seals the token keys: they are printed at each start
//! and stored nowhere but as hashes.

use anyhow::Context as _;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use pavise_identity::contract::v1::identity_service_client::IdentityServiceClient;
use pavise_identity::contract::v1::{ApplicationPermissions, CreateIdentityRequest, Identity, IdentityRealm, SetPasswordRequest};
use pavise_kernel::Result;
use pavise_kernel::call::hex;
use pavise_kernel::caller::APPLICATION;
use pavise_kernel::store::Cursor;
use pavise_kernel::worker::Work;
use sha2::{Digest as _, Sha256};

use super::lease::Lease;
use super::there;
use crate::app::App;
use crate::engine;
use crate::settings::Settings;

/// The name under which the secret of the passwords is recorded.
const NAME: &str = "demo.sign_ins";
/// The letters of a password, without those that look like another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The permissions of the demonstration's partner.
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

/// The secret that seals the token keys: as set, or kept beside an SQLite database.
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

/// Makes them, and takes over those that are there already.
pub(super) async fn enroll(work: &Work, settings: &Settings) -> anyhow::Result<()> {
    let made = sign_ins(settings)?.into_iter().map(|sign_in| async move {
        let request = request(&sign_in);
        match pavise_identity::enroll(work, request).await {
            Err(error) if !error.is_transient() => take_over(work, &sign_in).await,
            other => other.map(drop),
        }
    });
    futures::future::try_join_all(made).await?;
    Ok(())
}

fn request(sign_in: &SignIn) -> CreateIdentityRequest {
    let realm = IdentityRealm::from_spelling(sign_in.realm).unwrap_or_default();
    let may = |permissions: &[&str]| ApplicationPermissions {
        application: APPLICATION.to_owned(),
        permissions: permissions.iter().map(|one| (*one).to_owned()).collect(),
    };
    let (names, machine) = (vec![sign_in.name.to_owned()], realm == IdentityRealm::Machine);
    CreateIdentityRequest {
        realm: realm.into(),
        emails: if machine { Vec::new() } else { names.clone() },
        usernames: if machine { names } else { Vec::new() },
        password: sign_in.password.clone(),
        permissions: match realm {
            IdentityRealm::Internal | IdentityRealm::Machine => vec![may(&["*"])],
            IdentityRealm::Partner => vec![may(&PARTNER)],
            _ => Vec::new(),
        },
        group_ids: if realm == IdentityRealm::GroupAdmin { vec![pavise_catalog::demo::GROUP.to_owned()] } else { Vec::new() },
        ..CreateIdentityRequest::default()
    }
}

/// Gives the identity that has the name already the printed password. One of another realm is left as it is: the
/// demonstration must not make somebody staff who is not.
async fn take_over(work: &Work, sign_in: &SignIn) -> Result<()> {
    let name = sign_in.name;
    let Some(identity) = find(work, sign_in).await? else {
        tracing::warn!(name, "demonstration data: the name is somebody else's, so that this sign-in is missing");
        return Ok(());
    };
    let taken = set_password(work, sign_in, identity).await?;
    if taken.is_some() {
        tracing::warn!(name, "demonstration data: the identity was there already; it has the printed password now");
    }
    Ok(())
}

/// The identity of a sign-in, if its realm is right.
async fn find(work: &Work, sign_in: &SignIn) -> Result<Option<Identity>> {
    let found = there::identity(work, sign_in.name).await?;
    Ok(found.filter(|identity| identity.realm().spelling() == sign_in.realm))
}

async fn set_password(work: &Work, sign_in: &SignIn, identity: Identity) -> Result<Option<()>> {
    let step = format!("password of {}", identity.id);
    let set = work.request(SetPasswordRequest { user_id: identity.id, password: sign_in.password.clone() }, &step);
    Ok(there::passed(IdentityServiceClient::new(work.peer("identity")).set_password(set).await, &step)?.map(drop))
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
        let work = Work::new(kernel, "demo", format!("passwords {mark} {}", kernel.clock().now()), there::REQUEST);
        for sign_in in sign_ins(settings)? {
            if let Some(identity) = find(&work, &sign_in).await? {
                set_password(&work, &sign_in, identity).await?;
            }
        }
    }
    let lease = Lease::take(kernel, NAME).await?;
    lease.advance(Cursor { clock: 0, epoch: mark }).await?;
    lease.release().await
}

/// The sign-ins whose identity is there.
pub(super) async fn usable(app: &App, settings: &Settings) -> anyhow::Result<Vec<SignIn>> {
    let work = Work::new(&app.kernel, "demo", "sign-ins".to_owned(), there::REQUEST);
    let mut usable = Vec::new();
    for sign_in in sign_ins(settings)? {
        if find(&work, &sign_in).await?.is_some() {
            usable.push(sign_in);
        }
    }
    Ok(usable)
}

/// Prints sign-ins to stderr.
pub fn print(settings: &Settings, sign_ins: Vec<SignIn>) {
    if sign_ins.is_empty() {
        return;
    }
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(["For", "Realm", "Sign in as", "Password"]);
    for sign_in in sign_ins {
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
