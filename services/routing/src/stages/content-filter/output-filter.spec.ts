import { deepEqual, equal, ok } from 'node:assert/strict';
import { createScanner, type Scanner } from '@sluice/content-scanner';
import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { CallAbort } from '@sluice/inference-port';
import { createWorkerPool } from '@sluice/worker-pool';
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { inMemoryPolicies } from '../../testing/in-memory-policies.ts';
import { assignFilters, type FilterRules } from '../../testing/assign-filters.ts';
import type { Policy } from '../../policy/policy.ts';
import { textRequest } from '../../testing/text-request.ts';
import type { OutputStage, StageContext } from '../stage.ts';
import { openOutputFilter } from './open-output-filter.ts';

const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000 });
const scanner = createScanner({ pool });
afterAll(() => pool.stop());
const context = (policy: Policy): StageContext => ({
  principal: { accountId: 'a' } as StageContext['principal'],
  requestId: 'r',
  signal: new CallAbort(),
  policy,
});

function policyOf(rules: FilterRules): Policy {
  const policies = inMemoryPolicies();
  const keyHash = assignFilters(policies, rules);
  const assigned = policies.assigned.get(`key ${keyHash}`);
  const guardrail = { id: 'g', name: 'g', scope: 'key', assigneeId: keyHash, includeByok: false };
  return {
    guardrails: [{ ...guardrail, rules: assigned?.rules }],
    allowedPhrases: [],
  } as unknown as Policy;
}

async function opened(
  rules: FilterRules,
  request: InferenceRequest = { ...textRequest('x'), stream: true },
  onUnscanned: (failure: string) => void = () => undefined,
): Promise<OutputStage> {
  const options = { scanOutput: 'sentence', ...rules };
  const policy = policyOf(options);
  const filter = openOutputFilter({ request, context: context(policy), scanner, onUnscanned });
  ok(filter);
  return filter;
}

/** Each part in a batch of its own. */
async function passed(filter: OutputStage, parts: readonly StreamPart[]) {
  const left: StreamPart[] = [];
  for (const part of parts) left.push(...(await filter.parts([part])));
  return left;
}

const finish: StreamPart = {
  type: 'finish',
  reason: 'stop',
  nativeReason: 'stop',
  usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 2, reasoningTokens: 0 },
};
const ssn = '123-45-6789';

function textOf(parts: readonly StreamPart[], type: StreamPart['type']): string {
  return parts.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('');
}

