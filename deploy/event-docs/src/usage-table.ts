import { DatabaseSync } from 'node:sqlite';

/** Returns what the example consumer has written to its table, by usage id. It may be writing. */
export function readUsage(file: string) {
  const facts = new Map<string, { readonly workspace: string; readonly credits: bigint }>();
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    const { tables } = database
      .prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'usage'")
      .get() as { tables: number };
    if (tables === 0) return facts;
    const select = database.prepare('SELECT usage_id, workspace_id, credits_nano_usd FROM usage');
    select.setReadBigInts(true);
    for (const row of select.all())
      facts.set(String(row['usage_id']), {
        workspace: String(row['workspace_id']),
        credits: row['credits_nano_usd'] as bigint,
      });
    return facts;
  } finally {
    database.close();
  }
}
