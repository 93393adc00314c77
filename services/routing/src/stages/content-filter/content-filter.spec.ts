import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { CallAbort } from '@sluice/inference-port';
import { createWorkerPool } from '@sluice/worker-pool';
import {
  createScanner,
  type ScanFailure,
  type ScanJob,
  type Scanner,
} from '@sluice/content-scanner';
import { afterAll, describe, test } from 'vitest';
import type { Guardrail, Policy } from '../../policy/policy.ts';
import { callOf, textCall } from '../../testing/text-call.ts';
import { textRequest } from '../../testing/text-request.ts';
import type { StageContext } from '../stage.ts';
import { contentFilterStage } from './index.ts';

const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000, deadlineMs: 120_000 });
const inThread = createScanner({ pool });
afterAll(() => pool.stop());

interface Given {
  readonly pattern?: string;
  readonly failMode?: string | undefined;
  readonly id?: string;
}

function contextOf(
  builtin: Readonly<Record<string, string>>,
  { pattern, failMode, id = 'g' }: Given = {},
): StageContext {
  const guardrail = {
    id,
    name: 'g',
    scope: 'key',
    assigneeId: 'k',
    includeByok: false,
    rules: {
      builtinFilters: {
        filters: Object.entries(builtin).map(([slug, action]) => ({ slug, action })),
      },
      customFilters: { filters: pattern === undefined ? [] : [{ pattern, action: 'block' }] },
      failMode,
    },
  } as unknown as Guardrail;
  return {
    principal: { accountId: 'a' } as StageContext['principal'],
    requestId: 'r',
    signal: new CallAbort(),
    policy: { guardrails: [guardrail], allowedPhrases: [] } as unknown as Policy,
  };
}

interface Trouble {
  readonly failure?: ScanFailure;
  readonly isCut?: boolean;
}

/** A thread that counts the groups of each job, and fails or cuts the search for entities if the test says so. */
function counting({ failure, isCut }: Trouble = {}): Scanner & {
  readonly jobs: readonly ScanJob[];
} {
  const jobs: ScanJob[] = [];
  return {
    jobs,
    async scan(job) {
      jobs.push(job);
      if (failure) return failure;
      const verdicts = await inThread.scan(job);
      if (!isCut || typeof verdicts === 'string') return verdicts;
      return verdicts.map((verdict) => ({ ...verdict, isCut }));
    },
    follow: (job) => inThread.follow(job),
  };
}

const ssn = '123-45-6789';
const long = 'lorem ipsum '.repeat(4_000);

