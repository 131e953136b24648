-- Profiles, preferences of addresses, and their journal.

CREATE TABLE profiles (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX profiles_owner ON profiles (owner_id, id);

CREATE TABLE profiles_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX profiles_lookup_id ON profiles_lookup (id);
CREATE UNIQUE INDEX profiles_account_identifiers_key ON profiles_lookup (value) WHERE name = 'account_identifiers.key';

CREATE TABLE contact_preferences (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX contact_preferences_owner ON contact_preferences (owner_id, id);
CREATE UNIQUE INDEX contact_preferences_address_key ON contact_preferences ((doc->>'addressKey'));
CREATE INDEX contact_preferences_address ON contact_preferences ((doc->>'address'), id);

CREATE TABLE profiles_journal (
    clock INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX profiles_journal_entity ON profiles_journal (entity_id, clock);

CREATE TABLE profiles_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX profiles_idempotency_at ON profiles_idempotency (at);
