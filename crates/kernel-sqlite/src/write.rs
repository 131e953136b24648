//! Turns a plan into a script.

use std::collections::{BTreeMap, BTreeSet};

use pavise_contract::table::Table;
use pavise_kernel::commit_plan::{CommitPlan, KeptRecord, PlannedWrite};

use crate::script::Value::{Bytes, Integer, Text};
use crate::script::{Script, json};

/// Adds all writes of `plan` to `script`.
pub(crate) fn write(script: &mut Script, plan: &CommitPlan<'_>) -> sqlx::Result<()> {
    let mut tables: BTreeMap<&str, (&'static Table, Vec<&PlannedWrite<'_>>)> = BTreeMap::new();
    let mut journals: BTreeMap<&str, Vec<&PlannedWrite<'_>>> = BTreeMap::new();
    for one in &plan.writes {
        tables.entry(one.write.table.name).or_insert((one.write.table, Vec::new())).1.push(one);
        journals.entry(one.write.table.journal).or_default().push(one);
    }
    for (table, writes) in tables.values() {
        rows(script, table, writes)?;
        lookups(script, table, writes)?;
    }
    for (journal, writes) in &journals {
        entries(script, journal, writes)?;
        let clock = plan.clocks.get(journal).copied().unwrap_or_default();
        let sql = "INSERT INTO journal_counter (journal, clock, epoch) VALUES (?, ?, lower(hex(randomblob(16)))) \
             ON CONFLICT (journal) DO UPDATE SET clock = excluded.clock";
        script.push(sql, &[Text(journal), Integer(clock)])?;
    }
    for ((journal, series), last) in &plan.series {
        let sql = "INSERT INTO journal_series (journal, series, last) VALUES (?, ?, ?) \
             ON CONFLICT (journal, series) DO UPDATE SET last = excluded.last";
        script.push(sql, &[Text(journal), Text(series), Integer(*last)])?;
    }
    records(script, &plan.records)
}

fn rows(script: &mut Script, table: &Table, writes: &[&PlannedWrite<'_>]) -> sqlx::Result<()> {
    let name = table.name;
    let gone: Vec<&str> = writes
        .iter()
        .filter(|one| one.write.removed && one.write.expected.is_some())
        .map(|one| one.write.row.id.as_str())
        .collect();
    if !gone.is_empty() {
        let sql = format!("DELETE FROM \"{name}\" WHERE id IN (SELECT value FROM json_each(?))");
        script.push(&sql, &[Text(&json(&gone)?)])?;
    }
    let kept = writes.iter().filter(|one| !one.write.removed).map(|one| {
        let row = &one.write.row;
        let [id, owner, status, doc] = [&row.id, &row.owner_id, &row.status, &row.doc].map(|text| Text(text));
        let [version, clock, created, updated] = [row.version, one.clock, row.created_at, row.updated_at].map(Integer);
        [id, owner, status, version, clock, created, updated, doc]
    });
    let kept: Vec<_> = kept.collect();
    let into = format!("\"{name}\" (id, owner_id, status, version, clock, created_at, updated_at, doc)");
    let conflict = "ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, status = excluded.status, \
         version = excluded.version, clock = excluded.clock, created_at = excluded.created_at, \
         updated_at = excluded.updated_at, doc = excluded.doc";
    script.insert(&into, &kept, conflict)
}

fn lookups(script: &mut Script, table: &Table, writes: &[&PlannedWrite<'_>]) -> sqlx::Result<()> {
    if !table.lookups.iter().any(|lookup| lookup.many) {
        return Ok(());
    }
    let name = table.name;
    let changed: Vec<&str> =
        writes.iter().filter(|one| one.write.expected.is_some()).map(|one| one.write.row.id.as_str()).collect();
    if !changed.is_empty() {
        let sql = format!("DELETE FROM \"{name}_lookup\" WHERE id IN (SELECT value FROM json_each(?))");
        script.push(&sql, &[Text(&json(&changed)?)])?;
    }
    let values: BTreeSet<(&str, &str, &str)> = writes
        .iter()
        .filter(|one| !one.write.removed)
        .flat_map(|one| {
            one.write.lookups.iter().map(|(lookup, value)| (lookup.name, value.as_str(), one.write.row.id.as_str()))
        })
        .collect();
    let values: Vec<_> = values.into_iter().map(|(lookup, value, id)| [Text(lookup), Text(value), Text(id)]).collect();
    script.insert(&format!("\"{name}_lookup\" (name, value, id)"), &values, "")
}

fn entries(script: &mut Script, journal: &str, writes: &[&PlannedWrite<'_>]) -> sqlx::Result<()> {
    let rows = writes.iter().map(|PlannedWrite { command, write, clock }| {
        let (row, table) = (&write.row, Text(write.table.name));
        let [action, id, owner, doc] = [&write.action, &row.id, &row.owner_id, &row.doc].map(|text| Text(text));
        let [actor, subject, request] = [&command.actor, &command.subject, &command.request_id].map(|text| Text(text));
        let [clock, version, at, removed] = [*clock, row.version, command.at, write.removed.into()].map(Integer);
        [clock, action, table, id, owner, version, at, actor, subject, request, removed, doc]
    });
    let rows: Vec<_> = rows.collect();
    let into = format!(
        "\"{journal}_journal\" \
         (clock, action, entity_table, entity_id, owner_id, version, at, actor, subject, request_id, removed, doc)"
    );
    script.insert(&into, &rows, "")
}

fn records(script: &mut Script, records: &[KeptRecord<'_>]) -> sqlx::Result<()> {
    let mut journals: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for KeptRecord { journal, record, clock } in records {
        let [key, request] = [&record.key, &record.request].map(|text| Text(text));
        let [version, clock, at] = [record.version, *clock, record.at].map(Integer);
        journals.entry(journal).or_default().push([key, request, Bytes(&record.answer), version, clock, at]);
    }
    for (journal, records) in journals {
        let into = format!("\"{journal}_idempotency\" (key, request, answer, version, clock, at)");
        script.insert(&into, &records, "")?;
    }
    Ok(())
}
