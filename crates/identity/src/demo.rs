//! The demonstration's sign-ins: one per realm, and of administrators one per role in an employer group. The group grants the
//! roles by the e-mail addresses. The passwords follow from the secret that seals the token keys: they are printed at each
//! start and stored nowhere but as hashes.

use std::time::Duration;

use pavise_contract::scope_roles::{division, group};
use pavise_kernel::caller::APPLICATION;
use pavise_kernel::hex::to_hex;
use pavise_kernel::store::Cursor;
use pavise_kernel::worker::Work;
use pavise_kernel::{Aggregate as _, Result};
use sha2::{Digest as _, Sha256};

use crate::contract::v1::identity_service_client::IdentityServiceClient;
use crate::contract::v1::{
    ApplicationPermissions, CreateIdentityRequest, Identity, IdentityRealm, ListIdentitiesRequest, SetPasswordRequest,
};
use crate::enroll_identity;

/// The request id of everything that the loading of the demonstration makes.
pub const REQUEST: &str = "demo-data";
/// Under which name is kept which secret the passwords were made of.
const NAME: &str = "demo.sign_ins";
/// How long another process waits before it may keep that.
const LEASE: Duration = Duration::from_secs(5);
/// The letters of passwords: none is mistaken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The permissions of the demonstration's partner.
const PARTNER: [&str; 3] = ["catalog.offers.read", "catalog.products.read", "identity.tokens.read"];

/// The secret that the passwords follow from.
#[derive(Clone)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoSignIn {
    /// The realm, as documented.
    pub realm: &'static str,
    /// The role in the demonstration's first employer group; empty for other realms.
    pub role: &'static str,
    /// The e-mail address, or the username of a machine.
    pub name: &'static str,
    /// The password.
    pub password: String,
}

/// The sign-ins of the demonstration.
#[must_use]
pub fn sign_ins(secret: &Secret) -> Vec<DemoSignIn> {
    let all = [
        (IdentityRealm::User, "", "member@demo.pavise.example"),
        (IdentityRealm::Internal, "", "staff@demo.pavise.example"),
        (IdentityRealm::Partner, "", "partner@demo.pavise.example"),
        (IdentityRealm::GroupAdmin, group::GROUP_ADMINISTRATOR, "admin@demo.pavise.example"),
        (IdentityRealm::GroupAdmin, group::FILE_ADMINISTRATOR, "files@demo.pavise.example"),
        (IdentityRealm::GroupAdmin, division::CUSTOMER_SERVICE_REPRESENTATIVE, "west@demo.pavise.example"),
        (IdentityRealm::GroupAdmin, division::AUTHORIZED_USER, "east@demo.pavise.example"),
        (IdentityRealm::Machine, "", "demo-machine"),
    ];
    let sign_in = |(realm, role, name): (IdentityRealm, &'static str, &'static str)| DemoSignIn {
        realm: realm.spelling(),
        role,
        name,
        password: password(&secret.0, name),
    };
    all.map(sign_in).to_vec()
}

/// Makes them, and takes over those that are there already.
pub(crate) async fn load_sign_ins(work: &Work, secret: &Secret) -> Result<()> {
    let made = sign_ins(secret).into_iter().map(|sign_in| async move {
        match enroll_identity(work, request(&sign_in)).await {
            Err(error) if !error.is_transient() => take_over(work, &sign_in).await,
            other => other.map(drop),
        }
    });
    futures::future::try_join_all(made).await?;
    Ok(())
}

/// Sets the passwords anew when the secret has changed since they were made.
///
/// # Errors
/// When the database or the domain does not answer.
pub async fn keep_sign_ins(work: &Work, secret: &Secret) -> Result<()> {
    let mark = to_hex(&Sha256::digest(format!("pavise demonstration\nmark\n{}", secret.0)));
    let mark = mark.get(..16).unwrap_or_default().to_owned();
    let (kernel, store) = (work.kernel(), work.kernel().store());
    let kept = store.cursor(NAME).await?.epoch;
    if kept == mark {
        return Ok(());
    }
    if !kept.is_empty() {
        let anew = Work::new(kernel, "demo", format!("passwords {mark} {}", work.now()), REQUEST);
        for sign_in in sign_ins(secret) {
            if let Some(identity) = find(&anew, &sign_in).await? {
                set_password(&anew, &sign_in, identity).await?;
            }
        }
    }
    let holder = kernel.ids().next(work.now());
    // Another process that keeps it now keeps the same.
    if store.lease(NAME, &holder, LEASE).await? {
        store.advance(NAME, &holder, &Cursor { clock: 0, epoch: mark }, &[]).await?;
        store.release(NAME, &holder).await?;
    }
    Ok(())
}

