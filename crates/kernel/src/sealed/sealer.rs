//! The sealer of fields: its keys, its plans, and the documents that it seals and opens.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use pavise_contract::table::{Lookup, Table};
use pavise_transcode::Transcoder;
use prost_reflect::DescriptorPool;
use serde_json::Value;

use super::keys::{FoundKey, Keys};
use super::person::plan::PersonalPlans;
use super::plan::Plans;
use super::walk::{self, Place, Slot, is_sealed};
use crate::error::{Common, Error, Result};
use crate::port::store::{NO_MASTER_KEY, StoreError, no_master_key_error};

/// The name of the key that makes blind values of lookups.
const BLIND: &str = "blind";

/// Seals and opens the fields that the contract marks.
pub struct FieldSealer {
    pub(super) plans: Plans,
    pub(super) transcoder: Transcoder,
    pool: DescriptorPool,
    personal: OnceLock<PersonalPlans>,
    keys: Option<Keys>,
}

impl fmt::Debug for FieldSealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldSealer").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl FieldSealer {
    /// The sealing of the messages in `pool`. Without keys, whatever has a sealed field is refused.
    #[must_use]
    pub fn new(pool: &DescriptorPool, transcoder: Transcoder, keys: Option<Keys>) -> Arc<Self> {
        let (plans, pool) = (Plans::compile(pool), pool.clone());
        Arc::new(Self { plans, transcoder, pool, personal: OnceLock::new(), keys })
    }

    /// The places of personal fields. They are compiled when they are needed first, which is seldom.
    pub(super) fn personal(&self) -> &PersonalPlans {
        self.personal.get_or_init(|| PersonalPlans::compile(&self.pool))
    }

    /// The keys, if there is a master key.
    #[must_use]
    pub fn data_keys(&self) -> Option<&Keys> {
        self.keys.as_ref()
    }

    /// Closes the key database, if there is one, when the process ends.
    pub async fn close_keys(&self) {
        if let Some(keys) = &self.keys {
            keys.close_store().await;
        }
    }

    pub(super) fn configured_keys(&self) -> Result<&Keys> {
        self.keys.as_ref().ok_or_else(no_master_key_error)
    }

    /// The value of a lookup as it is stored, where its field is sealed: it tells nothing of the value, and the same value
    /// has the same one.
    pub(super) async fn blind(&self, table: &Table, lookup: &Lookup, value: &str) -> Result<String> {
        let names = BTreeSet::from([BLIND.to_owned()]);
        let keys = self.configured_keys()?.fetch_or_make(&names).await?;
        let Some(FoundKey::Key(key)) = keys.get(BLIND) else {
            return Err(Error::internal("the key of blind lookups was destroyed"));
        };
        Ok(key.digest(&[table.name, lookup.name, value]))
    }

    /// Opens documents, each of that message and place. A value whose key was destroyed is absent.
    pub(super) async fn open(&self, docs: Vec<(usize, &mut String, Place)>) -> Result<()> {
        let mut parsed = Vec::new();
        let mut names = BTreeSet::new();
        for (plan, doc, place) in docs {
            if !walk::may_be_sealed(doc) {
                continue;
            }
            let Ok(mut value) = serde_json::from_str::<Value>(doc) else { continue };
            self.plans.walk(plan, &mut value, &place, &mut |slot| {
                names.extend(slot.sealed_with().map(str::to_owned));
                Ok(true)
            })?;
            parsed.push((plan, doc, value, place));
        }
        if names.is_empty() {
            return Ok(());
        }
        let keys = self.configured_keys()?.fetch(&names).await?;
        for (plan, doc, mut value, place) in parsed {
            self.plans.walk(plan, &mut value, &place, &mut |slot| unclose(slot, &keys))?;
            *doc = value.to_string();
        }
        Ok(())
    }
}

/// Seals the value of a slot with its person's key.
pub(super) fn close(slot: Slot<'_>, keys: &HashMap<String, FoundKey>) -> Result<bool> {
    if is_sealed(slot.value) {
        return Ok(true);
    }
    let name = slot.key_name();
    match keys.get(&name) {
        Some(FoundKey::Key(key)) => {
            let text = serde_json::to_vec(slot.value).map_err(Error::internal)?;
            let sealed = key.seal(&slot.place.bound(slot.path), &text);
            let sealed = sealed.ok_or_else(|| Error::internal("a value could not be sealed"))?;
            *slot.value = walk::sealed_value(name, sealed);
            Ok(true)
        }
        Some(FoundKey::Destroyed) => {
            Err(Error::new(Common::PersonErased, "this person's data were erased; nothing new of them is kept"))
        }
        None => Err(Error::internal("a key was not made")),
    }
}

/// Opens the value of a slot; `false` removes it.
fn unclose(slot: Slot<'_>, keys: &HashMap<String, FoundKey>) -> Result<bool> {
    let Some((name, sealed)) = walk::parts(slot.value) else { return Ok(true) };
    match keys.get(name) {
        Some(FoundKey::Key(key)) => {
            let text = key.open(&slot.place.bound(slot.path), sealed);
            let text = text.ok_or_else(|| Error::internal(format!("a sealed value at {} is damaged", slot.path)))?;
            *slot.value = serde_json::from_slice(&text).map_err(|_| Error::internal("a sealed value is no JSON"))?;
            Ok(true)
        }
        Some(FoundKey::Destroyed) => Ok(false),
        None => Err(Error::internal("the key database lacks the key of a sealed value: was another one restored?")),
    }
}

pub(super) fn parse(doc: &str) -> Result<Value> {
    serde_json::from_str(doc).map_err(|_| Error::internal("a document that is no JSON"))
}

/// The error as a store reports it.
pub(super) fn to_store_error(error: Error) -> StoreError {
    let cause = if error.is(Common::NotConfigured) { NO_MASTER_KEY.to_owned() } else { error.to_string() };
    StoreError { cause, unknown: false }
}
