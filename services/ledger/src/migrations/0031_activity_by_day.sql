-- The shares of models are of the last seven days of all accounts.
CREATE INDEX activity_by_day ON activity (day);
