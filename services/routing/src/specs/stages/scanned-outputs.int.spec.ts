import { deepEqual, equal, ok } from 'node:assert/strict';
import { guardrailStream, subjectFilters } from '@sluice/bus';
import { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assignFilters, type FilterRules } from '../../testing/assign-filters.ts';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const client = { wantsMetadata: true } as const;
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
/** The filters of the input do not see it. */
const saying = (text: string) => `[sim:says-${Buffer.from(text).toString('hex')}]`;

interface Item {
  readonly type: string;
  readonly status: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly text: string }[];
}

interface Answer {
  readonly status: string;
  readonly output_text: string;
  readonly output: readonly Item[];
  readonly incomplete_details: { readonly reason: string } | null;
  readonly usage: { readonly output_tokens: number };
  readonly service_metadata?: { readonly pipeline?: readonly Stage[] };
}

interface Stage {
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly answer: Answer;
  /** The texts of all deltas of texts and of arguments. */
  readonly deltas: readonly string[];
  readonly raw: string;
  readonly keyHash: string;
}

async function ask(body: object, rules: FilterRules, stream: boolean): Promise<Asked> {
  const keyHash = assignFilters(routing.policies, rules);
  const principal = { ...somebody, keyHash };
  const reply = await routing.call({ ...body, stream }, { client, principal });
  equal(reply.status, 200);
  const raw = await textOf(reply);
  if (!stream) return { answer: JSON.parse(raw) as Answer, deltas: [], raw, keyHash };
  const events = raw
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Readonly<Record<string, unknown>>);
  const deltas = events.flatMap(({ delta }) => (typeof delta === 'string' ? [delta] : []));
  return { answer: events.at(-1)?.['response'] as Answer, deltas, raw, keyHash };
}

const leak = 'Her SSN is 123-45-6789, and that is all.';
const redacted = 'Her SSN is [SSN], and that is all.';

describe.each([true, false])('an answer (streamed: %s)', (stream) => {
  const redacting: FilterRules = { builtin: { ssn: 'redact' }, scanOutput: 'sentence' };

  test.each(models)('leaves redacted: %s', async (model) => {
    const { answer, deltas, raw } = await ask({ model, input: saying(leak) }, redacting, stream);
    equal(answer.output_text, redacted);
    ok(!raw.includes('-6789'), raw);
    if (stream) equal(deltas.join(''), redacted);
    deepEqual(
      answer.service_metadata?.pipeline?.map(({ summary, data }) => [summary, data['direction']]),
      [['redacted: [SSN]', 'output']],
    );
  });

  test.each(models)('ends where a filter blocks it, and is paid for: %s', async (model) => {
    const rules: FilterRules = { builtin: { ssn: 'block' }, scanOutput: 'sentence' };
    const { answer, raw } = await ask({ model, input: saying(leak) }, rules, stream);
    equal(answer.status, 'incomplete');
    deepEqual(answer.incomplete_details, { reason: 'content_filter' });
    equal(answer.output_text, 'Her SSN is ');
    ok(!raw.includes('-6789'), raw);
    const receipt = (await routing.receipts()).at(-1);
    equal(answer.usage.output_tokens, receipt?.output_tokens);
    equal(answer.service_metadata?.pipeline?.[0]?.data['action'], 'blocked');
  });

  test.each(models)('has redacted arguments of tool calls: %s', async (model) => {
    const schema = { type: 'object', properties: { to: { const: '123-45-6789' } } };
    const parameters = { ...schema, required: ['to'], additionalProperties: false };
    const tools = [{ type: 'function', name: 'send', parameters, strict: true }];
    const body = { model, input: 'call send', tools };
    const { answer, raw } = await ask(body, redacting, stream);
    const call = answer.output.find(({ type }) => type === 'function_call');
    deepEqual(JSON.parse(call?.arguments ?? ''), { to: '[SSN]' });
    ok(!raw.split('"tools"').some((piece, index) => index === 0 && piece.includes('-6789')), raw);
  });

  test('keeps JSON that was asked for', async () => {
    const schema = { type: 'object', properties: { ssn: { const: '123-45-6789' } } };
    const format = {
      type: 'json_schema',
      name: 'person',
      schema: { ...schema, required: ['ssn'], additionalProperties: false },
      strict: true,
    };
    const body = { model: 'sim/echo', input: 'x', text: { format } };
    const { answer } = await ask(body, redacting, stream);
    deepEqual(JSON.parse(answer.output_text), { ssn: '[SSN]' });
  });

  test('of a guardrail that does not ask for it passes as it is', async () => {
    const body = { model: 'sim/echo', input: saying(leak) };
    const { answer } = await ask(body, { builtin: { ssn: 'redact' } }, stream);
    equal(answer.output_text, leak);
    equal(answer.service_metadata?.pipeline, undefined);
  });

  test('is counted on the usage fact, with the reason why it ended', async () => {
    const rules: FilterRules = { builtin: { ssn: 'block' }, scanOutput: 'end' };
    const { keyHash } = await ask({ model: 'sim/echo', input: saying(leak) }, rules, stream);
    const fact = await eventually(
      () => routing.ledger.facts.find((one) => one.keyHash === keyHash),
      'the usage fact',
    );
    deepEqual([fact.guardrailInvoked, fact.finishReason], [true, 'content-filter']);
  });

  test('that was cut by a limit and blocked ended by the filter', async () => {
    const rules: FilterRules = { builtin: { ssn: 'block' }, scanOutput: 'end' };
    const input = saying(`${leak} ${'and more '.repeat(40)}`);
    const body = { model: 'sim/echo', input, max_output_tokens: 30 };
    const { keyHash, answer } = await ask(body, rules, stream);
    deepEqual(answer.incomplete_details, { reason: 'content_filter' });
    const fact = await eventually(
      () => routing.ledger.facts.find((one) => one.keyHash === keyHash),
      'the usage fact',
    );
    equal(fact.finishReason, 'content-filter');
  });
});