describe('the stage of content filters', () => {
  test('lets a request without guardrails pass as it is', async () => {
    const call = textCall(ssn);
    const context = {
      ...contextOf({}),
      policy: { guardrails: [], allowedPhrases: [] } as unknown as Policy,
    };
    deepEqual(await contentFilterStage({ scanner: inThread }).run(call, context), { call });
  });

  test('scans only what is new of a conversation', async () => {
    const scanner = counting();
    const stage = contentFilterStage({ scanner });
    const context = contextOf({ ssn: 'redact' });
    const first = textRequest(`${long} ${ssn}`);
    const next = callOf({
      ...first,
      items: [...first.items, ...textRequest(`${long} again`).items],
    });
    await stage.run(callOf(first), context);
    const result = await stage.run(next, context);
    deepEqual(
      scanner.jobs.map(({ groups }) => groups.length),
      [1, 1],
    );
    ok('call' in result && !JSON.stringify(result.call).includes(ssn));
    await stage.run(next, { ...context, policy: contextOf({ email: 'flag' }).policy });
    equal(scanner.jobs.at(-1)?.groups.length, 2);
  });

  test('blocks a text that is not scanned in time, unless names alone are looked for', async () => {
    const stage = contentFilterStage({ scanner: counting({ failure: 'late' }) });
    const blocked = await stage.run(textCall(long), contextOf({ ssn: 'flag' }));
    ok('rejected' in blocked && blocked.rejected === 'guardrail_blocked');
    deepEqual(blocked.metadata?.['patterns'], ['scan_timeout']);
    const passed = await stage.run(textCall(long), contextOf({ 'person-name': 'block' }));
    ok('call' in passed);
    equal(passed.reports?.[0]?.data?.['timed_out'], true);
  });

  test('blocks a text with more findings than can be told', async () => {
    const stage = contentFilterStage({ scanner: inThread });
    const blocked = await stage.run(textCall('a'.repeat(150_000)), contextOf({}, { pattern: 'a' }));
    ok('rejected' in blocked && blocked.rejected === 'guardrail_blocked');
    deepEqual(blocked.metadata?.['patterns'], ['scan_failed']);
  });

  test.each(['a', '1', '\0', '\uD800', 'a@', '4111 '])(
    'lets megabytes of %j pass, which have nothing to find',
    async (unit) => {
      const stage = contentFilterStage({ scanner: inThread });
      const builtin = { ssn: 'flag', email: 'flag', phone: 'flag', 'credit-card': 'flag' };
      const text = unit.repeat(4_000_000 / unit.length);
      const result = await stage.run(textCall(text), contextOf(builtin));
      ok('call' in result, JSON.stringify(result));
      deepEqual(result.detections, []);
    },
    120_000,
  );
});