/// The sign-ins whose identity is there.
///
/// # Errors
/// When the domain does not answer.
pub async fn list_usable(work: &Work, secret: &Secret) -> Result<Vec<DemoSignIn>> {
    let mut usable = Vec::new();
    for sign_in in sign_ins(secret) {
        if find(work, &sign_in).await?.is_some() {
            usable.push(sign_in);
        }
    }
    Ok(usable)
}

/// The identity that signs in by that e-mail address or username.
///
/// # Errors
/// When the domain does not answer.
pub async fn by_name(work: &Work, name: &str) -> Result<Option<Identity>> {
    let name = name.to_owned();
    let (email, username) = if name.contains('@') { (name, String::new()) } else { (String::new(), name) };
    let find = ListIdentitiesRequest { email, username, ..ListIdentitiesRequest::default() };
    let found = IdentityServiceClient::new(work.peer_channel("identity")).list_identities(find).await?.into_inner();
    Ok(found.identities.into_iter().next())
}

/// Whether the loading of the demonstration made that identity, as the first entry of its journal says.
///
/// # Errors
/// When the database does not answer.
pub async fn is_ours(work: &Work, identity: &str) -> Result<bool> {
    let (entries, _) = work.kernel().store().journal(Identity::TABLE.journal, identity, 0, 1).await?;
    Ok(entries.first().is_some_and(|entry| entry.request_id == REQUEST))
}

fn request(sign_in: &DemoSignIn) -> CreateIdentityRequest {
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
        ..CreateIdentityRequest::default()
    }
}

/// Gives the identity that has the name already the printed password. One of another realm is left as it is: the
/// demonstration must not make somebody staff who is not.
async fn take_over(work: &Work, sign_in: &DemoSignIn) -> Result<()> {
    let Some(identity) = find(work, sign_in).await? else {
        let realm = sign_in.realm;
        tracing::warn!(
            realm,
            "demonstration data: the name is somebody else's, so that the sign-in of this realm is missing"
        );
        return Ok(());
    };
    let id = identity.id.clone();
    if set_password(work, sign_in, identity).await?.is_some() {
        tracing::warn!(id, "demonstration data: the identity was there already; it has the printed password now");
    }
    Ok(())
}

/// The identity of a sign-in, if its realm is right.
async fn find(work: &Work, sign_in: &DemoSignIn) -> Result<Option<Identity>> {
    let found = by_name(work, sign_in.name).await?;
    Ok(found.filter(|identity| identity.realm().spelling() == sign_in.realm))
}

async fn set_password(work: &Work, sign_in: &DemoSignIn, identity: Identity) -> Result<Option<()>> {
    let step = format!("password of {}", identity.id);
    let set = work.new_request(SetPasswordRequest { user_id: identity.id, password: sign_in.password.clone() }, &step);
    Ok(work
        .skip_refused(IdentityServiceClient::new(work.peer_channel("identity")).set_password(set).await, &step)?
        .map(drop))
}

/// Sixteen letters, 80 bits, in groups of four.
fn password(secret: &str, name: &str) -> String {
    let digest = Sha256::digest(format!("pavise demonstration\npassword\n{secret}\n{name}"));
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied().map_or('x', char::from);
    let letters: Vec<char> = digest.iter().take(16).map(letter).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(secret: &str) -> Vec<DemoSignIn> {
        sign_ins(&Secret(secret.to_owned()))
    }

    #[test]
    fn a_password_follows_from_the_secret_and_is_each_ones_own() {
        let (one, again, other) =
            (of("a secret of a database"), of("a secret of a database"), of("a secret of another"));
        assert_eq!(one, again);
        let mut passwords: Vec<&str> = one.iter().chain(&other).map(|sign_in| sign_in.password.as_str()).collect();
        assert!(passwords.iter().all(|password| password.len() == 19), "{passwords:?}");
        passwords.sort_unstable();
        passwords.dedup();
        assert_eq!(passwords.len(), 16);
    }
}
