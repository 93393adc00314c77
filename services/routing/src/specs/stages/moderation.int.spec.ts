import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { inspect } from 'node:util';
import type { InferenceReply } from '@sluice/inference-port';
import type { Logger } from '@sluice/logging';
import { createWorkerPool } from '@sluice/worker-pool';
import { localModerator, type Moderator, remoteModerator } from '@sluice/moderation';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openHostileServer } from '../../testing/moderation-server.ts';
import {
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const endpoint = (provider: string, moderated: boolean) =>
  `{ provider: ${provider}, moderated: ${String(moderated)}, upstream_model: echo,` +
  ` pricing: { prompt: '0.000001', completion: '0.000002' } }`;
const catalogFile = (url: string) => `
providers:
  - { slug: strict, name: Strict Inc, dialect: openai-responses, base_url: '${url}' }
  - { slug: lax, name: Lax Inc, dialect: openai-responses, base_url: '${url}' }
models:
  - { id: mine/strict, context_length: 1000000, endpoints: [${endpoint('strict', true)}] }
  - { id: mine/lax, context_length: 1000000, endpoints: [${endpoint('lax', false)}] }
  - id: mine/both
    context_length: 1000000
    endpoints: [${endpoint('strict', true)}, ${endpoint('lax', false)}]
`;

const harmless = 'What a lovely day!';
const harmful = 'I am going to kill my neighbor tonight with a rusty spade';
const plugins = [{ id: 'moderation' }];
const client = { wantsMetadata: true } as const;

const pool = createWorkerPool();
afterAll(() => pool.stop());

/** Counts the texts that our own rules judge. */
function counting() {
  const local = localModerator({ pool });
  const judged: string[] = [];
  const moderator: Moderator = {
    check(texts, options) {
      judged.push(...texts);
      return local.check(texts, options);
    },
  };
  return { moderator, judged };
}

const lines: string[] = [];
const note = (message: string, fields: unknown) =>
  void lines.push(`${message} ${inspect(fields, { depth: 10 })}`);
const logger: Logger = { debug: note, info: note, warn: note, error: note };

const { moderator, judged } = counting();
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile, moderator, logger });
});
afterAll(() => routing.stop());

interface Answer {
  readonly error?: { readonly metadata: Readonly<Record<string, unknown>> };
  readonly output_text?: string;
  readonly service_metadata: {
    readonly strategy: string;
    readonly attempt: number;
    readonly attempts?: readonly unknown[];
    readonly endpoints: { readonly available: readonly { readonly selected: boolean }[] };
    readonly pipeline?: readonly unknown[];
  };
}
const answerOf = async (body: object) =>
  JSON.parse(await textOf(await routing.call(body, { client }))) as Answer;

/** Waits for the usage fact of an answer: what comes after it finds nothing of it under way. */
async function factOf(reply: InferenceReply) {
  equal(reply.status, 200);
  const text = await textOf(reply);
  const id = reply.headers['x-generation-id'];
  const fact = await eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    'the fact',
  );
  return { text, fact };
}

const stage = (decision: string) => ({
  type: 'guardrail',
  name: 'moderation',
  summary: `${decision}: violence`,
  data: { flagged: true, decision, confidence_level: 'high', reasons: ['violence'] },
});

/** Asserts that nothing is left of requests: no call, no fact, no hold. */
async function untouched(work: () => Promise<void>): Promise<void> {
  // The facts of requests before come a moment after their answers.
  const receipts = await eventually(async () => {
    const { length } = await routing.receipts();
    return length === routing.ledger.facts.length ? { length } : undefined;
  }, 'the facts of all requests before');
  const facts = routing.ledger.facts.length;
  const failures = routing.ledger.failures.length;
  await work();
  equal((await routing.receipts()).length, receipts.length);
  equal(routing.ledger.facts.length, facts);
  equal(routing.ledger.failures.length, failures);
  match(await routing.metrics(), /^spend_open\S* 0$/mu);
}

