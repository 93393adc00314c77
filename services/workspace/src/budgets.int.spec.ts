import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { limitStream, subjectFilters } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { WorkspaceSettings } from '@sluice/protos/sluice/workspace/v1/workspace';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let workspaceId: string;
const told: LimitsSet[] = [];
let changes = 0;
const stopping: AbortController[] = [];
beforeEach(async () => {
  told.length = 0;
  changes = 0;
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  workspaceId = await world.create({ slug: 'spending' });
  const listening = new AbortController();
  stopping.push(listening);
  const { signal } = listening;
  await world.bus.ensureStream(limitStream);
  void world.bus.consume({
    stream: limitStream.name,
    durable: 'test',
    filter: subjectFilters.limitsSet,
    batchMax: 10,
    signal,
    handle: async (messages) =>
      void told.push(...messages.map(({ data }) => LimitsSet.fromJSON(data))),
  });
  await world.bus.subscribe(subjectFilters.workspaceChanged, () => void changes++, { signal });
});
afterEach(async () => {
  stopping.pop()?.abort();
  await world.stop();
});

const dollar = 1_000_000_000n;
const set = (windowKind: string, dollars: bigint, includeByok?: boolean, accountId = 'org_1') =>
  world.client.setBudget({
    context: aContext(accountId),
    workspaceRef: 'spending',
    windowKind,
    limitNanoUsd: dollars * dollar,
    includeByok,
  });
const remove = (windowKind: string, accountId = 'org_1') =>
  world.client.removeBudget({
    context: aContext(accountId),
    workspaceRef: workspaceId,
    windowKind,
  });
const list = (accountId = 'org_1') =>
  world.client.listBudgets({ accountId, workspaceRef: workspaceId });
const policy = (accountId = 'org_1', id = workspaceId) =>
  world.client.getSpendPolicy({ accountId, workspaceId: id });
const limitsOf = (budgets: readonly { windowKind: string; limitNanoUsd: bigint }[]) =>
  budgets.map(({ windowKind, limitNanoUsd }) => [windowKind, limitNanoUsd / dollar]);
const until = (check: () => void) => eventually(check);

describe('the budgets of a workspace', () => {
  test('are set, read from the broadest window to the narrowest, and removed', async () => {
    const daily = await set('daily', 1n);
    await set('lifetime', 9n);
    await set('weekly', 4n);
    equal(daily.workspaceId, workspaceId);
    const { budgets, includeByok } = await list();
    deepEqual(limitsOf(budgets), [
      ['lifetime', 9n],
      ['weekly', 4n],
      ['daily', 1n],
    ]);
    equal(includeByok, false);
    const raised = await set('daily', 2n, true);
    equal(raised.budget?.budgetId, daily.budget?.budgetId);
    equal(raised.budget?.createdAt, daily.budget?.createdAt);
    equal((await list()).includeByok, true);
    await remove('weekly');
    await remove('weekly');
    deepEqual(limitsOf((await list()).budgets), [
      ['lifetime', 9n],
      ['daily', 2n],
    ]);
  });

  test('must fall strictly as the windows narrow', async () => {
    await set('weekly', 2n);
    await rejects(set('daily', 2n), {
      code: 'invalid_request',
      message: 'limit_usd: the daily limit of $2 must be lower than the weekly limit of $2',
    });
    await rejects(set('yearly', 1n), { code: 'invalid_request' });
    await rejects(set('daily', 0n), { code: 'invalid_request' });
  });

  test('of which two are set at once never contradict each other', async () => {
    await Promise.allSettled([set('daily', 5n), set('weekly', 4n), set('monthly', 3n)]);
    const limits = (await list()).budgets.map(({ limitNanoUsd }) => limitNanoUsd);
    ok(limits.length > 0);
    deepEqual(
      limits,
      [...new Set(limits)].toSorted((one, other) => (one < other ? 1 : -1)),
    );
  });

  test('are set 20 times at once by two processes, and each of them succeeds', async () => {
    const replica = await world.startReplica();
    const setDaily = (client: WorkspaceWorld['client'], index: number) =>
      client.setBudget({
        context: aContext(),
        workspaceRef: 'spending',
        windowKind: 'daily',
        limitNanoUsd: BigInt(1 + index) * dollar,
        includeByok: undefined,
      });
    const indices = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      indices.map((index) => setDaily(index % 2 === 0 ? world.client : replica.client, index)),
    );
    await replica.stop();
    deepEqual(
      answers.map(({ budget }) => budget?.limitNanoUsd),
      indices.map((index) => BigInt(1 + index) * dollar),
    );
    const ids = new Set(answers.map(({ budget }) => budget?.budgetId));
    equal(ids.size, 1);
  });

  test('are its own account’s only', async () => {
    await set('daily', 1n);
    await rejects(list('org_2'), { code: 'not_found' });
    await rejects(set('daily', 2n, undefined, 'org_2'), { code: 'not_found' });
    await rejects(remove('daily', 'org_2'), { code: 'not_found' });
    deepEqual(limitsOf((await list()).budgets), [['daily', 1n]]);
  });
});

