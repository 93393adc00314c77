import { type KeyManagement, open, UnreadableEnvelope } from '@sluice/envelope';
import { type Contents, decodeContents } from '@sluice/generation-contents';
import type { Database } from '@sluice/read-model';
import type { ActiveDestination } from '../clients/destinations.ts';

import { readGeneration } from '../domain/generation-text.ts';
import { contentsRecordId, readEnvelope } from '../domain/sealed-text.ts';
import { selectable } from '../domain/select.ts';
import type { Observed } from '../senders/sender.ts';
import { readKeyNames } from '../store/key-names.ts';
import type { LogRow } from '../store/deliveries.ts';

type StoredGeneration = Pick<LogRow, 'generationId' | 'body' | 'contents'>;

/** A row of the log that a destination gets. */
export interface Chosen<Row> {
  readonly row: Row;
  readonly observed: Observed;
}

export interface OpenDeps {
  readonly database: Pick<Database, 'query'>;
  readonly keys: KeyManagement;
}

/** Reads rows, and returns those that the destination wants. Throws if the keys of contents are away. */
export async function openRows<Row extends StoredGeneration>(
  { database, keys }: OpenDeps,
  active: ActiveDestination,
  rows: readonly Row[],
): Promise<readonly Chosen<Row>[]> {
  const read = rows.map((row) => ({ row, generation: readGeneration(row.body) }));
  const hashes = read.map(({ generation }) => generation.keyHash);
  const names = await readKeyNames(database, active.accountId, hashes);
  const chosen: Chosen<Row>[] = [];
  for (const { row, generation: unnamed } of read) {
    const generation = { ...unnamed, keyName: names.get(unnamed.keyHash) ?? '' };
    if (generation.completedAtMs < active.sinceMs) continue;
    const early = active.selectsByContents ? await contentsOf(keys, active, row) : undefined;
    if (active.selects(selectable(generation, early)) !== undefined) continue;
    const contents = early ?? (await contentsOf(keys, active, row));
    chosen.push({ row, observed: { generation, contents } });
  }
  return chosen;
}

/** A destination in privacy mode gets no contents, and its rules do not see any. */
async function contentsOf(
  keys: KeyManagement,
  { accountId, wantsContents }: ActiveDestination,
  { generationId, contents }: StoredGeneration,
): Promise<Contents | undefined> {
  if (!wantsContents || contents === null) return undefined;
  try {
    const owner = { accountId, recordId: contentsRecordId(generationId) };
    return decodeContents(await open(keys, owner, readEnvelope(contents)));
  } catch (error) {
    if (error instanceof UnreadableEnvelope) return undefined;
    throw error;
  }
}
