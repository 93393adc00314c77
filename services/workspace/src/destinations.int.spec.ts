import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { subjectFilters } from '@sluice/bus';
import { localKeyManagement } from '@sluice/envelope';
import { until } from '@sluice/patience';
import type {
  CreateDestinationRequest,
  DestinationSettings,
  UpdateDestinationRequest,
} from '@sluice/protos/sluice/workspace/v1/destination';
import { WorkspaceSettings } from '@sluice/protos/sluice/workspace/v1/workspace';
import { withoutAccountFilters } from '@sluice/read-model/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, inject, onTestFinished, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  await world.create({ isDefault: true, slug: 'default' });
});
afterAll(() => world.stop());

const accountId = 'org_1';
const signingSecret = 'a-signing-secret-of-the-webhook';
const settings: DestinationSettings = {
  name: 'Traces',
  enabled: true,
  privacyMode: false,
  samplingRate: 1,
  apiKeys: undefined,
  filterRules: undefined,
  broadcastGenerationCost: false,
  broadcastGenerationIdentity: false,
  broadcastGenerationRequestContext: false,
  regions: ['global'],
};
const unchanged = {
  config: undefined,
  name: undefined,
  enabled: undefined,
  privacyMode: undefined,
  samplingRate: undefined,
  apiKeys: undefined,
  filterRules: undefined,
  broadcastGenerationCost: undefined,
  broadcastGenerationIdentity: undefined,
  broadcastGenerationRequestContext: undefined,
  regions: [],
};
const webhook = { url: 'https://hooks.example.com/traces', signingSecret };

async function create(workspaceId: string, more: Partial<CreateDestinationRequest> = {}) {
  const { destination } = await world.destinations.createDestination({
    context: aContext(),
    workspaceId,
    type: 'webhook',
    config: JSON.stringify(webhook),
    settings,
    ...more,
  });
  ok(destination);
  return destination;
}
async function update(destinationId: string, more: Partial<UpdateDestinationRequest>) {
  const request = { context: aContext(), destinationId, ...unchanged, ...more };
  const { destination } = await world.destinations.updateDestination(request);
  ok(destination);
  return destination;
}
const remove = (destinationId: string, account = accountId) =>
  world.destinations.deleteDestination({ context: aContext(account), destinationId });
const get = (destinationId: string, account = accountId) =>
  world.destinations.getDestination({ accountId: account, destinationId });
const list = (workspaceId: string, account = accountId) =>
  world.destinations.listDestinations({ accountId: account, workspaceId, offset: 0, limit: 100 });
const usable = async (workspaceId = '', more: object = {}) => {
  const asked = { accountId, workspaceId, afterDestinationId: '', limit: 1_000, ...more };
  return (await world.use.listUsable(asked)).destinations;
};
const open = async (destinationId: string) => {
  const found = (await usable()).find((one) => one.destination?.destinationId === destinationId);
  const secretId = found?.secretId ?? '';
  const { config } = await world.use.openConfig({ accountId, destinationId, secretId });
  return JSON.parse(config) as object;
};
const broadcast = (workspaceId: string, isOn = true) =>
  world.client.updateWorkspace({
    context: aContext(),
    workspaceRef: workspaceId,
    name: undefined,
    slug: undefined,
    settings: WorkspaceSettings.fromJSON({ isObservabilityBroadcastEnabled: isOn }),
    changedSettings: ['is_observability_broadcast_enabled'],
  });
const sealedIds = async (destinationId: string) =>
  await world.database.query<{ secretId: string }>({
    text: 'SELECT secret_id AS "secretId" FROM destination_secrets WHERE destination_id = $1',
    values: [destinationId],
  });

