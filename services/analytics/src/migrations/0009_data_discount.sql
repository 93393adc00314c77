-- What workspaces pay less because the operator may use their contents: negative. NULL: no fact has a discount.
ALTER TABLE facts ADD COLUMN data_nano_usd bigint;
ALTER TABLE superseded ADD COLUMN data_nano_usd bigint;
ALTER TABLE usage_hour ADD COLUMN data_nano_usd bigint;
ALTER TABLE usage_day ADD COLUMN data_nano_usd bigint;
ALTER TABLE usage_day_model ADD COLUMN data_nano_usd bigint;
