-- Subscriptions are found by the day on which they end by themselves.

CREATE TABLE subscriptions_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX subscriptions_lookup_id ON subscriptions_lookup (id);

-- Ends that were asked for before there was such a day.
INSERT INTO subscriptions_lookup (name, value, id)
SELECT 'due_to_end_on', min(day), id
FROM (
    SELECT date(doc->>'paidToDate', '+1 day') AS day, id FROM subscriptions WHERE status = 'PENDING_CANCEL'
    UNION ALL
    SELECT date(doc->>'scheduledCancelOn'), id FROM subscriptions WHERE status <> 'CANCELLED'
)
WHERE day <> ''
GROUP BY id;
