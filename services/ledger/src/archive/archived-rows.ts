/** The tables that an archive has rows of, in the order in which the rows are removed. */
export const archivedTables = ['transfers', 'corrections', 'estimates', 'usage_facts'] as const;
export type ArchivedTable = (typeof archivedTables)[number];

/** Returns the condition for the rows of a table that hang on the facts of a time. Both ends are SQL expressions. */
export function rowsOfTime(table: ArchivedTable, from: string, to: string): string {
  const ofTime = `admitted_at >= ${from} AND admitted_at < ${to}`;
  const ids = `SELECT usage_id FROM usage_facts WHERE ${ofTime}`;
  switch (table) {
    case 'usage_facts':
      return ofTime;
    case 'estimates':
    case 'corrections':
      return `usage_id IN (${ids})`;
    case 'transfers':
      return `(entry_kind, entry_id) IN (
        SELECT 'usage', usage_id FROM usage_facts WHERE ${ofTime}
        UNION ALL SELECT 'correction', correction_id FROM corrections WHERE usage_id IN (${ids})
        UNION ALL SELECT 'expiry', usage_id || '/expiry' FROM estimates WHERE usage_id IN (${ids}))`;
  }
}
