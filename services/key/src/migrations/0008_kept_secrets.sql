-- The secret of a key that a command issues, sealed, until its answer was delivered or ten minutes are
-- over: a command that is repeated because its answer was lost is answered with the same secret.
ALTER TABLE issue_attempts
  ADD COLUMN key_version text,
  ADD COLUMN wrapped_key text,
  ADD COLUMN ciphertext text;

CREATE INDEX issue_attempts_with_secret ON issue_attempts (noted_at) WHERE ciphertext IS NOT NULL;
