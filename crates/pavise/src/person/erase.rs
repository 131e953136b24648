//! Erases a person in all domains, and destroys their key.

use std::collections::BTreeMap;

use pavise_kernel::sealed::name_key_of;
use serde::Serialize;
use serde_json::{Value, json};

use super::Asker;
use crate::wire::Failure;

/// Rounds through all domains, each of which found something that was written meanwhile.
const ROUNDS: u32 = 20;

/// The counts of an erasure in a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// The entities.
    pub entities: i64,
    /// The journal entries.
    pub entries: i64,
    /// The kept answers.
    pub answers: i64,
    /// The causes of failed entries.
    pub failed_entries: i64,
}

/// An erasure that came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Erasure {
    /// Whether something was erased, and not only counted.
    pub erased: bool,
    /// Whether the person's key was destroyed. It is not where the platform seals nothing.
    pub key_destroyed: bool,
    /// The counts, by service.
    pub services: BTreeMap<String, Counts>,
}

/// Counts what an erasure would erase.
///
/// # Errors
/// When a domain does not answer, or refuses.
pub async fn preview(asker: &Asker, identity: &str, progress: &dyn Fn(&str)) -> anyhow::Result<Erasure> {
    let mut services = BTreeMap::new();
    round(asker, &json!({"identityId": identity, "preview": true}), progress, &mut services).await?;
    Ok(Erasure { erased: false, key_destroyed: false, services })
}

/// Erases a person in all domains, destroys their key, and erases what was written meanwhile. `progress` gets where it
/// stands. After a failure it can be repeated from the beginning.
///
/// # Errors
/// When a domain does not answer, or refuses; when something is on legal hold; or when somebody goes on writing the person's
/// data.
pub async fn erase(asker: &Asker, identity: &str, progress: &dyn Fn(&str)) -> anyhow::Result<Erasure> {
    let mut services = BTreeMap::new();
    quieten(asker, identity, progress, &mut services).await?;
    progress("the key");
    let key_destroyed = destroy_key(asker, identity).await?;
    // A call that began before may have ended since.
    quieten(asker, identity, progress, &mut services).await?;
    Ok(Erasure { erased: true, key_destroyed, services })
}

/// Goes through all domains until there is nothing to erase.
async fn quieten(
    asker: &Asker,
    identity: &str,
    progress: &dyn Fn(&str),
    services: &mut BTreeMap<String, Counts>,
) -> anyhow::Result<()> {
    for _ in 0..ROUNDS {
        if !round(asker, &json!({"identityId": identity}), progress, services).await? {
            return Ok(());
        }
    }
    anyhow::bail!("somebody goes on writing the person's data: stop that, and run this again")
}

/// Goes once through all domains, and answers whether there was something to erase.
async fn round(
    asker: &Asker,
    request: &Value,
    progress: &dyn Fn(&str),
    services: &mut BTreeMap<String, Counts>,
) -> anyhow::Result<bool> {
    let (mut found, mut held) = (false, Vec::new());
    asker
        .ask_all("RedactPerson", request, progress, &mut |answer| {
            for one in answer.get("services").and_then(Value::as_array).into_iter().flatten() {
                found = true;
                let count = |name: &str| match one.get(name) {
                    Some(Value::String(count)) => count.parse().unwrap_or(0),
                    count => count.and_then(Value::as_i64).unwrap_or(0),
                };
                let name = one.get("service").and_then(Value::as_str).unwrap_or_default();
                let counts = services.entry(name.to_owned()).or_default();
                counts.entities += count("entities");
                counts.entries += count("entries");
                counts.answers += count("answers");
                counts.failed_entries += count("failedEntries");
            }
            for one in answer.get("heldEntities").and_then(Value::as_array).into_iter().flatten() {
                let text = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default();
                held.push(format!("{} {}", text("service"), text("id")));
            }
        })
        .await?;
    if !held.is_empty() {
        anyhow::bail!(
            "the rest is erased, and run this again when these are no longer on legal hold: {}",
            held.join(", ")
        );
    }
    Ok(found)
}

/// Destroys the person's key. Without a key database nothing is sealed.
async fn destroy_key(asker: &Asker, identity: &str) -> anyhow::Result<bool> {
    match asker.ask("data_keys.DestroyDataKeys", json!({"names": [name_key_of(identity)]})).await {
        Ok(_) => Ok(true),
        Err(error) => match error.downcast_ref::<Failure>() {
            Some(Failure::Refused(refusal)) if refusal.reason == "NOT_CONFIGURED" => Ok(false),
            _ => Err(error),
        },
    }
}
