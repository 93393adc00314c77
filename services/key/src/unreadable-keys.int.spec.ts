import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { limitStream, subjectFilters } from '@sluice/bus';
import type { EventMetadata } from '@sluice/es';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { skipEvent, standingOf } from '@sluice/read-model';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, keyWorld, type KeyWorld } from './testing/key-world.ts';

let world: KeyWorld;
let broken: { readonly hash: string; readonly secret: string; readonly eventId: string };
let limits: LimitsSet[];
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  await world.bus.ensureStream(limitStream);
  limits = [];
  void world.bus.consume({
    stream: limitStream.name,
    durable: 'spec',
    filter: subjectFilters.limitsSet,
    batchMax: 10,
    signal: new AbortController().signal,
    handle: async (batch) => void limits.push(...batch.map(({ data }) => LimitsSet.fromJSON(data))),
  });
  const { key, secret } = await world.issue({ name: 'Broken' });
  const eventId = randomUUID();
  const metadata: EventMetadata = {
    schemaVersion: 1,
    occurredAt: '2026-01-02T03:04:05.678Z',
    commandId: randomUUID(),
    actor: { type: 'system', id: 'spec' },
    requestId: 'req-1',
    $correlationId: 'req-1',
    $causationId: 'req-1',
  };
  const event = { id: eventId, type: 'ApiKeyTurnedInsideOut', data: {}, metadata };
  await world.eventStore.append(`apiKey-${key.hash}`, [event], 'any');
  broken = { hash: key.hash, secret, eventId };
});
afterEach(() => world.stop());

const change = (hash: string, changes: { readonly name?: string; readonly limit?: bigint }) =>
  world.client.updateKey({
    context: aContext(),
    hash,
    name: changes.name,
    limit: changes.limit === undefined ? undefined : { limitNanoUsd: changes.limit },
    disabled: undefined,
    includeByokInLimit: undefined,
    limitReset: undefined,
  });
const resolve = (hash: string, secret: string) =>
  world.client.resolveKey({ hash, secret, atLeastRevision: undefined });
const unreadable = { code: 'stream_unreadable' };

describe('a key with an event that nobody can read', () => {
  test('takes no command, resolves no more, and names the event', async () => {
    await rejects(change(broken.hash, { name: 'Other' }), unreadable);
    await rejects(
      world.client.deleteKey({ context: aContext(), hash: broken.hash }),
      (error: { code?: string; metadata?: { event_id?: string } }) =>
        error.code === 'stream_unreadable' && error.metadata?.event_id === broken.eventId,
    );
    await world.until(() => rejects(resolve(broken.hash, broken.secret), unreadable));
  });

  test('leaves all others alone: new ones resolve, and a limit that is acknowledged is published', async () => {
    const { key, secret } = await world.issue({ name: 'Whole' });
    await world.until(async () => equal((await resolve(key.hash, secret)).key?.name, 'Whole'));
    await change(key.hash, { limit: 0n });
    await world.until(() => ok(limits.some(({ scopeId }) => scopeId === key.hash)));
    deepEqual(limits.find(({ scopeId }) => scopeId === key.hash)?.limits, [
      { windowKind: 'lifetime', limitNanoUsd: 0n },
    ]);
    await world.until(async () => equal((await resolve(key.hash, secret)).revision, 1n));
  });

  test('is whole again in all parts once the event is skipped, also after a restart', async () => {
    await world.until(async () => {
      const { standstills } = await standingOf(world.database);
      const parts = new Set(standstills.map(({ projection }) => projection));
      for (const part of ['api_keys', 'key_states', 'publish_key_limits', 'publish_key_names'])
        ok(parts.has(`key.${part}`), part);
      ok(standstills.every(({ eventId }) => eventId === broken.eventId));
    });
    const skip = { eventId: broken.eventId, skippedBy: 'system spec', reason: 'forged' };
    equal(await skipEvent(world.database, skip), true);
    await world.until(async () => deepEqual((await standingOf(world.database)).standstills, []));
    for (const name of ['Mended', 'Mended again']) {
      await world.until(async () => void (await change(broken.hash, { name })));
      await world.until(async () => {
        const { key } = await resolve(broken.hash, broken.secret);
        equal(key?.name, name);
      });
      await world.restart();
    }
  });
});
