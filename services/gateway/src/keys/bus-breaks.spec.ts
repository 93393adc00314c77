import { equal, ok, rejects } from 'node:assert/strict';
import { createNotices, inMemoryBus, subjectFilters, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { describe, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { followKeyChanges } from './follow-key-changes.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { KeyCaller } from '../caller/key-caller.ts';

const hash = 'a'.repeat(64);
const presented = { hash, secret: 'a secret' };
const startedMs = Date.parse('2026-11-20T12:00:00.000Z');

/** A key that is in use while its source is away: it fails, or it is silent. */
async function inUse(away: 'fails' | 'is silent') {
  const bus = inMemoryBus();
  const clock = manualClock(startedMs);
  let isAway = false;
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  const principals = createPrincipalCache({
    clock,
    unsubscribedMs: () => notices.unsubscribedMs(),
    async resolve() {
      if (!isAway) return new KeyCaller(key, { revision: 1 });
      if (away === 'fails') throw new Fault('unavailable');
      return await new Promise<never>(() => {});
    },
  });
  followKeyChanges(notices, principals);
  const stopping = new AbortController();
  await notices.start(stopping.signal);
  ok(await principals.find(presented));
  isAway = true;
  /** Breaks the bus, and mends it after four seconds; what is published meanwhile is not received at once. */
  const breakBus = async (meanwhile: () => Promise<void> = async () => {}) => {
    bus.setConnected(false);
    const published = meanwhile();
    clock.advance(4_000);
    bus.setConnected(true);
    await published;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const change = (isRevoked: boolean) => async () => {
    const changed = { hash, accountId: 'org_1', revision: 2n, isRevoked };
    await bus.publishNotice(subjects.keyChanged(hash), KeyChanged.toJSON(changed) as object);
  };
  return { principals, breakBus, change, stop: () => stopping.abort() };
}

describe.each(['fails', 'is silent'] as const)(
  'while the bus breaks again and again and the source %s',
  (away) => {
    test('a key in use is served', async () => {
      const { principals, breakBus, stop } = await inUse(away);
      for (let times = 0; times < 30; times++) {
        await breakBus();
        ok(await principals.find(presented), `after ${times + 1} breaks`);
      }
      stop();
    });

    test('a key that is revoked during a break is refused after it', async () => {
      const { principals, breakBus, change, stop } = await inUse(away);
      await breakBus();
      await breakBus(change(true));
      equal(await principals.find(presented), undefined);
      stop();
    });

    test('a key whose limit is changed during a break is served as it was known last', async () => {
      const { principals, breakBus, change, stop } = await inUse(away);
      await breakBus(change(false));
      for (let times = 0; times < 10; times++) {
        await breakBus();
        ok(await principals.find(presented));
      }
      stop();
    });

    test('a key that is not known gets 503 and Retry-After', async () => {
      const { principals, stop } = await inUse(away);
      const other = { hash: 'b'.repeat(64), secret: 'another' };
      const comeAgain = { code: 'unavailable', retryAfterSeconds: 1 };
      await rejects(principals.find(other), comeAgain);
      await rejects(principals.find(other), comeAgain);
      stop();
    });
  },
);

const key: Key = {
  hash,
  kind: KeyKind.KEY_KIND_REGULAR,
  label: '',
  name: '',
  disabled: false,
  accountId: 'org_1',
  workspaceId: '',
  limitNanoUsd: undefined,
  includeByokInLimit: false,
  createdAt: '',
  updatedAt: '',
  source: 'api',
};
