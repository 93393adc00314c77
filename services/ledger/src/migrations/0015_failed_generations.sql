-- Generations that gave no output, as their replica told them: what was tried and why it failed. Nothing of it is
-- counted; kept for a week.
CREATE TABLE failed_generations (
  account_id text NOT NULL,
  generation_id text NOT NULL,
  told_at timestamptz NOT NULL DEFAULT now(),
  record jsonb NOT NULL,
  PRIMARY KEY (account_id, generation_id)
);
CREATE INDEX failed_generations_by_age ON failed_generations (told_at);
