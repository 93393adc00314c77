import type { Queryable } from '@sluice/read-model';
import { columnOf, readFact, type UsageFact, usageFields } from '@sluice/usage-facts';
import { byUsageId, readByUsageId } from './read-by-usage-id.ts';

/** Each under the name of its field. A text that is stored as JSON is read as a text. */
const selected = Object.entries(usageFields)
  .filter(([, field]) => 'part' in field)
  .map(([name, { type, sql }]) => {
    const isStoredJson = type === 'string' && sql === 'jsonb';
    return `${columnOf(name)}${isStoredJson ? '::text' : ''} AS "${name}"`;
  });

/** Selects whole facts. A WHERE follows. */
export const selectFacts = `
  SELECT ${selected.join(', ')}, estimate.fact AS "estimatedFact"
  FROM usage_facts AS counted
    LEFT JOIN (SELECT usage_id, fact FROM estimates) AS estimate USING (usage_id)`;

export type FactRow = Readonly<Record<string, unknown>> & {
  readonly usageId: string;
  readonly admittedAt: Date;
  readonly completedAt: Date;
  /** The message of an estimate, as it arrived. */
  readonly estimatedFact: string | null;
};

/**
 * Returns the fact with its values of now, which may be corrected. A column that is NULL was not stored: the estimate,
 * if there is one, has its value.
 */
export function currentFact({
  admittedAt,
  completedAt,
  estimatedFact,
  ...row
}: FactRow): UsageFact {
  const stored = Object.entries(row).filter(([, value]) => value !== null);
  return readFact({
    ...(JSON.parse(estimatedFact ?? '{}') as object),
    ...Object.fromEntries(stored),
    specialTokens: textsOf(row['specialTokens'] ?? {}),
    admittedAt: admittedAt.toISOString(),
    completedAt: completedAt.toISOString(),
  });
}

/** Returns the fact with the values that were counted at first. Only an estimate can have others now. */
export function firstFact(row: FactRow): UsageFact {
  const { estimatedFact } = row;
  return estimatedFact === null ? currentFact(row) : readFact(JSON.parse(estimatedFact));
}

const ofIds = `${selectFacts} WHERE ${byUsageId}`;

/** Reads facts as they were counted at first, in no order. */
export async function readFirstFacts(
  readModel: Queryable,
  usageIds: readonly string[],
): Promise<readonly UsageFact[]> {
  const rows = await readByUsageId(usageIds, (ids, { from, to }) =>
    readModel.query<FactRow>({ name: 'read-first-facts', text: ofIds, values: [ids, from, to] }),
  );
  return rows.map(firstFact);
}

function textsOf(counts: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]));
}
