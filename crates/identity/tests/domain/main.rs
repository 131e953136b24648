//! The identity domain through its own calls, on both engines.

#![expect(clippy::unwrap_used, reason = "tests")]

mod accounts;
mod addresses;
mod application_settings;
mod applications;
mod console_preferences;
mod earlier_documents;
mod enumeration;
mod factors;
mod held_names;
mod impersonation;
mod imports;
mod invitations;
mod key_secret;
mod keys;
mod merges;
mod messages;
mod names;
mod notices;
mod passkeys;
mod passwords;
mod patterns;
mod peers;
mod permissions;
mod proofs;
mod resets;
mod scene;
mod searches;
mod sessions;
mod shared_limits;
mod sign_in;
mod tokens;
mod two_times;
mod user_states;
