import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';
import type { Archived } from './archived-days.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({
  usageId: 'text',
  admittedAt: 'timestamptz',
  replica: 'text',
  epoch: 'bigint',
  sequence: 'bigint',
});

/** The row that would show that it was counted is gone. Its place was settled then. */
const text = `
  DELETE FROM usage_facts AS fact
  USING ${given.from}, archives, watermarks
  WHERE (fact.usage_id, fact.admitted_at) = (given.usage_id, given.admitted_at)
    AND archives.day = (given.admitted_at AT TIME ZONE 'UTC')::date AND archives.part = 1
    AND (watermarks.replica, watermarks.epoch) = (given.replica, given.epoch)
    AND settled @> given.sequence
  RETURNING fact.usage_id`;

/**
 * Removes those facts again that the same transaction has inserted although they were counted once and are archived.
 * Returns their ids. `archived` must have been read after the insertion, so that a day that was archived in between is
 * seen.
 */
export async function removeArchivedFacts(
  transaction: Queryable,
  inserted: readonly UsageFact[],
  archived: Archived | undefined,
): Promise<ReadonlySet<string>> {
  if (!archived) return new Set();
  const untilMs = archived.until.getTime();
  const old = inserted.filter(({ admittedAt }) => Date.parse(admittedAt) < untilMs);
  if (old.length === 0) return new Set();
  const rows = await transaction.query<{ usage_id: string }>({
    name: 'remove-archived-facts',
    text,
    values: given.valuesOf(old),
  });
  return new Set(rows.map(({ usage_id }) => usage_id));
}