describe('a destination', () => {
  test('can be read and listed at once, with a masked config, and opened for a delivery', async () => {
    const workspaceId = await world.create();
    const made = await create(workspaceId);
    deepEqual(JSON.parse(made.maskedConfig), {
      method: 'POST',
      url: webhook.url,
      signingSecret: 'a-s...hook',
    });
    deepEqual(made.settings, settings);
    deepEqual((await get(made.destinationId)).destination, made);
    const second = await create(workspaceId, {
      type: 'otel-collector',
      config: '{"endpoint":"http://127.0.0.2:4318"}',
    });
    deepEqual(await list(workspaceId), { destinations: [second, made], totalCount: 2n });
    deepEqual(await open(made.destinationId), { method: 'POST', ...webhook });
  });

  test('is in the default workspace when none is named', async () => {
    const made = await create('');
    const { destinations } = await list('');
    ok(destinations.some(({ destinationId }) => destinationId === made.destinationId));
    for (const wrong of [randomUUID(), 'no-workspace'])
      await rejects(create(wrong), { code: 'invalid_request', message: /workspace_id/ });
    await rejects(list(randomUUID()), { code: 'invalid_request' });
  });

  test('keeps its secrets out of the log, of the answers and of the table', async () => {
    const workspaceId = await world.create();
    const headers = { Authorization: 'Bearer of-the-receiver-4711' };
    const made = await create(workspaceId, { config: JSON.stringify({ ...webhook, headers }) });
    await update(made.destinationId, { config: '{"signingSecret":"another-signing-secret-4711"}' });
    const stored = [
      await Array.fromAsync(world.eventStore.read(`destinations-${accountId}`)),
      await list(workspaceId),
      await usable(),
      await world.database.query({ text: 'SELECT * FROM destinations', values: [] }),
      await world.database.query({ text: 'SELECT * FROM destination_secrets', values: [] }),
    ];
    for (const secret of [signingSecret, headers.Authorization, 'another-signing-secret-4711'])
      ok(
        !inspect(stored, { depth: 20, maxArrayLength: null, maxStringLength: null }).includes(
          secret,
        ),
      );
  });

  test('gets the changes of its config key by key; the config before is erased', async () => {
    const { destinationId, maskedConfig } = await create(await world.create());
    const [before] = await sealedIds(destinationId);
    const same = await update(destinationId, { config: maskedConfig });
    deepEqual(await sealedIds(destinationId), [before]);
    equal(same.maskedConfig, maskedConfig);
    const url = 'https://b.example.com/';
    const masked = (JSON.parse(maskedConfig) as typeof webhook).signingSecret;
    await update(destinationId, { config: JSON.stringify({ url, signingSecret: masked }) });
    deepEqual(await open(destinationId), { method: 'POST', url, signingSecret });
    const after = await sealedIds(destinationId);
    equal(after.length, 1);
    notEqual(after[0]?.secretId, before?.secretId);
    await update(destinationId, { config: '{"signingSecret":null,"method":"PUT"}' });
    deepEqual(await open(destinationId), { method: 'PUT', url });
    await rejects(update(destinationId, { config: '{"url":null}' }), /config.url: is required/);
    await rejects(update(destinationId, { config: '{"url":"https://10.0.0.1/"}' }), /config.url/);
  });

  test('gets the other changes, and null takes away what may be absent', async () => {
    const workspaceId = await world.create();
    const { destinationId } = await create(workspaceId);
    const hashes = ['f'.repeat(64)];
    world.organization.workspaceOfKey.set('f'.repeat(64), workspaceId);
    const filterRules = '{"groups":[{"rules":[{"field":"model","operator":"exists"}]}]}';
    const changed = await update(destinationId, {
      name: { name: undefined },
      samplingRate: 0.5,
      apiKeys: { keys: { hashes } },
      filterRules: { filterRules },
      regions: ['us', 'us'],
      broadcastGenerationCost: true,
    });
    deepEqual(changed.settings, {
      ...settings,
      name: undefined,
      samplingRate: 0.5,
      apiKeys: { hashes },
      filterRules,
      regions: ['us'],
      broadcastGenerationCost: true,
    });
    const cleared = await update(destinationId, {
      apiKeys: { keys: undefined },
      filterRules: { filterRules: undefined },
    });
    deepEqual(cleared.settings?.apiKeys, undefined);
    deepEqual(cleared.settings?.filterRules, undefined);
  });

  test('is one of five of its type, however many are created at once', async () => {
    const workspaceId = await world.create();
    const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => create(workspaceId)));
    equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5);
    await rejects(create(workspaceId), { code: 'conflict' });
    equal((await list(workspaceId)).totalCount, 5n);
  });

  test('is created once by a command that is sent twice', async () => {
    const workspaceId = await world.create();
    const context = aContext();
    const first = await create(workspaceId, { context });
    deepEqual(await create(workspaceId, { context }), first);
    equal((await list(workspaceId)).totalCount, 1n);
    deepEqual(await open(first.destinationId), { method: 'POST', ...webhook });
  });

  test('is gone after its deletion, with its config', async () => {
    const workspaceId = await world.create();
    const { destinationId } = await create(workspaceId);
    await remove(destinationId);
    await rejects(get(destinationId), { code: 'not_found' });
    await rejects(remove(destinationId), { code: 'not_found' });
    await rejects(update(destinationId, { enabled: false }), { code: 'not_found' });
    deepEqual(await sealedIds(destinationId), []);
    equal((await list(workspaceId)).totalCount, 0n);
  });

  test('names only keys of its workspace', async () => {
    const [workspaceId, otherId] = [await world.create(), await world.create()];
    const [own, foreign, unknown] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)];
    world.organization.workspaceOfKey.set(own, workspaceId).set(foreign, otherId);
    const naming = (...hashes: readonly string[]) => ({ hashes: [...hashes] });
    const refused = { code: 'invalid_request', message: /^api_key_hashes: / };
    const made = (hash: string) =>
      create(workspaceId, { settings: { ...settings, apiKeys: naming(hash) } });
    await rejects(made(foreign), refused);
    const { destinationId } = await made(own);
    for (const wrong of [foreign, unknown])
      await rejects(update(destinationId, { apiKeys: { keys: naming(own, wrong) } }), refused);
    const changed = await update(destinationId, { name: { name: 'Renamed' } });
    deepEqual(changed.settings?.apiKeys, naming(own));
  });

  test('is disabled with its workspace', async () => {
    const workspaceId = await world.create();
    const { destinationId } = await create(workspaceId);
    await world.client.deleteWorkspace({
      context: aContext(),
      workspaceRef: workspaceId,
      confirmDefault: false,
    });
    await until(async () => !(await get(destinationId)).destination?.settings?.enabled);
    ok(!(await usable()).some((one) => one.destination?.destinationId === destinationId));
  });
});

