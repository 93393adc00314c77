import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ids } from '@sluice/clock-and-ids';

/** The writer of usage: an id for the directory's lifetime, and an epoch that grows with each start. */
export interface Replica {
  readonly id: string;
  readonly epoch: bigint;
}

const fileName = 'replica.json';

/** Takes the next epoch of a data directory; it is on disk when this resolves. */
export async function openReplica(directory: string, ids: Ids): Promise<Replica> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, fileName);
  const known = parse(await readText(path), path);
  const replica = { id: known?.id ?? `replica-${ids.next()}`, epoch: (known?.epoch ?? 0n) + 1n };
  await write(path, JSON.stringify({ id: replica.id, epoch: String(replica.epoch) }));
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return replica;
}

async function write(path: string, text: string): Promise<void> {
  const temporary = `${path}.next`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Throws if the file cannot be read, because a guessed epoch could be one that was used before. */
function parse(text: string | undefined, path: string): Replica | undefined {
  if (text === undefined) return undefined;
  const match = /^\{"id":"([\w-]{1,128})","epoch":"(\d{1,18})"\}$/.exec(text);
  const [, id, epoch] = match ?? [];
  if (id === undefined || epoch === undefined) throw new Error(`${path} is damaged`);
  return { id, epoch: BigInt(epoch) };
}
