-- The orders of staff to a worker, and the last run of a timer. Times are in microseconds since the epoch, 0 for none.
CREATE TABLE worker_state (
    worker TEXT PRIMARY KEY,
    paused BOOLEAN NOT NULL DEFAULT FALSE,
    steered_at BIGINT NOT NULL DEFAULT 0,
    steered_by TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    triggered_at BIGINT NOT NULL DEFAULT 0,
    triggered_by TEXT NOT NULL DEFAULT '',
    counted_from BIGINT NOT NULL DEFAULT 0,
    started_at BIGINT NOT NULL DEFAULT 0,
    ended_at BIGINT NOT NULL DEFAULT 0,
    cause TEXT NOT NULL DEFAULT '',
    next_at BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
