import { equal } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { createLogger } from '@sluice/logging';
import { eventually } from '@sluice/patience';
import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { createNoteUses } from '../note-uses-service.ts';
import { keyWorld, type KeyWorld } from '../testing/key-world.ts';

let world: KeyWorld;
let noting: ReturnType<typeof createNoteUses>;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  noting = await startNoting();
});
afterEach(async () => {
  await noting.stop();
  await world.stop();
});

async function startNoting() {
  const logger = createLogger({ service: 'key uses', level: 'silent' });
  const made = createNoteUses({ bus: world.bus, database: world.database, logger });
  await made.start();
  return made;
}

let facts = 0;
async function used(keyHash: string, admittedAt: string, accountId = 'org_1'): Promise<void> {
  const usageId = `gen-${facts++}/1/1`;
  const fact = UsageRecorded.fromPartial({ usageId, accountId, keyHash, admittedAt });
  await publish(usageId, [UsageRecorded.toJSON(fact)], accountId);
}
async function publish(id: string, facts: readonly unknown[], accountId = 'org_1'): Promise<void> {
  await world.bus.publishFact(subjects.usageRecorded(accountId), id, { facts });
}
const lastUsed = async (hash: string) =>
  (await world.client.getKey({ accountId: 'org_1', hash })).key?.lastUsedAt;
const until = (hash: string, instant: string) =>
  eventually(async () => equal(await lastUsed(hash), instant));

test('the last use of a key is told, to the minute, and never goes back', async () => {
  const { key } = await world.issue();
  const { key: marker } = await world.issue();
  equal(await lastUsed(key.hash), undefined);
  await used(key.hash, '2026-01-02T03:04:05.000Z');
  await until(key.hash, '2026-01-02T03:04:05.000Z');
  await used(key.hash, '2026-01-02T03:05:04.999Z');
  await used(key.hash, '2025-01-02T03:05:04.999Z');
  await used(key.hash, '2027-01-02T03:05:04.999Z', 'org_2');
  await used('no hash', '2026-01-02T03:05:04.999Z');
  await used(marker.hash, '2026-01-02T03:05:04.999Z');
  await until(marker.hash, '2026-01-02T03:05:04.999Z');
  equal(await lastUsed(key.hash), '2026-01-02T03:04:05.000Z');
  await used(key.hash, '2026-01-02T03:05:05.000Z');
  await until(key.hash, '2026-01-02T03:05:05.000Z');
});

test('what a client says is not taken for the key that it used', async () => {
  const { key } = await world.issue();
  const { key: other } = await world.issue();
  const admittedAt = '2026-01-02T03:04:05.000Z';
  const said = JSON.stringify({ accountId: 'org_1', keyHash: other.hash, admittedAt });
  const fact = { trace: said, accountId: 'org_1', externalUser: `"keyHash":"${other.hash}"` };
  await publish('said-1', [{ ...fact, keyHash: key.hash, admittedAt }]);
  await until(key.hash, admittedAt);
  equal(await lastUsed(other.hash), undefined);
});

test('what is no fact of usage does not hold up the others', async () => {
  const { key } = await world.issue();
  const subject = subjects.usageRecorded('org_1');
  await world.bus.publishFact(subject, 'bad-1', ['no', 'object']);
  await publish('bad-2', [{ accountId: 'org_1', keyHash: key.hash }]);
  await used(key.hash, '2026-01-02T03:04:05.000Z');
  await until(key.hash, '2026-01-02T03:04:05.000Z');
});

test('uses while nothing notes them are noted later', async () => {
  const { key } = await world.issue();
  await noting.stop();
  await used(key.hash, '2026-01-02T03:04:05.000Z');
  equal(await lastUsed(key.hash), undefined);
  noting = await startNoting();
  await until(key.hash, '2026-01-02T03:04:05.000Z');
});
