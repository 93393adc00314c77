import { type AdmissionRange, admissionRange, anyAdmission } from './admission-range.ts';

type ReadIds<Row> = (ids: readonly string[], range: AdmissionRange) => Promise<readonly Row[]>;

/** The condition of such a statement: `$1` are the ids, `$2` and `$3` the range. */
export const byUsageId = `usage_id = ANY($1) AND admitted_at >= $2 AND admitted_at < $3`;

/**
 * Reads rows by usage ids, in no order. It asks the partitions of the days that the ids tell first, and then all of
 * them for the ids that are not there, which are few.
 */
export async function readByUsageId<Row extends { readonly usageId: string }>(
  usageIds: readonly string[],
  read: ReadIds<Row>,
): Promise<readonly Row[]> {
  return await readTogether(usageIds, ({ usageId }) => [usageId], read);
}

/** Reads rows in the same way that are of several ids each. */
export async function readTogether<Row>(
  usageIds: readonly string[],
  idsOf: (row: Row) => readonly string[],
  read: ReadIds<Row>,
): Promise<readonly Row[]> {
  const wanted = new Set(usageIds);
  const range = admissionRange(usageIds);
  const rows = await read([...wanted], range);
  if (range === anyAdmission) return rows;
  for (const usageId of rows.flatMap(idsOf)) wanted.delete(usageId);
  return wanted.size === 0 ? rows : [...rows, ...(await read([...wanted], anyAdmission))];
}
