import { deepEqual, equal, ok } from 'node:assert/strict';
import { createScanner, type ScanJob, type Scanner } from '@sluice/content-scanner';
import { afterAll, describe, test } from 'vitest';
import type { Guardrail, Policy } from '../../policy/policy.ts';
import { textRequest } from '../../testing/text-request.ts';
import type { StageContext } from '../stage.ts';
import { contentFilterStage } from './index.ts';

const inThread = createScanner();
afterAll(() => inThread.stop());

function contextOf(builtin: Readonly<Record<string, string>>, pattern?: string): StageContext {
  const guardrail = {
    id: 'g',
    name: 'g',
    scope: 'key',
    assigneeId: 'k',
    includeByok: false,
    rules: {
      builtinFilters: {
        filters: Object.entries(builtin).map(([slug, action]) => ({ slug, action })),
      },
      customFilters: { filters: pattern === undefined ? [] : [{ pattern, action: 'block' }] },
    },
  } as unknown as Guardrail;
  return {
    call: { principal: { accountId: 'a' } },
    policy: { guardrails: [guardrail] } as unknown as Policy,
  } as StageContext;
}

/** A thread that counts the groups of each job, and is late if told so. */
function counting({ isLate = false } = {}): Scanner & { readonly jobs: readonly ScanJob[] } {
  const jobs: ScanJob[] = [];
  return {
    jobs,
    async scan(job) {
      jobs.push(job);
      return isLate ? undefined : inThread.scan(job);
    },
    stop: async () => undefined,
  };
}

const ssn = '123-45-6789';
const long = 'lorem ipsum '.repeat(4_000);

describe('the stage of content filters', () => {
  test('lets a request without guardrails pass as it is', async () => {
    const request = textRequest(ssn);
    const context = { ...contextOf({}), policy: { guardrails: [] } as unknown as Policy };
    deepEqual(await contentFilterStage({ scanner: inThread }).run(request, context), { request });
  });

  test('scans only what is new of a conversation', async () => {
    const scanner = counting();
    const stage = contentFilterStage({ scanner });
    const context = contextOf({ ssn: 'redact' });
    const first = textRequest(`${long} ${ssn}`);
    const next = { ...first, items: [...first.items, ...textRequest(`${long} again`).items] };
    await stage.run(first, context);
    const result = await stage.run(next, context);
    deepEqual(
      scanner.jobs.map(({ groups }) => groups.length),
      [1, 1],
    );
    ok('request' in result && !JSON.stringify(result.request).includes(ssn));
    await stage.run(next, { ...context, policy: contextOf({ email: 'flag' }).policy });
    equal(scanner.jobs.at(-1)?.groups.length, 2);
  });

  test('blocks a text that is not scanned in time, unless names alone are looked for', async () => {
    const stage = contentFilterStage({ scanner: counting({ isLate: true }) });
    const blocked = await stage.run(textRequest(long), contextOf({ ssn: 'flag' }));
    ok('rejected' in blocked && blocked.rejected === 'guardrail_blocked');
    deepEqual(blocked.metadata?.['patterns'], ['scan_timeout']);
    const passed = await stage.run(textRequest(long), contextOf({ 'person-name': 'block' }));
    ok('request' in passed);
    equal(passed.reports?.[0]?.data?.['timed_out'], true);
  });

  test('blocks a text with more findings than can be told', async () => {
    const stage = contentFilterStage({ scanner: inThread });
    const blocked = await stage.run(textRequest('a'.repeat(150_000)), contextOf({}, 'a'));
    ok('rejected' in blocked && blocked.rejected === 'guardrail_blocked');
  });

  test.each(['a', '1', '\0', '\uD800', 'a@', '4111 '])(
    'lets megabytes of %j pass, which have nothing to find',
    async (unit) => {
      const stage = contentFilterStage({ scanner: inThread });
      const builtin = { ssn: 'flag', email: 'flag', phone: 'flag', 'credit-card': 'flag' };
      const text = unit.repeat(4_000_000 / unit.length);
      const result = await stage.run(textRequest(text), contextOf(builtin));
      ok('request' in result, JSON.stringify(result));
      deepEqual(result.detections, []);
    },
    120_000,
  );
});
