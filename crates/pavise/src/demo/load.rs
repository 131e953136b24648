//! Loads the demonstration's data through the normal calls.

use crate::app::App;
use crate::settings::Settings;

/// Loads what is missing.
///
/// # Errors
/// When a call fails.
pub async fn load(_app: &App, _settings: &Settings) -> anyhow::Result<()> {
    Ok(())
}
