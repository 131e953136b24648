-- Pending ends without a paid day, from before there was a last day for them: the day after it, or the scheduled day.

CREATE TEMP TABLE payroll_ends AS
SELECT id, (doc->>'scheduledCancelOn')::date AS scheduled,
    CASE WHEN (doc->>'nextBillOn')::date - 1 >= changed_on
        THEN (doc->>'nextBillOn')::date
        ELSE (date_trunc('month', changed_on) + interval '1 month')::date
    END AS day
FROM (
    SELECT id, doc, (to_timestamp(updated_at / 1000000) AT TIME ZONE 'UTC')::date AS changed_on
    FROM subscriptions
    WHERE status = 'PENDING_CANCEL' AND doc->>'paidToDate' IS NULL AND doc->>'endsAfter' IS NULL
) AS endless;

DELETE FROM subscriptions_lookup WHERE name = 'due_to_end_on' AND id IN (SELECT id FROM payroll_ends);

INSERT INTO subscriptions_lookup (name, value, id)
SELECT 'due_to_end_on', to_char(least(day, scheduled), 'YYYY-MM-DD'), id FROM payroll_ends;

DROP TABLE payroll_ends;