describe('what a workspace may spend', () => {
  const dead = {
    isAlive: false,
    budgets: [],
    includeByok: false,
    defaultTextModel: undefined,
    defaultProviderSort: undefined,
    disabledServerTools: [],
    defaultPlugins: [],
    modelAliases: [],
    observation: '',
    givesData: false,
    contentLogging: undefined,
  };

  test('is told in full with each change, and says so at once', async () => {
    const before = changes;
    await set('daily', 1n, true);
    const { isAlive, budgets, includeByok } = await policy();
    deepEqual([isAlive, limitsOf(budgets), includeByok], [true, [['daily', 1n]], true]);
    await until(() => ok(changes > before));
    await until(() => equal(told.length, 1));
    const { accountId, scopeKind, scopeId, limits, ...rest } = told[0] as LimitsSet;
    deepEqual([accountId, scopeKind, scopeId], ['org_1', 'workspace', workspaceId]);
    deepEqual(limitsOf(limits), [['daily', 1n]]);
    equal(rest.includeByok, true);
    await remove('daily');
    await until(() => equal(told.length, 2));
    deepEqual(told[1]?.limits, []);
    ok((told[1]?.revision ?? 0n) > rest.revision);
  });

  test('comes with the contents that the workspace stores, if it stores any', async () => {
    const store = async (settings: object, ...changedSettings: string[]) => {
      await world.client.updateWorkspace({
        context: aContext(),
        workspaceRef: workspaceId,
        name: undefined,
        slug: undefined,
        settings: WorkspaceSettings.fromJSON({ ioLoggingSamplingRate: 1, ...settings }),
        changedSettings,
      });
      return (await policy()).contentLogging;
    };
    const [on, rate, ids] = [
      'is_observability_io_logging_enabled',
      'io_logging_sampling_rate',
      'io_logging_api_key_ids',
    ];
    equal((await policy()).contentLogging, undefined);
    const before = changes;
    const all = { samplingRate: 1, apiKeyIds: undefined };
    deepEqual(await store({ isObservabilityIoLoggingEnabled: true }, on), all);
    await until(() => ok(changes > before));
    const some = { ioLoggingSamplingRate: 0.25, ioLoggingApiKeyIds: { ids: ['7'] } };
    deepEqual(await store(some, rate, ids), { samplingRate: 0.25, apiKeyIds: { ids: [7n] } });
    await rejects(store({ ioLoggingApiKeyIds: { ids: [String(2n ** 48n)] } }, ids), {
      code: 'invalid_request',
    });
    equal(await store({}, on), undefined);
  });

  test('comes with what its requests get that do not say it themselves', async () => {
    const { defaultTextModel, defaultProviderSort, givesData } = await policy();
    deepEqual([defaultTextModel, defaultProviderSort, givesData], [undefined, undefined, false]);
    const before = changes;
    await world.client.updateWorkspace({
      context: aContext(),
      workspaceRef: workspaceId,
      name: undefined,
      slug: undefined,
      settings: WorkspaceSettings.fromJSON({
        defaultTextModel: 'sim/echo',
        defaultProviderSort: 'price',
        isDataDiscountLoggingEnabled: true,
      }),
      changedSettings: [
        'default_text_model',
        'default_provider_sort',
        'is_data_discount_logging_enabled',
      ],
    });
    const changed = await policy();
    deepEqual([changed.defaultTextModel, changed.defaultProviderSort], ['sim/echo', 'price']);
    equal(changed.givesData, true);
    await until(() => ok(changes > before));
  });

  test('is told although the process died before it could say so', async () => {
    world.bus.setConnected(false);
    await set('daily', 1n);
    await world.restart();
    const before = changes;
    world.bus.setConnected(true);
    await until(() => equal(told.length, 1));
    await until(() => ok(changes > before));
  });

  test('is nothing when it is deleted, was never there, or is another account’s', async () => {
    await set('daily', 1n);
    deepEqual(await policy('org_2'), dead);
    deepEqual(await policy('org_1', randomUUID()), dead);
    deepEqual(await policy('org_1', 'spending'), dead);
    const request = { context: aContext(), workspaceRef: workspaceId, confirmDefault: false };
    await world.client.deleteWorkspace(request);
    deepEqual(await policy(), dead);
    await until(() => deepEqual(told.at(-1)?.limits, []));
  });
});