describe('the bus', () => {
  test('has what was found in an answer, and never the text', async () => {
    const facts: GuardrailDetected[] = [];
    const ended = new AbortController();
    await routing.bus.ensureStream(guardrailStream);
    void routing.bus.consume({
      stream: guardrailStream.name,
      durable: 'outputs',
      filter: subjectFilters.guardrailDetected,
      batchMax: 10,
      signal: ended.signal,
      async handle(batch) {
        facts.push(...batch.map(({ data }) => GuardrailDetected.fromJSON(data)));
      },
    });
    const keyHash = assignFilters(routing.policies, {
      builtin: { ssn: 'redact' },
      scanOutput: 'end',
    });
    const body = { model: 'sim/echo', input: saying(`${leak} ${leak}`) };
    await textOf(await routing.call(body, { principal: { ...somebody, keyHash } }));
    const fact = await eventually(() => facts.find((one) => one.keyHash === keyHash), 'the fact');
    ended.abort();
    deepEqual(
      fact.detections.map(({ filter, action, place, count }) => [filter, action, place, count]),
      [['ssn', 'redact', 'output.0', 2n]],
    );
    ok(!JSON.stringify(GuardrailDetected.toJSON(fact)).includes('-6789'));
  });
});

describe('a streamed answer', () => {
  test('waits for the ends of sentences with names, and says so', async () => {
    const text = 'I met John Smith in town. He was there again with all of his friends today.';
    const rules: FilterRules = { builtin: { 'person-name': 'redact' }, scanOutput: 'sentence' };
    const body = { model: 'sim/echo', input: saying(text) };
    const { answer, deltas } = await ask(body, rules, true);
    equal(answer.output_text, text.replace('John Smith', '[PERSON_NAME]'));
    ok(deltas.length <= 4, JSON.stringify(deltas));
    const { buffering, buffered_filters: buffered } =
      answer.service_metadata?.pipeline?.[0]?.data ?? {};
    deepEqual([buffering, buffered], ['sentence', ['person-name']]);
  });

  test('says how it was held back also if nothing was found', async () => {
    const rules: FilterRules = { builtin: { 'person-name': 'redact' }, scanOutput: 'end' };
    const body = { model: 'sim/echo', input: saying('Nothing to find. And nothing here.') };
    const { answer, deltas } = await ask(body, rules, true);
    equal(deltas.length, 1);
    const [stage] = answer.service_metadata?.pipeline ?? [];
    deepEqual([stage?.data['action'], stage?.data['buffering']], ['passed', 'end']);
  });

  test('does not wait for sentences if all filters are incremental', async () => {
    const rules: FilterRules = { builtin: { ssn: 'redact', email: 'flag' }, scanOutput: 'end' };
    const body = { model: 'sim/echo', input: saying('Write to bob@example.com or to me') };
    const { answer, deltas } = await ask(body, rules, true);
    equal(deltas.join(''), 'Write to bob@example.com or to me');
    ok(deltas.length > 1);
    const { data } = answer.service_metadata?.pipeline?.[0] ?? {};
    deepEqual([data?.['buffering'], data?.['action']], ['incremental', 'flagged']);
  });
});
