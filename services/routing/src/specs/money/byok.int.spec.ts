import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { subjects } from '@sluice/bus';
import type { InferenceReply } from '@sluice/inference-port';
import { afterEach, describe, test } from 'vitest';
import type { KeptCredential } from '../../testing/in-memory-credentials.ts';
import {
  errorOf,
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const dollar = 1_000_000_000n;
let routing: RoutingHarness;
afterEach(() => routing.stop());

/** A provider of the registry that the simulator plays, once with and once without a key of the platform's. */
const catalogFile = (url: string) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
  - { slug: mistral, name: Mistral, dialect: openai-chat, base_url: '${url}', byok_only: true }
models:
  - id: openai/echo
    max_output_tokens: 1000
    endpoints:
      - { provider: openai, upstream_model: echo, pricing: { prompt: '0.000001', completion: '0.000002' } }
  - id: mistral/echo
    max_output_tokens: 1000
    endpoints:
      - { provider: mistral, upstream_model: echo, pricing: { prompt: '0.000001', completion: '0.000002' } }
`;
const own = (secret: string, more: Partial<KeptCredential> = {}): KeptCredential => ({
  provider: 'openai',
  secret,
  ...more,
});
const ask = async (model = 'openai/echo', stream = false): Promise<InferenceReply> =>
  await routing.call({ model, input: 'hello', stream, max_output_tokens: 100 });
const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const keysUsed = async () =>
  (await routing.receipts()).map(({ credential_sha256: sha256 }) => sha256);
const usageOf = async (reply: InferenceReply) => {
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return (JSON.parse(text) as { usage: Record<string, unknown> }).usage;
};
const changed = () =>
  routing.bus.publish(subjects.credentialsChanged('account'), { accountId: 'account' });
const counted = (number: number) =>
  eventually(
    () => (routing.ledger.facts.length >= number ? routing.ledger.facts : undefined),
    `${number} facts are counted`,
  );
/** Change notices arrive within a moment. */
const eventuallyByok = (isByok: boolean, model?: string) =>
  eventually(async () => {
    const reply = await ask(model);
    if (reply.status !== 200) return undefined;
    return (await usageOf(reply))['is_byok'] === isByok ? true : undefined;
  }, `is_byok is ${isByok}`);

describe('a request of an account with a credential', () => {
  test('is made with it, costs nothing while it is free, and tells the list price', async () => {
    routing = await routingHarness({ catalogFile, creditsNanoUsd: 0n });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    const usage = await usageOf(await ask());
    deepEqual(await keysUsed(), [digest('sk-own-key')]);
    equal(usage['is_byok'], true);
    equal(usage['cost'], 0);
    const details = usage['cost_details'] as Record<string, number>;
    ok((details['upstream_inference_cost'] ?? 0) > 0);
    const [fact] = await counted(1);
    ok(fact?.isByok && fact.credentialId === 'c1');
    deepEqual([fact.feeNanoUsd, fact.freeNanoUsd], [0n, fact.costNanoUsd]);
    equal(Number(fact.costNanoUsd) / 1e9, details['upstream_inference_cost']);
  });

  test('costs the fee on what is beyond the allowance, to the nano-USD', async () => {
    const byok = { allowanceNanoUsd: 20_000n, feeBasisPoints: 500 };
    routing = await routingHarness({ catalogFile, byok });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    const costs = [];
    for (let number = 1; number <= 3; number++) {
      costs.push((await usageOf(await ask()))['cost']);
      await counted(number);
    }
    const { facts } = routing.ledger;
    deepEqual(
      costs,
      facts.map(({ feeNanoUsd }) => Number(feeNanoUsd) / 1e9),
    );
    for (const { costNanoUsd, feeNanoUsd, freeNanoUsd } of facts)
      equal(feeNanoUsd, ((costNanoUsd - freeNanoUsd) * 5n + 99n) / 100n);
    const free = facts.reduce((sum, { freeNanoUsd }) => sum + freeNanoUsd, 0n);
    const list = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    ok(list > 20_000n, 'the allowance was not used up');
    equal(free, 20_000n);
  });

  test('is refused without credits once nothing is free, and served again when there are some', async () => {
    const byok = { allowanceNanoUsd: 0n, feeBasisPoints: 500 };
    routing = await routingHarness({ catalogFile, byok, creditsNanoUsd: 0n });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    const refused = await ask();
    deepEqual(
      [refused.status, (await errorOf(refused)).metadata['reason']],
      [402, 'credits_exhausted'],
    );
    routing.ledger.setCredits(dollar);
    const reply = await eventually(async () => {
      const tried = await ask();
      return tried.status === 200 ? tried : undefined;
    }, 'credits are received');
    ok(Number((await usageOf(reply))['cost']) > 0);
  });

  test('is refused with a negative balance, even within the allowance', async () => {
    routing = await routingHarness({ catalogFile, creditsNanoUsd: 0n });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    routing.ledger.settle({ costNanoUsd: 1n });
    equal((await ask()).status, 402);
  });

  test('without credits for a shared endpoint is made with the credential alone', async () => {
    routing = await routingHarness({ catalogFile, creditsNanoUsd: 0n });
    routing.credentials.kept.set('c1', own('sk-own-sim-error-401'));
    const reply = await ask();
    equal(reply.status, 502);
    ok(!(await textOf(reply)).includes('sk-own'));
    deepEqual(await keysUsed(), []);
  });

  test('goes on with the next credential and then the shared endpoint where one is refused', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', own('sk-first-sim-error-401'));
    routing.credentials.kept.set('c2', own('sk-second-sim-error-402'));
    const usage = await usageOf(await ask());
    equal(usage['is_byok'], false);
    ok(Number(usage['cost']) > 0);
    deepEqual(await keysUsed(), ['']);
    const [fact] = await counted(1);
    deepEqual(
      fact?.attempts.map(({ errorCode }) => errorCode),
      ['provider_rejected', 'provider_rejected', ''],
    );
    deepEqual([fact?.isByok, fact?.feeNanoUsd, fact?.credentialId], [false, 0n, '']);
  });

  test('never gets the key that a provider repeats in its error', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', own('sk-canary-sim-error-400', { isRequired: true }));
    for (const stream of [false, true]) {
      const reply = await ask('openai/echo', stream);
      const text = await textOf(reply);
      ok(reply.status >= 400 && !text.includes('canary'), text);
    }
  });

  test('uses the shared endpoint or the credential as soon as a change notice arrives', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    await usageOf(await ask());
    routing.credentials.kept.set('c1', own('sk-own-key', { disabled: true }));
    changed();
    await eventuallyByok(false);
    routing.credentials.kept.set('c1', own('sk-own-key'));
    changed();
    await eventuallyByok(true);
    deepEqual(new Set(await keysUsed()), new Set([digest('sk-own-key'), '']));
  });

  test('asks for its secret once, and for no other one', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', own('sk-own-key'));
    routing.credentials.kept.set('c2', own('sk-other-key', { isFallback: true }));
    for (let number = 0; number < 3; number++) await usageOf(await ask());
    deepEqual(routing.credentials.asked, ['list', 'c1']);
  });
});

describe('a credential that cannot be opened', () => {
  const unreadable = (more: Partial<KeptCredential> = {}) =>
    own('sk-own-key', { isUnreadable: true, ...more });
  const whole = [false, true] as const;

  test.for(whole)(
    'fails the request instead of a call at our expense, streamed: %s',
    async (stream) => {
      routing = await routingHarness({ catalogFile });
      routing.credentials.kept.set('c1', unreadable());
      const reply = await ask('openai/echo', stream);
      const { message } = await errorOf(reply);
      equal(reply.status, 503);
      ok(message.includes('credential c1 cannot be opened'), message);
      deepEqual(await keysUsed(), []);
      deepEqual(routing.ledger.facts, []);
    },
  );

  test.for([
    { isRequired: true },
    { isByokOnly: true },
    { allowedModels: { values: ['openai/echo'] } },
  ])('fails it, too, with %j', async (settings) => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', unreadable(settings));
    equal((await ask()).status, 503);
    deepEqual(await keysUsed(), []);
  });

  test('is not in the way of the shared endpoints where it comes after them', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', unreadable({ isFallback: true }));
    equal((await usageOf(await ask()))['is_byok'], false);
  });

  test('is nothing to the requests that it is not for', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', unreadable({ allowedModels: { values: ['openai/other'] } }));
    equal((await usageOf(await ask()))['is_byok'], false);
  });

  test('serves again as soon as its key is set again', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.kept.set('c1', unreadable());
    equal((await ask()).status, 503);
    routing.credentials.kept.set('c1', own('sk-next-key'));
    changed();
    await eventuallyByok(true);
    deepEqual(await keysUsed(), [digest('sk-next-key')]);
  });
});

describe('a provider that the platform has no credential for', () => {
  test('serves only accounts with their own credential', async () => {
    routing = await routingHarness({ catalogFile });
    const refused = await ask('mistral/echo');
    equal(refused.status, 404, await textOf(refused));
    routing.credentials.kept.set('c1', own('sk-own-key', { provider: 'mistral' }));
    changed();
    await eventuallyByok(true, 'mistral/echo');
    deepEqual(await keysUsed(), [digest('sk-own-key')]);
  });
});

describe('without the key service', () => {
  test('nothing that is not known is called past a credential', async () => {
    routing = await routingHarness({ catalogFile });
    routing.credentials.isUp = false;
    equal((await ask()).status, 503);
    routing.credentials.isUp = true;
    equal((await ask()).status, 200);
    routing.credentials.isUp = false;
    equal((await ask()).status, 200);
  });
});

test('a crash leaves what was seen at list price, with nothing in suspense', async () => {
  routing = await routingHarness({ catalogFile });
  routing.credentials.kept.set('c1', own('sk-own-key'));
  const leaving = new AbortController();
  const reply = await routing.call(
    { model: 'openai/echo', input: '[sim chunk_delay_ms=50] hello', stream: true },
    { principal: somebody, signal: leaving.signal },
  );
  equal(reply.status, 200);
  await routing.crash();
  await routing.start();
  const [fact] = await counted(1);
  ok(fact?.isByok && fact.estimated);
  deepEqual(
    [fact.outcome, fact.suspendedNanoUsd, fact.estimateReason, fact.feeNanoUsd],
    ['interrupted', 0n, '', 0n],
  );
  equal(fact.freeNanoUsd, fact.costNanoUsd);
});
