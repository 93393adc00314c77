export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Buckets are of UTC, which has no leap seconds here: each hour and each day is as long as any other. */
export const floorTo = (ms: number, bucketMs: number) => Math.floor(ms / bucketMs) * bucketMs;
export const ceilTo = (ms: number, bucketMs: number) => Math.ceil(ms / bucketMs) * bucketMs;

/** Returns the UTC day: `2026-11-18`. */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the first instants of the month and of the one behind it. */
export function monthOf(ms: number): readonly [Date, Date] {
  const at = new Date(ms);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return [new Date(Date.UTC(year, month, 1)), new Date(Date.UTC(year, month + 1, 1))];
}
