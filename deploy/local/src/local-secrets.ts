import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecret, SetupProblem } from '@sluice/embedded';

export interface LocalSecrets {
  /** Goes into the digests of keys: a copy of the database alone tests no guesses. */
  readonly keyPepper: string;
  /** The token that the processes of this machine show each other. */
  readonly rpcToken: string;
  /** Signs events. */
  readonly eventKey: string;
}

/** Entries that only an earlier start leaves in the data directory. An empty folder does not count. */
const signsOfUse = ['bootstrap.json', 'eventstore', 'postgres'];

/**
 * Makes the secrets on the first start, each in a file of mode 0600, and returns the same ever after. Call it before
 * anything else is written to the data directory. Throws SetupProblem if the pepper is lost: under a new one each key
 * that was issued would be refused.
 */
export async function localSecrets(dataDirectory: string): Promise<LocalSecrets> {
  const folder = join(dataDirectory, 'secrets');
  const pepperFile = join(folder, 'key-pepper');
  if (!(await exists(pepperFile)) && (await isUsed(dataDirectory)))
    throw new SetupProblem(
      `${pepperFile} is missing, and ${dataDirectory} was used before: put the file back from the backup. ` +
        'Without it each API key is refused. See docs/operations/backup.md.',
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    keyPepper: await keptSecret(pepperFile),
    rpcToken: await keptSecret(join(folder, 'rpc-token')),
    eventKey: await keptSecret(join(folder, 'event-key')),
  };
}

async function isUsed(dataDirectory: string): Promise<boolean> {
  const found = await Promise.all(signsOfUse.map((name) => isFilled(join(dataDirectory, name))));
  return found.includes(true);
}

async function isFilled(path: string): Promise<boolean> {
  return await readdir(path).then(
    (names) => names.length > 0,
    // It is a file, or it is not there.
    () => exists(path),
  );
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
