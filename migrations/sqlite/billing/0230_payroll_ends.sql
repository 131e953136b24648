-- Pending ends without a paid day, from before there was a last day for them: the day after it, or the scheduled day.

CREATE TEMP TABLE payroll_ends AS
SELECT id, date(doc->>'scheduledCancelOn') AS scheduled,
    CASE WHEN date(doc->>'nextBillOn', '-1 day') >= date(updated_at / 1000000, 'unixepoch')
        THEN date(doc->>'nextBillOn')
        ELSE date(updated_at / 1000000, 'unixepoch', 'start of month', '+1 month')
    END AS day
FROM subscriptions
WHERE status = 'PENDING_CANCEL' AND doc->>'paidToDate' IS NULL AND doc->>'endsAfter' IS NULL;

DELETE FROM subscriptions_lookup WHERE name = 'due_to_end_on' AND id IN (SELECT id FROM payroll_ends);

INSERT INTO subscriptions_lookup (name, value, id)
SELECT 'due_to_end_on', min(day, coalesce(scheduled, day)), id FROM payroll_ends;

DROP TABLE payroll_ends;
