//! Passwords: hashed with argon2id, a bounded number at once, and at the same cost whether the account exists or not.

pub(crate) mod formats;
mod leaked;
pub(crate) mod policy;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use pavise_kernel::time::Ids;
use pavise_kernel::{Common, Error, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use leaked::LeakedPasswords;

use crate::config::{Config, HashCost};

/// How many sign-ups wait for a turn at most, and how long.
const WAITING: usize = 16;
const PATIENCE: Duration = Duration::from_secs(2);

/// Hashes and checks passwords.
#[derive(Clone)]
pub(crate) struct Passwords {
    cost: HashCost,
    permits: Arc<Semaphore>,
    /// How many of those are for sign-ups.
    newcomers: Arc<Semaphore>,
    /// How many sign-ups wait for their turn.
    waiting: Arc<Semaphore>,
    /// The decoy hash: it is checked for an unknown account, so that known and unknown accounts take the same time.
    decoy: Arc<str>,
    leaked: Option<Arc<LeakedPasswords>>,
    ids: Ids,
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Passwords({:?})", self.cost)
    }
}

impl Passwords {
    pub(crate) fn new(config: &Config, ids: &Ids) -> Self {
        let (cost, mut random) = (config.hash_cost, [0; 48]);
        ids.fill_random(&mut random);
        let (salt, hash) = random.split_at(16);
        let decoy = format!(
            "$argon2id$v=19$m={},t={},p={}${}${}",
            cost.memory_kib,
            cost.passes,
            cost.lanes,
            STANDARD_NO_PAD.encode(salt),
            STANDARD_NO_PAD.encode(hash)
        );
        let permits = |count: usize| Arc::new(Semaphore::new(count));
        let newcomers = (config.hashes_at_once / 4).max(1);
        Self {
            cost,
            permits: permits(config.hashes_at_once),
            newcomers: permits(newcomers),
            waiting: permits(newcomers * WAITING),
            decoy: decoy.into(),
            leaked: config.leaked_passwords.clone(),
            ids: ids.clone(),
        }
    }

    /// The hash of a password that somebody chose, in this field of a request.
    ///
    /// # Errors
    /// `PASSWORD_NOT_ALLOWED` for one of the leaked set, `OVERLOADED`.
    pub(crate) async fn hash_chosen(&self, field: &str, password: String) -> Result<String> {
        if let Some(leaked) = self.leaked.clone() {
            let wanted = password.clone();
            match self.aside(move || leaked.has(&wanted)).await? {
                Ok(true) => {
                    return Err(policy::weak_password_error(
                        field,
                        "is known from a leak of passwords; choose another one",
                    ));
                }
                Ok(false) => {}
                // A file that cannot be read any more must not keep anybody from a new password.
                Err(error) => {
                    tracing::error!(%error, "the leaked passwords cannot be read; a new one was not looked up")
                }
            }
        }
        self.hash(password).await
    }

    /// The hash of a new secret, with its parameters and a new salt.
    ///
    /// # Errors
    /// `OVERLOADED`.
    pub(crate) async fn hash(&self, password: String) -> Result<String> {
        let mut salt = [0; 16];
        self.ids.fill_random(&mut salt);
        let cost = self.cost;
        self.aside(move || {
            let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None).map_err(Error::internal)?;
            let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
            let hash: PasswordHash =
                argon2.hash_password_with_salt(password.as_bytes(), &salt).map_err(Error::internal)?;
            Ok(hash.to_string())
        })
        .await?
    }

    /// The same as `hash_chosen` for a sign-up. Sign-ups get at most a quarter of the capacity, so that they do not block sign-ins. A
    /// few of them wait for their turn, but not for long.
    ///
    /// # Errors
    /// As `hash_chosen`.
    pub(crate) async fn hash_of_newcomer(&self, password: String) -> Result<String> {
        let place = permit(&self.waiting)?;
        let turn = tokio::time::timeout(PATIENCE, self.newcomers.clone().acquire_owned()).await;
        let permit = turn.map_err(|_| overloaded_error())?.map_err(Error::internal)?;
        drop(place);
        let passwords = self.clone();
        // The work goes on if the caller disconnects, and keeps its permits until it is done.
        let hashed = tokio::spawn(async move {
            let hash = passwords.hash_chosen("password", password).await;
            drop(permit);
            hash
        });
        hashed.await.map_err(Error::internal)?
    }

    /// Whether the password has that hash. Without a hash it is false after the same work.
    ///
    /// # Errors
    /// `OVERLOADED`, or when the hash cannot be read.
    pub(crate) async fn verify_password(&self, password: String, hash: Option<String>) -> Result<bool> {
        // An invalidated password has an empty hash.
        let hash = hash.filter(|hash| !hash.is_empty());
        let (known, hash) = (hash.is_some(), hash.unwrap_or_else(|| self.decoy.to_string()));
        let good = self.aside(move || formats::verify_hash(&password, &hash)).await??;
        Ok(good && known)
    }

    /// Whether the hash was made with other parameters than those configured.
    pub(crate) fn is_outdated(&self, hash: &str) -> bool {
        let Ok(hash) = PasswordHash::new(hash) else { return true };
        let Ok(params) = Params::try_from(&hash) else { return true };
        let cost = HashCost { memory_kib: params.m_cost(), passes: params.t_cost(), lanes: params.p_cost() };
        cost != self.cost || hash.algorithm.as_str() != "argon2id"
    }

    /// Runs the work on a blocking thread. Each hash takes a core and tens of megabytes, so work that cannot begin at
    /// once is refused.
    async fn aside<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = permit(&self.permits)?;
        // The permit belongs to the work: a caller who disconnects frees no place.
        let done = tokio::task::spawn_blocking(move || {
            let out = work();
            drop(permit);
            out
        });
        done.await.map_err(Error::internal)
    }
}

