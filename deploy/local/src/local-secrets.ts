import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecret } from '@sluice/embedded';

export interface LocalSecrets {
  /** Goes into the digests of keys: a copy of the database alone tests no guesses. */
  readonly keyPepper: string;
  /** The token that the processes of this machine show each other. */
  readonly rpcToken: string;
}

/** Made on the first start, each in a file of mode 0600, and the same ever after. */
export async function localSecrets(dataDirectory: string): Promise<LocalSecrets> {
  const folder = join(dataDirectory, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    keyPepper: await keptSecret(join(folder, 'key-pepper')),
    rpcToken: await keptSecret(join(folder, 'rpc-token')),
  };
}
