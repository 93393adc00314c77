import { comparePositions, type Position } from '@sluice/es';
import type { Queryable } from '../statement.ts';
import { liveCheckpoint } from './live.ts';
import { RebuildRefused } from './refused.ts';
import { inShadow, type RebuildOptions } from './shadow.ts';

/** JSON texts, cut off where they are long. Where both rows are there, only what differs. */
export interface RowDifference {
  readonly table: string;
  readonly key: string;
  /** If undefined, the live table has no such row. */
  readonly live: string | undefined;
  /** If undefined, the events give no such row. */
  readonly rebuilt: string | undefined;
}

export interface Comparison {
  readonly events: number;
  /** The position that both sides hold. */
  readonly position: Position | undefined;
  readonly rows: bigint;
  readonly differingRows: bigint;
  /** The first of them, at most `differencesMax`. */
  readonly differences: readonly RowDifference[];
}

export const differencesMax = 20;
const textLengthMax = 500;
/** Rounds of catching up before the last events are applied within the comparing transaction. */
const rounds = 3;

/**
 * Builds the projection's tables beside the live ones up to the live checkpoint and compares all
 * rows, by primary key, in both directions. It blocks no writer: one transaction reads the live tables
 * and their checkpoint in one snapshot. Throws what a rebuild throws.
 */
export async function compareProjection(options: RebuildOptions): Promise<Comparison> {
  const { readModels, projection } = options;
  const live = (connection: Queryable) => liveCheckpoint(connection, readModels.schema, projection);
  return await inShadow(options, async (shadow) => {
    if (options.takesOtherLog) await shadow.catchUp();
    for (let round = 1; round <= rounds; round++) {
      if (options.takesOtherLog) break;
      const { position } = await live(shadow.connection);
      if (shadow.position && comparePositions(shadow.position, position) >= 0) break;
      await shadow.catchUp(position);
    }
    return await shadow.transaction(async (transaction) => {
      const text = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';
      await transaction.query({ text, values: [] });
      const { position } = options.takesOtherLog ? shadow : await live(transaction);
      if (position) await shadow.catchUpWithin(transaction, position);
      const found = { rows: 0n, differingRows: 0n, differences: [] as RowDifference[] };
      for (const table of projection.tables) {
        const sides = { table, live: readModels.schema, rebuilt: shadow.schema };
        const compared = await compareTable(transaction, sides, found.differences.length);
        found.rows += compared.rows;
        found.differingRows += compared.differingRows;
        found.differences.push(...compared.differences);
      }
      return { events: shadow.events, position, ...found };
    });
  });
}

interface Sides {
  readonly table: string;
  readonly live: string;
  readonly rebuilt: string;
}

async function compareTable(transaction: Queryable, sides: Sides, shown: number) {
  const key = await primaryKey(transaction, sides);
  const columns = key.map(({ identifier }) => identifier).join(', ');
  const joined = `FROM "${sides.live}"."${sides.table}" live
    FULL JOIN "${sides.rebuilt}"."${sides.table}" rebuilt USING (${columns})`;
  const differs = 'to_jsonb(live) IS DISTINCT FROM to_jsonb(rebuilt)';
  const [counted] = await transaction.query<{ rows: bigint; differing: bigint }>({
    text: `SELECT count(*) AS rows, count(*) FILTER (WHERE ${differs}) AS differing ${joined}`,
    values: [],
  });
  const { rows = 0n, differing = 0n } = counted ?? {};
  if (differing === 0n) return { rows, differingRows: differing, differences: [] };
  const named = key.map(({ identifier, literal }) => `${literal}, ${identifier}`).join(', ');
  const differences = await transaction.query<Record<keyof RowDifference, string | null>>({
    text: `
      SELECT left(jsonb_build_object(${named})::text, ${textLengthMax}) AS key,
             left((to_jsonb(live) - equal.columns)::text, ${textLengthMax}) AS live,
             left((to_jsonb(rebuilt) - equal.columns)::text, ${textLengthMax}) AS rebuilt
      ${joined}
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(one.key), '{}') AS columns
        FROM jsonb_each(to_jsonb(live)) one JOIN jsonb_each(to_jsonb(rebuilt)) other USING (key)
        WHERE one.value = other.value
      ) equal
      WHERE ${differs} ORDER BY ${columns} LIMIT $1`,
    values: [differencesMax - shown],
  });
  return {
    rows,
    differingRows: differing,
    differences: differences.map(({ key: keyText, live, rebuilt }) => ({
      table: sides.table,
      key: keyText ?? '',
      live: live ?? undefined,
      rebuilt: rebuilt ?? undefined,
    })),
  };
}

interface KeyColumn {
  /** The quoted name, as an identifier and as a string in SQL. */
  readonly identifier: string;
  readonly literal: string;
}

async function primaryKey(
  transaction: Queryable,
  { rebuilt, table }: Sides,
): Promise<readonly KeyColumn[]> {
  const columns = await transaction.query<KeyColumn>({
    text: `SELECT quote_ident(attribute.attname) AS identifier,
                  quote_literal(attribute.attname) AS literal
           FROM pg_index "index"
           CROSS JOIN LATERAL unnest("index".indkey) WITH ORDINALITY AS part (number, place)
           JOIN pg_attribute attribute
             ON attribute.attrelid = "index".indrelid AND attribute.attnum = part.number
           WHERE "index".indrelid = to_regclass($1) AND "index".indisprimary ORDER BY part.place`,
    values: [`"${rebuilt}"."${table}"`],
  });
  if (columns.length === 0)
    throw new RebuildRefused(`The table ${table} has no primary key to compare rows by.`);
  return columns;
}