describe('the destinations that are sent to', () => {
  test('are the enabled ones, page by page, with the switch of their workspace', async () => {
    const workspaceId = await world.create();
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) ids.push((await create(workspaceId)).destinationId);
    await update(ids[0] ?? '', { enabled: false });
    const sorted = ids.slice(1).toSorted();
    const page = await usable(workspaceId, { limit: 1 });
    deepEqual(
      page.map(({ destination, isBroadcastEnabled }) => [
        destination?.destinationId,
        isBroadcastEnabled,
      ]),
      [[sorted[0], false]],
    );
    const [second] = await usable(workspaceId, { limit: 1, afterDestinationId: sorted[0] });
    equal(second?.destination?.destinationId, sorted[1]);
    const all = await usable('', { accountId: '' });
    for (const id of sorted) ok(all.some(({ destination }) => destination?.destinationId === id));
    deepEqual(await usable(workspaceId, { accountId: 'org_2' }), []);
    for (const limit of [0, 1_001])
      await rejects(usable('', { limit }), { code: 'invalid_request' });
  });

  test('are usable from the last time on that they or their workspace were switched on', async () => {
    const workspaceId = await world.create();
    const { destinationId, createdAt } = await create(workspaceId);
    const since = async () => (await usable(workspaceId))[0]?.usableSince ?? '';
    equal(await since(), '');
    await broadcast(workspaceId);
    const first = await until(async () => (await since()) || undefined);
    ok(first >= createdAt, `${first} ${createdAt}`);
    await update(destinationId, { name: { name: 'Renamed' } });
    equal(await since(), first);
    await update(destinationId, { enabled: false });
    await update(destinationId, { enabled: true });
    const second = await since();
    ok(second > first, `${second} ${first}`);
    await broadcast(workspaceId, false);
    await until(async () => (await since()) === '');
    await broadcast(workspaceId);
    const third = await until(async () => (await since()) || undefined);
    ok(third > second, `${third} ${second}`);
  });

  test('are told of each change, also of the switch, after the read model shows it', async () => {
    const workspaceId = await world.create();
    const heard: unknown[] = [];
    const signal = new AbortController();
    onTestFinished(() => signal.abort());
    await world.bus.subscribe(
      subjectFilters.destinationsChanged,
      ({ data }) => void heard.push(data),
      { signal: signal.signal },
    );
    const { destinationId } = await create(workspaceId);
    // Notices of earlier changes may still come.
    await until(() => heard.some((message) => !(message as { isRevoked: boolean }).isRevoked));
    heard.length = 0;
    await broadcast(workspaceId);
    await until(() => heard.some((message) => (message as { isRevoked: boolean }).isRevoked));
    const [one] = await usable(workspaceId);
    deepEqual([one?.destination?.destinationId, one?.isBroadcastEnabled], [destinationId, true]);
  });

  test('say what they want of the generations of a workspace that broadcasts', async () => {
    const workspaceId = await world.create();
    const wanted = async () =>
      (await world.client.getSpendPolicy({ accountId, workspaceId })).observation;
    const { destinationId } = await create(workspaceId, {
      settings: { ...settings, privacyMode: true },
    });
    equal(await wanted(), '');
    await broadcast(workspaceId);
    equal(await wanted(), 'ends');
    const second = await create(workspaceId);
    equal(await wanted(), 'contents');
    await update(second.destinationId, { enabled: false });
    equal(await wanted(), 'ends');
    await remove(destinationId);
    equal(await wanted(), '');
  });

  test('open with their current config only, while they are enabled', async () => {
    const { destinationId } = await create(await world.create());
    const [one] = (await usable()).filter((it) => it.destination?.destinationId === destinationId);
    const secretId = one?.secretId ?? '';
    const place = { accountId, destinationId, secretId };
    ok(await world.use.openConfig(place));
    for (const wrong of [
      { accountId: 'org_2' },
      { secretId: randomUUID() },
      { destinationId: 'x' },
    ])
      await rejects(world.use.openConfig({ ...place, ...wrong }), { code: 'not_found' });
    await update(destinationId, { enabled: false });
    await rejects(world.use.openConfig(place), { code: 'not_found' });
  });
});

describe('another account', () => {
  test('neither finds nor changes a destination, also without the filters of the questions', async () => {
    const workspaceId = await world.create();
    const { destinationId } = await create(workspaceId);
    const look = async () => {
      await rejects(get(destinationId, 'org_2'), { code: 'not_found' });
      await rejects(list(workspaceId, 'org_2'), { code: 'invalid_request' });
      await rejects(remove(destinationId, 'org_2'), { code: 'not_found' });
      await rejects(update(destinationId, { context: aContext('org_2'), enabled: false }), {
        code: 'not_found',
      });
      await rejects(create(workspaceId, { context: aContext('org_2') }), {
        code: 'invalid_request',
      });
    };
    await look();
    await world.restart({ database: withoutAccountFilters(world.database) });
    onTestFinished(() => world.restart({ database: world.database }).then(() => undefined));
    await look();
    ok((await get(destinationId)).destination);
  });
});

test('a service with other envelope keys than its database does not start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const keyManagement = await localKeyManagement(join(folder, 'envelope-keys'));
  await create(await world.create());
  await rejects(world.restart({ keyManagement }), { name: 'WrongEnvelopeKeys' });
  await world.restart({});
});
