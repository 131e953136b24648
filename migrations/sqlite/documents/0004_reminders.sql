-- When the owners of open answers are reminded.

CREATE INDEX answers_due_to_remind_at ON answers ((rtrim(coalesce(doc->>'dueToRemindAt', ''), 'Z')), id);