describe('a filter of outputs', () => {
  test('is not opened without a guardrail that asks for it, nor for injections alone', () => {
    const request = textRequest('x');
    const open = (rules: FilterRules) =>
      openOutputFilter({ request, context: context(policyOf(rules)), scanner, onUnscanned() {} });
    equal(open({ builtin: { ssn: 'block' } }), undefined);
    const injection = { 'regex-prompt-injection': 'block' };
    equal(open({ builtin: injection, scanOutput: 'end' }), undefined);
  });

  test('keeps the filtered deltas of a text that its provider corrects', async () => {
    const left = await passed(await opened({ builtin: { ssn: 'redact' } }), [
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: `SSN ${ssn}` },
      { type: 'correction', part: 0, difference: 'contrary', text: `it is ${ssn}` },
      { type: 'text-end', part: 0 },
      finish,
    ]);
    ok(!JSON.stringify(left).includes('-6789'), JSON.stringify(left));
    equal(textOf(left, 'text-delta'), 'SSN [SSN]');
  });

  test('redacts each text of an answer, and what repeats a changed thought goes', async () => {
    const left = await passed(await opened({ builtin: { ssn: 'redact' } }), [
      { type: 'response-start', upstreamId: 'u' },
      { type: 'reasoning-start', part: 0 },
      { type: 'reasoning-summary-delta', part: 0, summary: 0, delta: `first ${ssn}` },
      { type: 'reasoning-summary-delta', part: 0, summary: 1_000_000_000, delta: 'second' },
      { type: 'reasoning-delta', part: 0, delta: `SSN ${ssn}` },
      { type: 'reasoning-end', part: 0, replay: { format: 'f', encrypted: 'e' } },
      { type: 'refusal-start', part: 1 },
      { type: 'refusal-delta', part: 1, delta: `not ${ssn}` },
      { type: 'refusal-end', part: 1 },
      { type: 'tool-call-start', part: 2, callId: 'c', name: 'n', isCustom: true },
      { type: 'tool-call-delta', part: 2, delta: 'to 123-' },
      { type: 'tool-call-delta', part: 2, delta: '45-6789' },
      { type: 'tool-call-end', part: 2 },
      { type: 'native-start', part: 3, item: { type: 'web_search_call' } },
      { type: 'native-end', part: 3, item: { type: 'web_search_call', query: `who is ${ssn}` } },
      { type: 'image', part: 4, base64: 'AAAA' },
      finish,
    ]);
    ok(!JSON.stringify(left).includes('-6789'), JSON.stringify(left));
    const summaries = left.flatMap((part) =>
      part.type === 'reasoning-summary-delta' ? [[part.summary, part.delta]] : [],
    );
    deepEqual(
      summaries.map(([number]) => number),
      [0, 0, 1_000_000_000],
    );
    equal(textOf(left, 'reasoning-summary-delta'), 'first [SSN]second');
    equal(textOf(left, 'reasoning-delta'), 'SSN [SSN]');
    equal(textOf(left, 'refusal-delta'), 'not [SSN]');
    equal(textOf(left, 'tool-call-delta'), 'to [SSN]');
    deepEqual(
      left.find(({ type }) => type === 'reasoning-end'),
      { type: 'reasoning-end', part: 0 },
    );
    deepEqual(left.at(-2), { type: 'image', part: 4, base64: 'AAAA' });
    deepEqual(left.at(-1), finish);
  });

  test('moves annotations with their text, and leaves out log probabilities', async () => {
    const text = `It is ${ssn}, as the page says.`;
    const annotation = { type: 'url_citation', title: `of ${ssn}`, start_index: 19, end_index: 29 };
    const citation = { title: `of ${ssn}`, cited_text: `is ${ssn}`, start_char_index: 3 };
    const left = await passed(await opened({ builtin: { ssn: 'redact' } }), [
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: text.slice(0, 12), logprobs: [] },
      { type: 'text-delta', part: 0, delta: text.slice(12) },
      { type: 'text-annotation', part: 0, annotation, citation },
      { type: 'text-end', part: 0 },
      finish,
    ]);
    const released = textOf(left, 'text-delta');
    equal(released, 'It is [SSN], as the page says.');
    deepEqual(
      left.find(({ type }) => type === 'text-annotation'),
      {
        type: 'text-annotation',
        part: 0,
        annotation: { ...annotation, title: 'of [SSN]', start_index: 13, end_index: 23 },
        citation: { ...citation, title: 'of [SSN]', cited_text: 'is [SSN]' },
      },
    );
    equal(released.slice(13, 23), text.slice(19, 29));
    ok(!left.some((part) => 'logprobs' in part));
  });

  test('lets nothing through after a block but the end with its usage', async () => {
    const filter = await opened({ builtin: { ssn: 'block' } });
    const left = await passed(filter, [
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: `It is ${ssn} and ` },
      { type: 'text-delta', part: 0, delta: 'more' },
      { type: 'text-end', part: 0 },
      { type: 'tool-call-start', part: 1, callId: 'c', name: 'n' },
      { type: 'tool-call-delta', part: 1, delta: '{}' },
      { type: 'tool-call-end', part: 1 },
      finish,
    ]);
    deepEqual(left, [
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'It is ' },
      { ...finish, reason: 'content-filter' },
    ]);
    equal(filter.report().isBlocked, true);
  });

  test.each([
    ['pass', ['x '.repeat(30_000)]],
    [undefined, []],
  ])('treats what it cannot scan by the fail mode %s', async (failMode, wanted) => {
    const failures: string[] = [];
    const custom = [{ pattern: 'x', action: 'flag' }];
    const late: Scanner = {
      scan: async () => 'late',
      follow: (job) => scanner.follow(job),
    };
    const rules = { custom, scanOutput: 'end', ...(failMode && { failMode }) };
    const filter = await openOutputFilter({
      request: { ...textRequest('x'), stream: false },
      context: context(policyOf(rules)),
      scanner: late,
      onUnscanned: (failure) => void failures.push(failure),
    });
    ok(filter);
    const delta = 'x '.repeat(30_000);
    const left = await passed(filter, [{ type: 'text-delta', part: 0, delta }, finish]);
    deepEqual(
      left.flatMap((part) => ('delta' in part ? [part.delta] : [])),
      wanted,
    );
    deepEqual(failures, ['late']);
    equal(filter.report().isBlocked, failMode === undefined);
  });

  test.each(['pass', 'block', undefined])(
    'fails an answer that others left no thread for, whatever the fail mode: %s',
    async (failMode) => {
      const busy: Scanner = {
        async scan() {
          throw new Fault('overloaded', { message: 'all threads are taken' });
        },
        follow: (job) => scanner.follow(job),
      };
      const rules = { builtin: { ssn: 'flag' }, scanOutput: 'end', ...(failMode && { failMode }) };
      const failures: string[] = [];
      const filter = await openOutputFilter({
        request: { ...textRequest('x'), stream: true },
        context: context(policyOf(rules)),
        scanner: busy,
        onUnscanned: (failure) => void failures.push(failure),
      });
      ok(filter);
      const left = await passed(filter, [
        { type: 'text-start', part: 0 },
        { type: 'text-delta', part: 0, delta: 'some text' },
        { type: 'text-end', part: 0 },
        finish,
      ]);
      deepEqual(left, [
        { type: 'text-start', part: 0 },
        {
          type: 'error',
          code: 'overloaded',
          message: 'all threads are taken',
          providerCode: undefined,
          usage: finish.type === 'finish' && finish.usage,
        },
      ]);
      deepEqual(failures, []);
    },
  );

  test('releases the same for all ways of cutting an answer', async () => {
    const text = `Ann (ann@example.org, SSN ${ssn}) pays with 4111 1111 1111 1111 or calls +1 212 555 0123.`;
    const rules: FilterRules = {
      builtin: { ssn: 'redact', email: 'redact', 'credit-card': 'redact', phone: 'redact' },
    };
    const wanted = 'Ann ([EMAIL], SSN [SSN]) pays with [CREDIT_CARD] or calls [PHONE].';
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 120 }),
        async (sizes) => {
          const parts: StreamPart[] = [{ type: 'text-start', part: 0 }];
          for (let at = 0, index = 0; at < text.length; index++) {
            const end = at + (sizes[index] ?? 9);
            parts.push({ type: 'text-delta', part: 0, delta: text.slice(at, end) });
            at = end;
          }
          const left = await passed(await opened(rules), [...parts, finish]);
          equal(textOf(left, 'text-delta'), wanted);
        },
      ),
      { numRuns: 100 },
    );
  });
});
