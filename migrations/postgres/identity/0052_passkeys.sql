-- Keys that sign in without a password.

CREATE TABLE passkeys (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX passkeys_owner ON passkeys (owner_id, id);
CREATE UNIQUE INDEX passkeys_credential_id ON passkeys ((doc->>'credentialId'));
