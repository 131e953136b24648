-- E-mail addresses that wait for their proof, and former ones.

CREATE TABLE email_addresses (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX email_addresses_owner ON email_addresses (owner_id, id);
CREATE INDEX email_addresses_address ON email_addresses ((lower(doc->>'address')), id);
CREATE INDEX email_addresses_sign_in_address ON email_addresses ((lower(doc->>'signInAddress')), id);
CREATE INDEX email_addresses_due_at ON email_addresses ((rtrim(coalesce(doc->>'dueAt', ''), 'Z')), id);