fn permit(of: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
    of.clone().try_acquire_owned().map_err(|_| overloaded_error())
}

fn overloaded_error() -> Error {
    let error = Error::new(Common::Overloaded, "too many passwords are being checked at once; try again in 1 s");
    error.retry_after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passwords() -> Passwords {
        Passwords::new(&Config::for_tests(), &Ids::from_seed(1))
    }

    #[tokio::test]
    async fn a_password_has_its_own_hash_and_no_other_has() {
        let passwords = passwords();
        let hash = passwords.hash("correct horse battery".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=32,t=1,p=1$"), "{hash}");
        assert!(passwords.verify_password("correct horse battery".into(), Some(hash.clone())).await.unwrap());
        assert!(!passwords.verify_password("correct horse batterz".into(), Some(hash.clone())).await.unwrap());
        assert_ne!(passwords.hash("correct horse battery".into()).await.unwrap(), hash, "each has a salt of its own");
    }

    #[tokio::test]
    async fn an_account_that_does_not_exist_costs_what_one_that_does_costs() {
        let passwords = passwords();
        assert!(!passwords.verify_password("whatever it may be".into(), None).await.unwrap());
        let real = passwords.hash("correct horse battery".into()).await.unwrap();
        let (decoy, real) = (PasswordHash::new(&passwords.decoy).unwrap(), PasswordHash::new(&real).unwrap());
        assert_eq!((decoy.algorithm, decoy.version), (real.algorithm, real.version));
        assert_eq!(decoy.params.to_string(), real.params.to_string());
        assert_eq!(decoy.hash.unwrap().len(), real.hash.unwrap().len());
        assert_eq!(decoy.salt.unwrap().len(), real.salt.unwrap().len());
    }

    #[tokio::test]
    async fn a_hash_with_other_parameters_is_outdated() {
        let passwords = passwords();
        let hash = passwords.hash("correct horse battery".into()).await.unwrap();
        assert!(!passwords.is_outdated(&hash));
        let dearer = Config { hash_cost: HashCost { memory_kib: 64, passes: 2, lanes: 1 }, ..Config::for_tests() };
        let dearer = Passwords::new(&dearer, &Ids::from_seed(1));
        assert!(dearer.is_outdated(&hash));
        assert!(dearer.verify_password("correct horse battery".into(), Some(hash)).await.unwrap(), "and still good");
    }

    #[tokio::test]
    async fn passwords_beyond_the_queue_are_refused() {
        let passwords = Passwords::new(&Config { hashes_at_once: 1, ..Config::for_tests() }, &Ids::from_seed(1));
        let held = passwords.permits.clone().try_acquire_owned().unwrap();
        let refused = passwords.verify_password("correct horse battery".into(), None).await.unwrap_err();
        assert!(refused.is(Common::Overloaded));
        drop(held);
        assert!(passwords.verify_password("correct horse battery".into(), None).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_sign_up_leave_room_for_those_who_sign_in() {
        let passwords = Passwords::new(&Config { hashes_at_once: 8, ..Config::for_tests() }, &Ids::from_seed(1));
        let held: Vec<_> = std::iter::from_fn(|| permit(&passwords.newcomers).ok()).collect();
        assert_eq!(held.len(), 2, "a quarter");
        let began = tokio::time::Instant::now();
        let refused = passwords.hash_of_newcomer("correct horse battery".into()).await.unwrap_err();
        assert!(refused.is(Common::Overloaded) && began.elapsed() >= PATIENCE, "he had waited for his turn");
        assert!(passwords.verify_password("correct horse battery".into(), None).await.is_ok());
        drop(held);
        assert!(passwords.hash_of_newcomer("correct horse battery".into()).await.is_ok());
        assert_eq!((passwords.newcomers.available_permits(), passwords.waiting.available_permits()), (2, 2 * WAITING));
    }

    #[tokio::test]
    async fn simultaneous_sign_ups_wait_for_their_turns() {
        let passwords = Passwords::new(&Config { hashes_at_once: 4, ..Config::for_tests() }, &Ids::from_seed(1));
        let held = permit(&passwords.newcomers).unwrap();
        let sign_up = || passwords.hash_of_newcomer("correct horse battery".into());
        let mut sign_ups: Vec<_> = (0..WAITING).map(|_| Box::pin(sign_up())).collect();
        for one in &mut sign_ups {
            assert!(futures::poll!(one).is_pending());
        }
        let began = tokio::time::Instant::now();
        assert!(
            sign_up().await.unwrap_err().is(Common::Overloaded) && began.elapsed() < PATIENCE,
            "nobody waits in vain"
        );
        drop(held);
        for done in futures::future::join_all(sign_ups).await {
            done.unwrap();
        }
    }
}
