import type { SqlValue } from '@sluice/read-model';
import {
  areToldTogether,
  columnOf,
  repeatFields,
  type SqlType,
  usageColumns,
  type UsageFact,
} from '@sluice/usage-facts';
import type { KeptTexts } from '../domain/usage/usage-details.ts';
import { givenRows } from './given-rows.ts';
import { storedDetails, storedDetailsOfRepeat } from './stored-details.ts';

type Columns = Readonly<Record<string, SqlType>>;

const owned: ReadonlySet<string> = new Set(repeatFields);
const place: Columns = { place: 'bigint' };
const columnsOf = (isWanted: (name: string) => boolean): Columns =>
  Object.fromEntries(Object.entries(usageColumns).filter(([name]) => isWanted(name)));

const ownColumns = columnsOf((name) => owned.has(name));
const sharedColumns = columnsOf((name) => !owned.has(name));
const own = givenRows({ ...place, ...ownColumns });
const shared = givenRows({ ...place, ...sharedColumns }, Object.keys(ownColumns).length + 2);
const columns = [...Object.keys(ownColumns), ...Object.keys(sharedColumns)]
  .map(columnOf)
  .join(', ');

/** `$2` has the usage ids, which are the first column. */
const text = `
  WITH own (${own.columns}) AS (SELECT ${own.selected} FROM ${own.from}),
  shared (${shared.columns}) AS (SELECT ${shared.selected} FROM ${shared.from}),
  inserted AS (
    INSERT INTO usage_facts (${columns})
    SELECT ${columns} FROM own JOIN shared USING (place) ORDER BY usage_id
    ON CONFLICT DO NOTHING
    RETURNING usage_id
  )
  SELECT usage_id FROM unnest($2::text[]) AS given (usage_id)
  WHERE usage_id NOT IN (SELECT usage_id FROM inserted)`;

/**
 * Returns the statement that inserts repeated answers, like that of `insertUsageFacts`. Those that were told together
 * share most values, which are given once.
 */
export function insertRepeated(
  facts: readonly UsageFact[],
  texts: KeptTexts,
): { readonly name: string; readonly text: string; readonly values: SqlValue[] } {
  const firsts: UsageFact[] = [];
  const rows = facts.map((fact) => {
    const first = firsts.at(-1);
    if (!first || !areToldTogether(first, fact)) firsts.push(fact);
    return { ...ownOf(fact), ...storedDetailsOfRepeat(fact, texts), place: firsts.length };
  });
  const sharedRows = firsts.map((fact, index) => ({
    ...fact,
    ...storedDetails(fact, texts),
    place: index + 1,
  }));
  const values = [...own.valuesOf(rows), ...shared.valuesOf(sharedRows)];
  return { name: 'insert-repeated-facts', text, values };
}

function ownOf({ usageId, generationId, requestId, admittedAt, completedAt, sequence }: UsageFact) {
  return { usageId, generationId, requestId, admittedAt, completedAt, sequence };
}
