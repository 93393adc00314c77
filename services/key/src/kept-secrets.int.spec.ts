import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { type EventStore } from '@sluice/es';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { issueAttempts } from './store/issue-attempts.ts';
import { aContext, type KeyWorld, keyWorld, openToAll } from './testing/key-world.ts';

let world: KeyWorld;
/** So many next appends are written, and their answer is lost. */
let lostAnswers = 0;

beforeEach(async () => {
  lostAnswers = 0;
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  const store = world.eventStore;
  const append: EventStore['append'] = async (...given) => {
    const result = await store.append(...given);
    if (lostAnswers-- > 0) throw new Fault('event_store_unavailable', { retryAfterSeconds: 1 });
    return result;
  };
  await world.restart({ eventStore: { ...store, append } });
});
afterEach(() => world.stop());

const accountId = 'org_1';
const kept = async () =>
  await world.database.query<{ text: string }>({
    text: `SELECT issue_attempts::text AS text FROM issue_attempts WHERE ciphertext IS NOT NULL`,
    values: [],
  });
const anOperator = (commandId: string) =>
  aContext({ commandId, actorType: 'system', actorId: 'operator' });
const again = (commandId: string, kind: KeyKind) =>
  world.issue({ context: anOperator(commandId), kind, keepSecret: true });
const age = (minutes: number) =>
  world.database.query({
    text: `UPDATE issue_attempts SET noted_at = noted_at - make_interval(mins => $1)`,
    values: [minutes],
  });

const kinds = [
  ['an API key', KeyKind.KEY_KIND_REGULAR],
  ['a management key', KeyKind.KEY_KIND_MANAGEMENT],
] as const;

describe.each(kinds)('the answer with the secret of %s', (_name, kind) => {
  test('that was lost because the append took too long is given again, also by another process', async () => {
    const commandId = randomUUID();
    lostAnswers = 1;
    await rejects(again(commandId, kind), { code: 'event_store_unavailable' });
    const { secret, key } = await again(commandId, kind);
    await world.restart();
    const other = await again(commandId, kind);
    deepEqual([other.secret, other.key.hash], [secret, key.hash]);
    equal((await world.client.resolveKey({ hash: key.hash, secret })).key?.hash, key.hash);
  });

  test('is gone once it was delivered', async () => {
    const commandId = randomUUID();
    const { key } = await again(commandId, kind);
    await world.client.confirmDelivery({ accountId, commandId });
    deepEqual(await kept(), []);
    await rejects(again(commandId, kind), { code: 'conflict', metadata: { hash: key.hash } });
  });

  test('is gone after 10 minutes', async () => {
    const commandId = randomUUID();
    const { key, secret } = await again(commandId, kind);
    await age(9);
    equal((await again(commandId, kind)).secret, secret);
    await issueAttempts(world.database).eraseOldSecrets();
    equal((await kept()).length, 1);
    await age(1);
    await rejects(again(commandId, kind), { code: 'conflict', metadata: { hash: key.hash } });
    await issueAttempts(world.database).eraseOldSecrets();
    deepEqual(await kept(), []);
  });

  test('lies in the database sealed, and only when the command may be sent again', async () => {
    const { secret } = await again(randomUUID(), kind);
    const [row] = await kept();
    equal(row?.text.includes(secret), false);
    equal(row?.text.includes(Buffer.from(secret).toString('base64')), false);
    await world.issue({ context: anOperator(randomUUID()), kind });
    equal((await kept()).length, 1);
  });
});

test('the secret of another account is not given, and not erased', async () => {
  const commandId = randomUUID();
  const { secret } = await again(commandId, KeyKind.KEY_KIND_REGULAR);
  await world.client.confirmDelivery({ accountId: 'org_2', commandId });
  equal((await again(commandId, KeyKind.KEY_KIND_REGULAR)).secret, secret);
});

test('a provider credential whose answer was lost is the same credential when it is added again', async () => {
  const request = {
    context: aContext(),
    provider: 'openai',
    secret: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789',
    workspaceId: '',
    settings: openToAll,
  };
  lostAnswers = 1;
  await rejects(world.byok.addCredential(request), { code: 'event_store_unavailable' });
  const { credential } = await world.byok.addCredential(request);
  const added = (await world.byok.addCredential(request)).credential;
  equal(added?.credentialId, credential?.credentialId);
});
