//! The sign-ins of the demonstration as they are printed, with the pages that they are for.

use anyhow::Context as _;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use pavise_identity::demo::{DemoSignIn, Secret};

use crate::engine;
use crate::settings::Settings;

/// The secret that seals the token keys: as set, or kept beside an SQLite database.
///
/// # Errors
/// When it cannot be read.
pub fn secret(settings: &Settings) -> anyhow::Result<Secret> {
    if let Some(secret) = &settings.key_secret {
        return Ok(Secret(secret.clone()));
    }
    let file = engine::sqlite_file(&settings.database).context("the sign-ins need --key-secret")?.with_extension("key");
    let secret =
        std::fs::read_to_string(&file).with_context(|| format!("the key file {} cannot be read", file.display()))?;
    Ok(Secret(secret))
}

/// Prints sign-ins to stderr.
pub fn print(settings: &Settings, sign_ins: Vec<DemoSignIn>) {
    if sign_ins.is_empty() {
        return;
    }
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(["For", "Realm", "Role", "Sign in as", "Password"]);
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
            sign_in.role.to_owned(),
            sign_in.name.to_owned(),
            sign_in.password,
        ]);
    }
    eprintln!("Sign-ins of the demonstration:\n{table}");
}
