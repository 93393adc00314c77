import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'vitest';
import { open, rewrap, seal } from '../envelope.ts';
import type { KeyManagement } from '../key-management.ts';

export interface ManagedKeys {
  readonly keys: KeyManagement;
  /** Rotates the key-encryption key as an operator does. */
  rotate(): Promise<void>;
  /** The key-encryption keys are gone; new ones are there. */
  lose(): Promise<void>;
}

const owner = { accountId: 'org_1', recordId: 'credential-1' };
const secret = Buffer.from('sk-upstream-secret');
const flipped = (bytes: Uint8Array, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

/** Checks a keeper of key-encryption keys. */
export function keyManagementContract(manage: () => Promise<ManagedKeys>): void {
  describe('a data key', () => {
    const context = Buffer.from('context');
    test('comes back as it was wrapped', async () => {
      const { keys } = await manage();
      const dataKey = randomBytes(32);
      const wrapped = await keys.wrap(dataKey, context);
      equal(wrapped.keyVersion, await keys.newestVersion());
      ok(!Buffer.from(wrapped.wrapped).includes(dataKey));
      deepEqual(Buffer.from(await keys.unwrap(wrapped, context)), dataKey);
    });

    test('does not come back for another context', async () => {
      const { keys } = await manage();
      const wrapped = await keys.wrap(randomBytes(32), context);
      const other = Buffer.from('contexT');
      await rejects(keys.unwrap(wrapped, other), { reason: 'tampered' });
    });
  });

  describe('a sealed secret', () => {
    test('is opened by its owner only', async () => {
      const { keys } = await manage();
      const envelope = await seal(keys, owner, secret);
      deepEqual(Buffer.from(await open(keys, owner, envelope)), secret);
      for (const stranger of [
        { ...owner, accountId: 'org_2' },
        { ...owner, recordId: 'credential-2' },
        { accountId: 'org_1","credential-1', recordId: '' },
      ])
        await rejects(open(keys, stranger, envelope), { reason: 'tampered' });
    });

    test('is another one each time, and shows nothing of the secret', async () => {
      const { keys } = await manage();
      const [one, other] = [await seal(keys, owner, secret), await seal(keys, owner, secret)];
      notDeepEqual(one.ciphertext, other.ciphertext);
      for (const { ciphertext, wrappedKey } of [one, other])
        ok(!Buffer.concat([ciphertext, wrappedKey]).includes(secret));
    });

    test('is refused when any byte of its ciphertext was changed, or some are missing', async () => {
      const { keys } = await manage();
      const { ciphertext, ...rest } = await seal(keys, owner, secret);
      for (let at = 0; at < ciphertext.length; at++) {
        const envelope = { ...rest, ciphertext: flipped(ciphertext, at) };
        await rejects(open(keys, owner, envelope), { reason: 'tampered' });
      }
      for (const length of [0, 1, 27, ciphertext.length - 1]) {
        const envelope = { ...rest, ciphertext: ciphertext.subarray(0, length) };
        await rejects(open(keys, owner, envelope), { reason: 'tampered' });
      }
    });

    test('is refused with the data key of another one', async () => {
      const { keys } = await manage();
      const [one, other] = [await seal(keys, owner, secret), await seal(keys, owner, secret)];
      const mixed = { ...one, wrappedKey: other.wrappedKey };
      await rejects(open(keys, owner, mixed), { reason: 'tampered' });
    });

    test('stays readable when the key-encryption key is rotated, and is wrapped anew on demand', async () => {
      const managed = await manage();
      const { keys } = managed;
      const envelope = await seal(keys, owner, secret);
      equal(await rewrap(keys, owner, envelope), undefined);
      await managed.rotate();
      deepEqual(Buffer.from(await open(keys, owner, envelope)), secret);
      const again = await rewrap(keys, owner, envelope);
      ok(again && again.keyVersion === (await keys.newestVersion()));
      notDeepEqual(again.keyVersion, envelope.keyVersion);
      deepEqual(again.ciphertext, envelope.ciphertext);
      deepEqual(Buffer.from(await open(keys, owner, again)), secret);
      await rejects(rewrap(keys, { ...owner, accountId: 'org_2' }, envelope), {
        reason: 'tampered',
      });
    });

    test('is lost with the key-encryption key, and says so', async () => {
      const managed = await manage();
      await managed.rotate();
      const envelope = await seal(managed.keys, owner, secret);
      await managed.lose();
      await rejects(open(managed.keys, owner, envelope), { reason: 'key_lost' });
    });
  });
}
