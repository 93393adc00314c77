-- What requests cost less because of caches of providers: negative if they saved. NULL: they made no difference.
ALTER TABLE facts{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE facts {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE superseded{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE superseded {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE late_changes{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE late_changes {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_hour{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_hour {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_day{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_day {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_day_model{local} {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
ALTER TABLE usage_day_model {on cluster} ADD COLUMN IF NOT EXISTS cache_nano_usd Nullable(Int64);
