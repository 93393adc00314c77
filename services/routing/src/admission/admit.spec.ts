import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { setImmediate as tick } from 'node:timers/promises';
import { isRejection } from '@sluice/errors';
import { systemClock } from '@sluice/clock-and-ids';
import { createSpending, type Authority } from '@sluice/spend';
import { InMemoryAuthority } from '@sluice/spend/testing';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { loadCatalog } from '@sluice/catalog';
import type { Credential } from '../credentials/credential.ts';
import type { Policy } from '../policy/policy.ts';
import { usualByokTerms } from '../byok/byok-terms.ts';
import { somebody } from '../testing/routing-harness.ts';
import type { Admission } from './admission.ts';
import { admit } from './admit.ts';

const dollar = 1_000_000_000n;
/** More than a request waits for the ledger and for money that others hold. */
const longestMs = 5_000;
const stepMs = 10;
const { metrics } = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
const simulatorUrl = 'http://127.0.0.1:1';
const catalog = loadCatalog({
  simulatorUrl,
  file: undefined,
  settings: () => undefined,
});

const policy: Policy = {
  isWorkspaceAlive: true,
  disabledServerTools: [],
  allowedPhrases: [],
  budgets: [],
  includeByokInBudgets: false,
  defaults: {},
  guardrails: [],
};
const credential: Credential = {
  id: 'c1',
  provider: 'simulator',
  secretId: 's1',
  sortOrder: 0,
  isFallback: false,
  isRequired: false,
  isByokOnly: false,
  declaredZdr: undefined,
  models: undefined,
  keyHashes: undefined,
  userIds: undefined,
};

// A wait takes as long as the test says. The ticks of the event loop are the real ones.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Moves the clock until the answer is there. Throws after more time than any request may wait. */
async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const answer = { isThere: false };
  const done = () => void (answer.isThere = true);
  asked.then(done, done);
  for (let passedMs = 0; !answer.isThere && passedMs < longestMs; passedMs += stepMs) {
    await tick();
    if (!answer.isThere) await vi.advanceTimersByTimeAsync(stepMs);
  }
  ok(answer.isThere, 'no answer came in time');
  return await asked;
}

/** Requests for the simulator's model, of an account and of a key with such limits. */
function admitting(
  limits: { readonly credits: bigint; readonly key?: bigint },
  through: (authority: Authority) => Authority = (authority) => authority,
) {
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => (scopeKind === 'account' ? limits.credits : limits.key),
    settledNanoUsd: () => 0n,
  });
  const authority = through({
    acquire: async (requests) => {
      await tick();
      return rules.acquire('replica', 1n, requests);
    },
  });
  const spending = createSpending({ authority, nowMs: () => performance.now() });
  const model = catalog.find('sim/echo');
  if (!model) throw new Error('the simulator has a model');
  const principal = { ...somebody, limitNanoUsd: limits.key ?? null };
  const attempts = model.endpoints.map((endpoint) => ({ model, endpoint }));
  const input = { tokensMax: 164, imagesMax: 0, isUnbounded: false };
  const asked = { principal, policy, attempts, input, outputTokensMax: undefined };
  return async () => admit({ spending, clock: systemClock, metrics, byok: usualByokTerms }, asked);
}

describe('a request that does not fit into its leases', () => {
  test('is refused by the budget that is used up, not by one that could be asked for more', async () => {
    const ask = admitting({ credits: 1_000n * dollar, key: dollar / 1_000n });
    const answers = await inTime(Promise.all(Array.from({ length: 50 }, ask)));
    const refused = answers.filter(isRejection).map(({ rejected }) => rejected);
    deepEqual([...new Set(refused)], ['key_limit_exceeded']);
    const admitted = answers.filter((answer): answer is Admission => !isRejection(answer));
    equal(admitted.length > 0, true);
  });

  test('fails as unavailable with a retry time if the ledger does not answer', async () => {
    const silent = new Promise<never>(() => {});
    const ask = admitting({ credits: 1_000n * dollar }, () => ({ acquire: () => silent }));
    await rejects(inTime(ask()), { code: 'unavailable', retryAfterSeconds: 1 });
  });

  test('fails as unavailable, not for lack of money, if there is enough', async () => {
    const ask = admitting({ credits: 1_000n * dollar }, (authority) => ({
      async acquire(requests) {
        const none = requests.map((request) => ({
          ...request,
          needNanoUsd: 0n,
          wantedNanoUsd: 0n,
        }));
        return authority.acquire(none);
      },
    }));
    await rejects(inTime(ask()), { code: 'unavailable', retryAfterSeconds: 1 });
  });
});

test('an account with only an own credential is served without a ledger call per request', async () => {
  let calls = 0;
  let nowMs = 0;
  const rules = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind }) => (scopeKind === 'account' ? 0n : 1_000n * dollar),
    settledNanoUsd: () => 0n,
  });
  const authority: Authority = {
    async acquire(requests) {
      calls += 1;
      return rules.acquire('replica', 1n, requests);
    },
  };
  const spending = createSpending({ authority, nowMs: () => nowMs });
  const model = catalog.find('sim/echo');
  if (!model) throw new Error('the simulator has a model');
  const shared = model.endpoints.map((endpoint) => ({ model, endpoint }));
  const attempts = [...shared.map((one) => ({ ...one, credential })), ...shared];
  const input = { tokensMax: 164, imagesMax: 0, isUnbounded: false };
  const asked = { principal: somebody, policy, attempts, input, outputTokensMax: 100 };
  for (let asking = 0; asking < 30; asking++) {
    const answer = await admit(
      { spending, clock: systemClock, metrics, byok: usualByokTerms },
      asked,
    );
    if (isRejection(answer)) throw new Error(answer.message);
    equal(answer.attempts.length, shared.length);
    spending.release(answer.held.hold);
    nowMs += 200;
  }
  ok(calls <= 8, `${calls} calls in six seconds`);
});
