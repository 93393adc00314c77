import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Secret } from '@sluice/boot';
import type { Database } from '@sluice/read-model';
import { findPepperCheck, storePepperCheck } from '../store/pepper-checks.ts';
import type { Peppers } from './key-digest.ts';

/** The keys of this database were digested under another pepper: this process would refuse each of them. */
export class WrongPepper extends Error {
  override readonly name = 'WrongPepper';

  constructor(version: number) {
    super(
      `The API keys in this database were made under another pepper of version ${version} than this process has: ` +
        'give it the pepper of the other replicas (SLUICE_KEY_PEPPER, SLUICE_KEY_PEPPER_PREVIOUS, or ' +
        'secrets/key-pepper of the data directory) or its backup. See docs/operations/backup.md.',
    );
  }
}

const salt = 'sluice pepper check';
const digestBytes = 32;
/** A slow function: a stolen database must not be a place to try guesses of a pepper. */
const slowDigest = promisify<string, string, number, Buffer>(scrypt);

/**
 * Compares each pepper of this process with the check value of the database, or stores one where there is none: of
 * several processes that start at once with different peppers, the first to store it goes on. Throws WrongPepper.
 */
export async function assertPeppers(database: Database, peppers: Peppers): Promise<void> {
  for (const [version, pepper] of peppers.byVersion) {
    const digest = await digestOf(pepper);
    if ((await storePepperCheck(database, version, digest)) !== digest)
      throw new WrongPepper(version);
  }
}

/** Compares a pepper with the check value of the database, and changes nothing. */
export async function examinePepper(
  database: Database,
  version: number,
  pepper: Secret,
): Promise<'same' | 'other' | 'unknown'> {
  const known = await findPepperCheck(database, version);
  if (known === undefined) return 'unknown';
  return known === (await digestOf(pepper)) ? 'same' : 'other';
}

async function digestOf(pepper: Secret): Promise<string> {
  return (await slowDigest(pepper.reveal(), salt, digestBytes)).toString('hex');
}
