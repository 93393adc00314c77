-- Each turn of a generation may fail. Reports of earlier releases are about the first one.
ALTER TABLE failed_generations ADD COLUMN turn integer NOT NULL DEFAULT 1;
ALTER TABLE failed_generations
  DROP CONSTRAINT failed_generations_pkey,
  ADD PRIMARY KEY (account_id, generation_id, turn);
