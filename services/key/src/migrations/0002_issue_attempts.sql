-- Which hash a command is going to issue, noted before it does. Whoever repeats the command goes by
-- this note and by the log, never by a read model, which may be behind.
CREATE TABLE issue_attempts (
  account_id text NOT NULL,
  command_id text NOT NULL,
  hash text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, command_id)
);

INSERT INTO issue_attempts (account_id, command_id, hash, noted_at)
SELECT account_id, issue_command_id, hash, created_at FROM api_keys
ON CONFLICT DO NOTHING;

DROP INDEX api_keys_by_issue_command;
