-- What is asked for between a sign-in's password and its session.

CREATE TABLE challenges (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX challenges_owner ON challenges (owner_id, id);
