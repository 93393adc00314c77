import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  activateWorkspaceId,
  organizationId as accountId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
});
afterEach(() => world.stop());

async function draft(): Promise<string> {
  const { endpoint } = await world.createEndpoint();
  ok(endpoint);
  return endpoint.endpointId;
}
const get = async (endpointId: string) =>
  (await world.privateEndpoints.getPrivateEndpoint({ accountId, endpointId })).endpoint;
const validate = async (endpointId: string, workspaceId = activateWorkspaceId) => {
  const asked = { context: aContext(), endpointId, workspaceId };
  return (await world.privateEndpoints.validatePrivateEndpoint(asked)).validation;
};
const activate = (endpointId: string) =>
  world.privateEndpoints.activatePrivateEndpoint({ context: aContext(), endpointId });
const disable = (endpointId: string) =>
  world.privateEndpoints.disablePrivateEndpoint({ context: aContext(), endpointId });
const remove = (endpointId: string, draftOnly = false) =>
  world.privateEndpoints.deletePrivateEndpoint({ context: aContext(), endpointId, draftOnly });
const usable = async (asked = accountId) =>
  (await world.endpointUse.listActiveEndpoints({ accountId: asked })).endpoints.map(
    ({ endpointId }) => endpointId,
  );

describe('a private endpoint', () => {
  test('is found at once, with the names of the catalog', async () => {
    const id = await draft();
    const endpoint = await get(id);
    deepEqual(
      [endpoint?.status, endpoint?.modelPermaslug, endpoint?.modelSlug, endpoint?.providerName],
      ['draft', 'acme/large-2026', 'acme/large', 'Acme'],
    );
    deepEqual(endpoint?.pricing, { prompt: '0', completion: '0' });
    world.endpointChecks.models.clear();
    world.endpointChecks.providers.clear();
    const later = await get(id);
    deepEqual(
      [later?.modelSlug, later?.modelName, later?.isProviderKnown, later?.providerName],
      [undefined, undefined, false, 'Acme'],
    );
  });

  test('has the price of the catalog, unless another one is given', async () => {
    world.endpointChecks.pricing = { prompt: '1', completion: '2' };
    deepEqual((await get(await draft()))?.pricing, { prompt: '1', completion: '2' });
    const pricing = { prompt: '0.5', completion: '0' };
    deepEqual((await world.createEndpoint({ pricing })).endpoint?.pricing, pricing);
  });

  test('is listed with the newest first, and used only while it is active', async () => {
    const first = await draft();
    const second = await draft();
    const { endpoints } = await world.privateEndpoints.listPrivateEndpoints({ accountId });
    deepEqual(
      endpoints.map(({ endpointId }) => endpointId),
      [second, first],
    );
    deepEqual(await usable(), []);
    equal((await validate(first))?.passed, true);
    equal((await activate(first)).endpoint?.status, 'active');
    deepEqual(await usable(), [first]);
    equal((await disable(first)).endpoint?.status, 'disabled');
    deepEqual(await usable(), []);
    await world.privateEndpoints.enablePrivateEndpoint({ context: aContext(), endpointId: first });
    deepEqual(await usable(), [first]);
    await rejects(remove(first, true), { code: 'conflict' });
    await remove(first);
    deepEqual(await usable(), []);
    await rejects(get(first), { code: 'not_found' });
  });

  test('of a model, of a provider or with an address that cannot be is none', async () => {
    const refused = (more: object, code: string) => rejects(world.createEndpoint(more), { code });
    await refused({ modelPermaslug: 'acme/none' }, 'not_found');
    await refused({ provider: 'none' }, 'not_found');
    await refused({ baseUrl: 'https://10.0.0.1/v1' }, 'invalid_request');
    await refused({ baseUrl: undefined }, 'invalid_request');
    await refused({ declaredRegion: 'mars' }, 'invalid_request');
    const { endpoints } = await world.privateEndpoints.listPrivateEndpoints({ accountId });
    deepEqual(endpoints, []);
  });

  test('is made once with one idempotency key, as it is now', async () => {
    const idempotencyKey = 'one';
    const first = (await world.createEndpoint({ idempotencyKey })).endpoint?.endpointId ?? '';
    const pricing = { prompt: '1', completion: '0' };
    const context = aContext();
    await world.privateEndpoints.repricePrivateEndpoint({ context, endpointId: first, pricing });
    const again = await world.createEndpoint({ idempotencyKey, activateWorkspaceId });
    deepEqual([again.endpoint?.endpointId, again.endpoint?.pricing], [first, pricing]);
    deepEqual(
      [again.endpoint?.status, again.validation, again.failure],
      ['draft', undefined, undefined],
    );
    await rejects(world.createEndpoint({ idempotencyKey, upstreamModelId: 'other' }), {
      code: 'unprocessable',
      metadata: { reason: 'idempotency_key_reused' },
    });
    await remove(first);
    await rejects(world.createEndpoint({ idempotencyKey }), { code: 'not_found' });
  });

  test('is made once when many ask at once with one key', async () => {
    const asked = Array.from({ length: 20 }, () => world.createEndpoint({ idempotencyKey: 'k' }));
    const made = (await Promise.all(asked)).map(({ endpoint }) => endpoint?.endpointId);
    equal(new Set(made).size, 1);
  });

  test('is nobody else’s, and none of a personal account', async () => {
    const id = await draft();
    const asked = { accountId: personalId, endpointId: id };
    await rejects(world.privateEndpoints.getPrivateEndpoint(asked), { code: 'permission_denied' });
    await rejects(world.privateEndpoints.listPrivateEndpoints({ accountId: personalId }), {
      code: 'permission_denied',
    });
    await rejects(world.createEndpoint({ context: aContext(personalId) }), {
      code: 'permission_denied',
    });
    await rejects(get(randomUUID()), { code: 'not_found' });
    await rejects(get('x'), { code: 'not_found' });
    await rejects(disable(randomUUID()), { code: 'not_found' });
    await rejects(validate(randomUUID()), { code: 'not_found' });
  });
});

