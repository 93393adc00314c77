import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localKeyManagement } from '@sluice/envelope';
import { assertEnvelopeKeys } from '@sluice/sealed-secrets';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, onTestFinished, test } from 'vitest';
import { defaultWorkspaceId as workspaceId, keyWorld, type KeyWorld } from './testing/key-world.ts';

const accountId = 'org_1';
const wrongKeys = { name: 'WrongEnvelopeKeys' };
import { byokSecrets as secrets } from './store/byok-secrets.ts';
let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

async function otherKeys() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return await localKeyManagement(join(folder, 'envelope-keys'));
}
const sql = (text: string) => world.database.query({ text, values: [] });
const openOnly = async () => {
  const [one] = (await world.use.listUsable({ accountId, workspaceId })).credentials;
  const credentialId = one?.credential?.credentialId ?? '';
  return await world.use.openSecret({ accountId, credentialId, secretId: one?.secretId ?? '' });
};

describe('a key service with other envelope keys than its database', () => {
  test('refuses to start, with a sentence, whether or not there are credentials yet', async () => {
    const keyManagement = await otherKeys();
    await rejects(world.restart({ keyManagement }), (error: Error) => {
      match(error.message, /sealed under other envelope keys .*SLUICE_ENVELOPE_KEY_FILE/);
      return error.name === wrongKeys.name;
    });
    await world.restart();
    await world.addCredential();
    await rejects(world.restart({ keyManagement }), wrongKeys);
    await world.restart();
    await openOnly();
  });

  test('refuses on a database of before there was a check, by its secrets', async () => {
    await world.addCredential();
    await sql('DELETE FROM envelope_key_check');
    await rejects(world.restart({ keyManagement: await otherKeys() }), wrongKeys);
    deepEqual(await sql('SELECT 1 FROM envelope_key_check'), []);
    await world.restart();
    await openOnly();
  });

  test('refuses after a rotation that its key file has not got', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await sql('DELETE FROM envelope_key_check');
    const path = join(folder, 'envelope-keys');
    const rotated = await localKeyManagement(path);
    const { database } = world;
    await assertEnvelopeKeys({ database, secrets, keyManagement: rotated });
    await rotated.rotate();
    await world.restart({ keyManagement: rotated });
    await world.until(async () => {
      deepEqual(await sql('SELECT key_version AS "keyVersion" FROM envelope_key_check'), [
        { keyVersion: '2' },
      ]);
    });
    await assertEnvelopeKeys({ database, secrets, keyManagement: rotated });
    await rejects(
      assertEnvelopeKeys({ database, secrets, keyManagement: await otherKeys() }),
      wrongKeys,
    );
  });
});

test('of two replicas that start at once on an empty database with different keys, one wins', async () => {
  for (let round = 0; round < 10; round++) {
    await sql('DELETE FROM envelope_key_check');
    const { database } = world;
    const outcomes = await Promise.allSettled(
      [await otherKeys(), await otherKeys(), await otherKeys()].map((keyManagement) =>
        assertEnvelopeKeys({ database, secrets, keyManagement }),
      ),
    );
    deepEqual(outcomes.map(({ status }) => status).toSorted(), [
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  }
});

test('a secret that cannot be opened is told to routing, to the log and to the metrics', async () => {
  const lines: string[] = [];
  const logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (message: string) => void lines.push(message),
  };
  const telemetry = createTelemetry({ serviceName: 'key', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  await world.restart({ logger, telemetry });
  const credentialId = await world.addCredential();
  await sql(`UPDATE byok_secrets SET ciphertext = reverse(rtrim(ciphertext, '='))`);
  await rejects(openOnly(), { code: 'credential_unavailable' });
  deepEqual(lines, [`the provider credential ${credentialId} cannot be opened`]);
  const metrics = await telemetry.prometheus();
  equal(
    /credential_unreadable_total\{[^}]*reason="tampered"[^}]*\} 1/.test(metrics),
    true,
    metrics,
  );
});
