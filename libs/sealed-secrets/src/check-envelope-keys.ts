import {
  type Envelope,
  type KeyManagement,
  open,
  type Owner,
  rewrap,
  seal,
  UnreadableEnvelope,
} from '@sluice/envelope';
import type { Database } from '@sluice/read-model';
import { findKeyCheck, rewrapKeyCheck, storeKeyCheck } from './key-check-row.ts';
import { ownerOf } from './seal-secret.ts';
import type { SecretTable } from './secret-table.ts';

export interface KeyCheckDependencies {
  readonly database: Database;
  readonly keyManagement: KeyManagement;
  readonly secrets: SecretTable;
}

/** The database has secrets that this process cannot open, and would seal others that no other process can. */
export class WrongEnvelopeKeys extends Error {
  override readonly name = 'WrongEnvelopeKeys';

  constructor() {
    super(
      'The secrets in this database were sealed under other envelope keys than this process has: ' +
        'give it the key file of the other replicas (SLUICE_ENVELOPE_KEY_FILE) or its backup, or the same transit key.',
    );
  }
}

const owner: Owner = { accountId: '', recordId: 'envelope key check' };
const checkValue = 'sluice';
/** The number of secrets that are tried in a database without a stored check. */
const triedMax = 100;

/**
 * Opens the check value of the database, or stores one where there is none: of several processes that start at
 * once with different keys, the first to store it goes on. Throws WrongEnvelopeKeys.
 */
export async function assertEnvelopeKeys({
  database,
  keyManagement,
  secrets,
}: KeyCheckDependencies): Promise<void> {
  let check = await findKeyCheck(database);
  if (!check) {
    await assertOpensSecrets({ database, keyManagement, secrets });
    check = await storeKeyCheck(
      database,
      await seal(keyManagement, owner, Buffer.from(checkValue)),
    );
  }
  if (!(await opens(keyManagement, owner, check))) throw new WrongEnvelopeKeys();
}

/** Keeps the check under the newest key, so that a key file without it is found out, too. */
export async function rewrapCheck({
  database,
  keyManagement,
}: Omit<KeyCheckDependencies, 'secrets'>): Promise<void> {
  const check = await findKeyCheck(database);
  const again = check && (await rewrap(keyManagement, owner, check));
  if (again) await rewrapKeyCheck(database, again, check.keyVersion);
}

/** Throws where there are secrets and none of them opens. One that does shows that these are the keys. */
async function assertOpensSecrets({
  database,
  keyManagement,
  secrets,
}: KeyCheckDependencies): Promise<void> {
  const oldest = await secrets.oldest(database, triedMax);
  for (const secret of oldest)
    if (await opens(keyManagement, ownerOf(secret), secret.envelope)) return;
  if (oldest.length > 0) throw new WrongEnvelopeKeys();
}

async function opens(keys: KeyManagement, of: Owner, envelope: Envelope): Promise<boolean> {
  try {
    await open(keys, of, envelope);
    return true;
  } catch (error) {
    if (error instanceof UnreadableEnvelope) return false;
    throw error;
  }
}