describe('a text that is not scanned to the end', () => {
  const pattern = { ssn: 'flag' };
  const entity = { 'person-name': 'flag' };
  const late: Trouble = { failure: 'late' };
  const broken: Trouble = { failure: 'broken' };
  const cut: Trouble = { isCut: true };

  test.each<[string, Trouble, Readonly<Record<string, string>>, string | undefined, string]>([
    ['late', late, pattern, undefined, 'scan_timeout'],
    ['late', late, pattern, 'pass', 'timed_out'],
    ['late', late, pattern, 'block', 'scan_timeout'],
    ['late', late, entity, undefined, 'timed_out'],
    ['late', late, entity, 'pass', 'timed_out'],
    ['late', late, entity, 'block', 'scan_timeout'],
    ['broken', broken, pattern, undefined, 'scan_failed'],
    ['broken', broken, pattern, 'pass', 'failed'],
    ['broken', broken, entity, undefined, 'failed'],
    ['broken', broken, entity, 'block', 'scan_failed'],
    ['cut', cut, { ...pattern, ...entity }, undefined, 'timed_out'],
    ['cut', cut, { ...pattern, ...entity }, 'pass', 'timed_out'],
    ['cut', cut, { ...pattern, ...entity }, 'block', 'scan_timeout'],
  ])('because the scan is %s: %j of %j with fail_mode %s', async (...row) => {
    const [, trouble, builtin, failMode, expected] = row;
    const stage = contentFilterStage({ scanner: counting(trouble) });
    const result = await stage.run(textCall(long), contextOf(builtin, { failMode }));
    const [report, ...others] = result.reports ?? [];
    deepEqual(others, []);
    const isBlocked = expected.startsWith('scan_');
    equal(report?.data?.['action'], isBlocked ? 'blocked' : 'passed');
    if ('rejected' in result) deepEqual(result.metadata?.['patterns'], [expected]);
    else equal(report?.data?.[expected], true);
    equal('rejected' in result, isBlocked);
  });

  test('is reported for each guardrail whose filters did not scan it', async () => {
    const stage = contentFilterStage({ scanner: counting(late) });
    const [one, other] = [
      contextOf({ ssn: 'flag', 'person-name': 'flag' }, { failMode: 'pass' }),
      contextOf({ email: 'flag' }, { failMode: 'pass', id: 'other' }),
    ];
    const guardrails = [one, other].flatMap(({ policy }) => policy.guardrails);
    const result = await stage.run(textCall(long), {
      ...one,
      policy: { ...one.policy, guardrails },
    });
    ok('call' in result);
    deepEqual(
      result.reports?.map(({ guardrail_id, summary, data }) => [
        guardrail_id,
        summary,
        data?.['engines'],
      ]),
      [
        ['other', 'timed out: not scanned', ['regex']],
        ['g', 'timed out: not scanned', ['regex', 'entities']],
      ],
    );
  });

  test('is refused with all that was found in the others', async () => {
    const stage = contentFilterStage({ scanner: counting(cut) });
    const context = contextOf({ ssn: 'block', 'person-name': 'flag' }, { failMode: 'block' });
    const result = await stage.run(textCall(`${long} ${ssn}`), context);
    ok('rejected' in result);
    equal(result.message, 'Request blocked by content filter: [SSN]');
    deepEqual(result.metadata?.['patterns'], ['scan_timeout', '[SSN]']);
  });

  test('is counted by its reason', async () => {
    const counted: (readonly [ScanFailure, number])[] = [];
    const onUnscanned = (...one: readonly [ScanFailure, number]) => void counted.push(one);
    for (const trouble of [late, broken, cut, {}])
      await contentFilterStage({ scanner: counting(trouble), onUnscanned }).run(
        textCall(long),
        contextOf({ ...pattern, ...entity }),
      );
    deepEqual(counted, [
      ['late', 1],
      ['broken', 1],
      ['late', 1],
    ]);
  });

  test.each([undefined, 'block', 'pass'] as const)(
    'because others had the threads is no verdict of a filter: the client comes again (fail_mode %s)',
    async (failMode) => {
      const scanner: Scanner = {
        scan: async () => {
          throw new Fault('overloaded', { retryAfterSeconds: 2 });
        },
        follow: (job) => inThread.follow(job),
      };
      const counted: ScanFailure[] = [];
      const onUnscanned = (reason: ScanFailure) => void counted.push(reason);
      const stage = contentFilterStage({ scanner, onUnscanned });
      const context = contextOf({ 'person-name': 'flag' }, { failMode });
      await rejects(stage.run(textCall(ssn), context), {
        name: 'Fault',
        code: 'overloaded',
        retryAfterSeconds: 2,
      });
      deepEqual(counted, []);
    },
  );

  test('is scanned again by the next request', async () => {
    const trouble = { failure: 'late' as ScanFailure | undefined };
    const scanner: Scanner = {
      scan: async (job) => trouble.failure ?? inThread.scan(job),
      follow: (job) => inThread.follow(job),
    };
    const stage = contentFilterStage({ scanner });
    const context = contextOf({ ssn: 'redact' }, { failMode: 'pass' });
    const call = textCall(`${long} ${ssn}`);
    const passed = await stage.run(call, context);
    ok('call' in passed && JSON.stringify(passed.call).includes(ssn));
    trouble.failure = undefined;
    const scanned = await stage.run(call, context);
    ok('call' in scanned && !JSON.stringify(scanned.call).includes(ssn));
  });

  test.each([
    ['patterns refuse them', { ssn: 'flag' }, undefined, true],
    ['entities alone let them pass', { 'person-name': 'block' }, undefined, false],
    ['the fail mode decides', { 'person-name': 'flag' }, 'block', true],
    ['the fail mode decides', { ssn: 'block' }, 'pass', false],
  ] as const)('cannot read inputs that are tokens: %s', async (_, builtin, failMode, isRefused) => {
    const scanner = counting();
    const embedding = { dimensions: undefined, inputType: undefined, tokens: [[1, 2]] };
    const request = { ...textRequest(''), items: [], embedding };
    const context = contextOf(builtin, { failMode });
    const result = await contentFilterStage({ scanner }).run(callOf(request), context);
    equal('rejected' in result && result.rejected, isRefused && 'guardrail_blocked');
    equal(result.reports?.length, 1);
    deepEqual(scanner.jobs, []);
  });
});