describe('the plugin moderation', () => {
  test.each([false, true])('refuses a flagged input with its metadata (stream: %s)', (stream) =>
    untouched(async () => {
      const reply = await routing.call({ model: 'mine/lax', input: harmful, plugins, stream });
      equal(reply.status, 403);
      const error = await errorOf(reply);
      equal(error.message, 'The input was flagged by moderation: violence');
      deepEqual(error.metadata, {
        reasons: ['violence'],
        flagged_input: harmful,
        provider_name: 'Lax Inc',
        model_slug: 'mine/lax',
        error_type: 'permission_denied',
      });
    }),
  );

  test('counts for all models', () =>
    untouched(async () => {
      const models = ['mine/lax'];
      const reply = await routing.call({ model: 'mine/strict', models, input: harmful, plugins });
      equal(reply.status, 403);
    }));

  test('is reported as a block', async () => {
    const { service_metadata: metadata } = await answerOf({
      model: 'mine/lax',
      input: harmful,
      plugins,
    });
    deepEqual(metadata.pipeline, [stage('blocked')]);
    deepEqual([metadata.attempt, metadata.attempts], [1, undefined]);
    ok(metadata.endpoints.available.every(({ selected }) => !selected));
  });

  test('shortens a long text in its middle', async () => {
    const input = `${'begin '.repeat(100)}${harmful}${' end'.repeat(100)}`;
    const error = await errorOf(await routing.call({ model: 'mine/lax', input, plugins }));
    const shown = String(error.metadata['flagged_input']);
    ok(shown.length <= 100 && /^begin .*\.\.\..* end$/u.test(shown), shown);
  });

  test('reads all texts, across parts of a message and in JSON', async () => {
    const asked = async (input: unknown, more: object = {}) =>
      (await routing.call({ model: 'mine/lax', input, plugins, ...more })).status;
    const parts = ['I am going to kill', 'my neighbor tonight'];
    const content = parts.map((text) => ({ type: 'input_text', text }));
    equal(await asked([{ role: 'user', content }]), 403);
    equal(await asked(harmless, { instructions: harmful }), 403);
    const call = { type: 'function_call', call_id: 'c', name: 'f' };
    const output = { type: 'function_call_output', call_id: 'c', output: harmless };
    const calling = (text: string) => [
      { role: 'user', content: 'hi' },
      { ...call, arguments: JSON.stringify({ text }).replaceAll('k', String.raw`\u006b`) },
      output,
    ];
    equal(await asked(calling(harmful)), 403);
    const passed = { model: 'mine/lax', input: calling(harmless), plugins };
    await factOf(await routing.call(passed));
  });

  test('lets a harmless input pass, and says how long it took', async () => {
    const reply = await routing.call({ model: 'mine/lax', input: harmless, plugins }, { client });
    const { text, fact } = await factOf(reply);
    equal((JSON.parse(text) as Answer).service_metadata.pipeline, undefined);
    ok(fact.moderationLatencyMs !== undefined && fact.moderationLatencyMs >= 0n);
  });

  test('judges a text once for an account', async () => {
    const input = 'A text that comes twice';
    const body = { model: 'mine/lax', input, plugins };
    const times = () => judged.filter((text) => text === input).length;
    await factOf(await routing.call(body));
    await factOf(await routing.call({ ...body, model: 'mine/strict' }));
    equal(times(), 1);
    const principal = { ...somebody, accountId: 'other' };
    await factOf(await routing.call(body, { principal }));
    equal(times(), 2);
  });
});

describe('a provider that demands moderation', () => {
  test('gets no flagged input', () =>
    untouched(async () => {
      const reply = await routing.call({ model: 'mine/strict', input: harmful });
      equal(reply.status, 403);
      const error = await errorOf(reply);
      match(error.message, /^mine\/strict requires moderation of its input on Strict Inc\./u);
      equal(error.metadata['provider_name'], 'Strict Inc');
    }));

  test.each([false, true])('passes on to the next model (stream: %s)', async (stream) => {
    const models = ['mine/lax'];
    const reply = await routing.call(
      { model: 'mine/strict', models, input: harmful, stream },
      { client },
    );
    const { text, fact } = await factOf(reply);
    ok(text.includes('"model":"mine/lax"') && text.includes(JSON.stringify([stage('fallback')])));
    ok(text.includes('"strategy":"fallback"'));
    equal(fact.model, 'mine/lax');
    ok(fact.moderationLatencyMs !== undefined);
    const { excluded } = JSON.parse(fact.routing) as { excluded: readonly { filter: string }[] };
    deepEqual(
      excluded.map(({ filter }) => filter),
      ['moderation'],
    );
  });

  test('takes its whole model out of the choice', () =>
    untouched(async () => {
      for (let count = 0; count < 8; count++)
        equal((await routing.call({ model: 'mine/both', input: harmful })).status, 403);
    }));

  test('that is not among the chosen ones demands nothing', async () => {
    const provider = { only: ['lax'] };
    const reply = await routing.call({ model: 'mine/both', input: harmful, provider });
    const { fact } = await factOf(reply);
    equal(fact.moderationLatencyMs, undefined);
  });
});

test('checks are counted by outcome', async () => {
  const text = await routing.metrics();
  for (const outcome of ['passed', 'flagged'])
    match(text, new RegExp(`^moderation_checks_total\\{.*"${outcome}".*\\} [1-9]`, 'mu'));
});

test('no log has a part of an input', () => {
  const text = lines.join('\n');
  ok(!text.includes('spade') && !text.includes('neighbor'), text);
});

describe('an endpoint for moderation', () => {
  test.each(['down', 'hanging', 'garbage'] as const)(
    'that is %s closes the door',
    async (fault) => {
      const server = await openHostileServer(fault);
      const key = { reveal: () => 'sk-moderation-canary' };
      const remote = remoteModerator({ url: server.url, key, model: undefined, deadlineMs: 100 });
      const guarded = await routingHarness({ catalogFile, moderator: remote, logger });
      try {
        for (const body of [
          { model: 'mine/lax', input: harmless, plugins },
          { model: 'mine/strict', input: harmless },
          { model: 'mine/strict', models: ['mine/lax'], input: harmless, stream: true },
        ]) {
          const reply = await guarded.call(body);
          equal(reply.status, 503);
          equal(
            (await errorOf(reply)).message,
            'The input cannot be moderated now. Please try again later.',
          );
        }
        deepEqual(await guarded.receipts(), []);
        deepEqual(guarded.ledger.facts, []);
        const metrics = await guarded.metrics();
        match(metrics, /^spend_open\S* 0$/mu);
        match(metrics, /^moderation_checks_total\{.*"failed".*\} 3$/mu);
        // An endpoint that demands nothing needs no moderation.
        equal((await guarded.call({ model: 'mine/lax', input: harmless })).status, 200);
        ok(!lines.join('\n').includes('canary'));
      } finally {
        await guarded.stop();
        await server.close();
      }
    },
  );
});