describe('the upstream of a draft', () => {
  const reconfigure = (endpointId: string, more: object) =>
    world.privateEndpoints.reconfigurePrivateEndpoint({
      context: aContext(),
      endpointId,
      upstreamModelId: 'ours',
      baseUrl: undefined,
      declaredZdr: undefined,
      declaredRegion: undefined,
      ...more,
    });

  test('is changed, and must pass again', async () => {
    const id = await draft();
    await validate(id);
    const declaredZdr = { declaredZdr: true };
    const { endpoint } = await reconfigure(id, { upstreamModelId: 'other', declaredZdr });
    deepEqual([endpoint?.upstreamModelId, endpoint?.declaredZdr], ['other', true]);
    const declaredNone = { declaredZdr: { declaredZdr: undefined } };
    const none = await reconfigure(id, { upstreamModelId: 'other', ...declaredNone });
    equal(none.endpoint?.declaredZdr, undefined);
    await rejects(activate(id), { code: 'conflict', metadata: { reason: 'not_validated' } });
    await rejects(reconfigure(id, { baseUrl: 'https://10.0.0.1' }), { code: 'invalid_request' });
    await rejects(reconfigure(randomUUID(), { baseUrl: 'https://a.example' }), {
      code: 'not_found',
    });
  });

  test('that fails a check does not become active', async () => {
    const id = await draft();
    world.endpointChecks.failing = { name: 'auth_ok', reason: 'upstream_error' };
    const validation = await validate(id);
    equal(validation?.passed, false);
    deepEqual(
      validation?.checks.filter(({ passed }) => !passed).map(({ name, reason }) => [name, reason]),
      [['auth_ok', 'upstream_error']],
    );
    await rejects(activate(id), { code: 'conflict', metadata: { reason: 'not_validated' } });
  });

  test('is stale once its credential is another one', async () => {
    const id = await draft();
    await validate(id);
    world.endpointChecks.secretIds = ['secret-2'];
    await rejects(activate(id), { code: 'conflict', metadata: { reason: 'validation_stale' } });
    await validate(id);
    equal((await activate(id)).endpoint?.status, 'active');
    await rejects(validate(id), { code: 'conflict' });
    await rejects(activate(id), { code: 'conflict' });
  });

  test('that is changed while it is called is not validated', async () => {
    const id = await draft();
    world.endpointChecks.during = async () => {
      world.endpointChecks.during = async () => {};
      await reconfigure(id, { upstreamModelId: 'other' });
    };
    await rejects(validate(id), { code: 'conflict' });
    await rejects(activate(id), { code: 'conflict', metadata: { reason: 'not_validated' } });
  });

  test('is called with a credential of a workspace that exists', async () => {
    const id = await draft();
    world.endpointChecks.failing = { name: 'credential_ok', reason: 'no_byok_key' };
    const reasonOf = async (workspaceId: string) =>
      (await validate(id, workspaceId))?.checks.find(({ passed }) => !passed)?.reason;
    equal(await reasonOf(activateWorkspaceId), 'workspace_not_found');
    world.workspaces.add(accountId, activateWorkspaceId);
    equal(await reasonOf(activateWorkspaceId), 'no_byok_key');
    await rejects(validate(id, 'x'), { code: 'invalid_request' });
  });
});

describe('a creation that is to activate', () => {
  test('activates', async () => {
    const { endpoint, validation, failure } = await world.createEndpoint({ activateWorkspaceId });
    deepEqual([endpoint?.status, validation?.passed, failure], ['active', true, undefined]);
    deepEqual(await usable(), [endpoint?.endpointId]);
  });

  test('keeps the draft when a check fails', async () => {
    world.endpointChecks.failing = { name: 'stream_ok', reason: 'invalid_stream' };
    const { endpoint, validation, failure } = await world.createEndpoint({ activateWorkspaceId });
    deepEqual([endpoint?.status, validation?.passed], ['draft', false]);
    deepEqual([failure?.code, failure?.reason], ['unprocessable', 'invalid_stream']);
    equal((await get(endpoint?.endpointId ?? ''))?.status, 'draft');
  });

  test('keeps the draft when routing fails or the credential changes', async () => {
    for (const [fault, code] of [
      [new Fault('unavailable'), 'unavailable'],
      [new Error('a bug'), 'internal'],
    ] as const) {
      world.endpointChecks.fault = fault;
      const { endpoint, validation, failure } = await world.createEndpoint({ activateWorkspaceId });
      deepEqual([endpoint?.status, validation, failure?.code], ['draft', undefined, code]);
    }
    world.endpointChecks.fault = undefined;
    world.endpointChecks.calls.usableSecrets = async () => [];
    const { endpoint, validation, failure } = await world.createEndpoint({ activateWorkspaceId });
    deepEqual([endpoint?.status, validation?.passed], ['draft', true]);
    deepEqual([failure?.code, failure?.reason], ['conflict', 'validation_stale']);
  });
});

describe('the list of changes', () => {
  const changesAfter = (after: bigint | undefined) =>
    world.endpointUse.listEndpointChanges({ after });

  test('names the organizations whose requests see a change, as soon as it is answered', async () => {
    const start = await changesAfter(undefined);
    deepEqual([start.changes, start.isEnd], [[], true]);
    const id = await draft();
    await validate(id);
    deepEqual(await changesAfter(start.revision), start);
    await activate(id);
    const active = await changesAfter(start.revision);
    deepEqual([active.changes, active.isEnd], [[{ accountId, isRevoked: false }], true]);
    ok(active.revision > start.revision);
    deepEqual(await changesAfter(active.revision), { ...active, changes: [] });
    await disable(id);
    await world.privateEndpoints.enablePrivateEndpoint({ context: aContext(), endpointId: id });
    const revoked = await changesAfter(active.revision);
    deepEqual(revoked.changes, [{ accountId, isRevoked: true }]);
    await remove(id);
    const gone = await changesAfter(revoked.revision);
    deepEqual(gone.changes, [{ accountId, isRevoked: true }]);
  });

  test('tells of a log that ends before the place that is asked for', async () => {
    const { revision } = await changesAfter(undefined);
    deepEqual(await changesAfter(revision + 1n), { revision, changes: [], isEnd: true });
  });
});

test('changes that requests can see are published, those of drafts are not', async () => {
  const notices: unknown[] = [];
  const { signal } = new AbortController();
  await world.bus.subscribe('changed.v1.endpoint.*', ({ data }) => void notices.push(data), {
    signal,
  });
  const id = await draft();
  await validate(id);
  await activate(id);
  await disable(id);
  await eventually(() => ok(notices.some((data) => (data as { isRevoked?: boolean }).isRevoked)));
  ok(notices.every((data) => (data as { accountId: string }).accountId === accountId));
});
