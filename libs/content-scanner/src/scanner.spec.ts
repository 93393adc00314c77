import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import type { BuiltinSlug } from '@sluice/content-filter';
import {
  createWorkerPool,
  type JobFailure,
  type PoolJob,
  type WorkerPool,
} from '@sluice/worker-pool';
import { afterAll, describe, test } from 'vitest';
import { createScanner, type ScanJob } from './index.ts';

const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000, deadlineMs: 120_000 });
const impatient = createWorkerPool({
  waitMs: 600_000,
  starvedMs: 600_000,
  deadlineMs: 50,
  quantumMs: 10,
});
afterAll(() => Promise.all([pool.stop(), impatient.stop()]));

interface Given {
  readonly patterns?: readonly string[];
  readonly slugs?: readonly BuiltinSlug[];
}

function jobOf({ patterns = [], slugs = [] }: Given, ...texts: readonly string[]): ScanJob {
  return {
    account: 'a',
    revision: JSON.stringify([patterns, slugs]),
    set: {
      builtin: slugs.map((slug) => ({ slug, action: 'flag' as const })),
      custom: patterns.map((pattern) => ({ pattern, action: 'block' as const, label: null })),
    },
    groups: texts.map((text) => ({ texts: [text], form: 'text' as const, scansInjection: true })),
    entitiesMs: 500,
  };
}

/** The pool, and the modules of the jobs that it got. */
function counting(): WorkerPool & { readonly modules: string[] } {
  const modules: string[] = [];
  return {
    modules,
    run<Result>(job: PoolJob) {
      modules.push(job.module.pathname.replace(/^.*\//u, ''));
      return pool.run<Result>(job);
    },
    stop: async () => undefined,
  };
}

const failing = (failure: JobFailure): WorkerPool => ({
  run: async () => failure,
  stop: async () => undefined,
});

describe('a scan', () => {
  const scanner = createScanner({ pool });

  test('has a verdict per group', async () => {
    const found = { detections: [{ filter: 0, rule: 'custom', start: 1, end: 3 }] };
    const nothing = { redactions: [], isCut: false };
    deepEqual(await scanner.scan(jobOf({ patterns: ['b+'] }, 'abba', 'acca')), [
      { ...found, ...nothing },
      { detections: [], ...nothing },
    ]);
    deepEqual(await scanner.scan(jobOf({ patterns: ['b+'] })), []);
  });

  test('has the same verdict here and in a thread', async () => {
    const text = 'My SSN is 123-45-6789, write to bob@example.com or call +1 202 555 0143.';
    const job = jobOf({ slugs: ['ssn', 'email', 'phone'], patterns: ['SSN|bob'] }, text);
    const set = {
      ...job.set,
      builtin: job.set.builtin.map((one) => ({ ...one, action: 'redact' as const })),
    };
    const inThread = await scanner.scan({ ...job, set });
    ok(typeof inThread !== 'string' && inThread[0]?.detections.length === 5);
    ok(inThread[0].redactions.length === 3);
    deepEqual(await scanner.scan({ ...job, set }), inThread);
  });

  test('says that a filter broke, and scans the next text', async () => {
    equal(await scanner.scan(jobOf({ patterns: ['('] }, 'a')), 'broken');
    const groups = ['a'.repeat(60_000), 'a'.repeat(60_000)];
    equal(await scanner.scan(jobOf({ patterns: ['a'] }, ...groups)), 'broken');
    equal((await scanner.scan(jobOf({ patterns: ['c'] }, 'abc'))).length, 1);
  });

  test.each(['late', 'broken'] as const)('says that it is %s', async (failure) => {
    const failed = createScanner({ pool: failing(failure) });
    equal(await failed.scan(jobOf({ patterns: ['a'] }, 'a')), failure);
  });

  test('is no verdict if others have the threads', async () => {
    const busy = createScanner({ pool: failing('busy') });
    const wanted = { name: 'Fault', code: 'overloaded', retryAfterSeconds: 2 };
    await rejects(busy.scan(jobOf({ patterns: ['a'] }, 'a')), wanted);
    await rejects(busy.follow(jobOf({ patterns: ['a'] })), wanted);
  });
});

describe('the place of a scan', () => {
  /** A busy machine would move a scan to a thread. */
  const standing = () => 0;

  test('is here for a short text', async () => {
    const threads = counting();
    const scanner = createScanner({ pool: threads, nowMs: standing });
    await scanner.scan(jobOf({ slugs: ['ssn', 'email'] }, 'a short text'));
    deepEqual(threads.modules, []);
    await scanner.scan(jobOf({ slugs: ['ssn', 'email'] }, 'a long text '.repeat(10_000)));
    deepEqual(threads.modules, ['scan-worker.ts']);
  });

  test('is a thread for names and addresses', async () => {
    const threads = counting();
    await createScanner({ pool: threads, nowMs: standing }).scan(
      jobOf({ slugs: ['person-name'] }, 'a'),
    );
    deepEqual(threads.modules, ['scan-worker.ts']);
  });

  test('is a thread for patterns until they have been measured, and for large ones', async () => {
    const threads = counting();
    const scanner = createScanner({ pool: threads, nowMs: standing });
    const [small, large] = [
      jobOf({ patterns: ['ab'] }, 'abc'),
      jobOf({ patterns: ['a{900}'] }, 'a'),
    ];
    for (let count = 0; count < 3; count++) await scanner.scan(small);
    equal(threads.modules.length, 1);
    for (let count = 0; count < 3; count++) await scanner.scan(large);
    equal(threads.modules.length, 4);
    const text = 'abc'.repeat(20_000);
    await scanner.scan(jobOf({ patterns: ['ab'] }, text));
    equal(threads.modules.length, 5);
  });

  test('changes to a thread when it takes too long here', async () => {
    const threads = counting();
    let nowMs = 0;
    const scanner = createScanner({ pool: threads, nowMs: () => (nowMs += 3) });
    const [verdict] = await scanner.scan(jobOf({ slugs: ['ssn', 'email'] }, 'bob@example.com'));
    notEqual(verdict, undefined);
    deepEqual(threads.modules, ['scan-worker.ts']);
  });

  test('leaves the event loop to others, and ends the work of costly patterns', async () => {
    const patterns = Array.from(
      { length: 40 },
      (_, index) => String.raw`[a-z]{1,${900 + index}}\d`,
    );
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const scanner = createScanner({ pool: impatient });
    equal(await scanner.scan(jobOf({ patterns }, 'a'.repeat(31_000))), 'late');
    clearImmediate(next);
    ok(turns > 20, `${turns} turns`);
    equal((await scanner.scan(jobOf({ slugs: ['ssn'] }, 'a'))).length, 1);
  });
});

describe('the way in which filters follow a stream', () => {
  test('is known here for built-in filters', async () => {
    const threads = counting();
    const job = jobOf({ slugs: ['email', 'address'] });
    const { buffered, hold } = await createScanner({ pool: threads }).follow(job);
    deepEqual(buffered, ['address']);
    equal(await hold.from('write to bob@', 0), 9);
    deepEqual(threads.modules, []);
  });

  test('is measured in a thread for patterns, once', async () => {
    const threads = counting();
    const scanner = createScanner({ pool: threads });
    const job = jobOf({ patterns: ['secret', '^a'], slugs: ['email'] });
    for (let count = 0; count < 2; count++) {
      const { buffered, hold } = await scanner.follow(job);
      deepEqual(buffered, ['custom']);
      equal(await hold.from('it is a sec', 0), 8);
      equal(await hold.from('it is a sec', 9), 8);
    }
    deepEqual(threads.modules, ['plan-worker.ts']);
  });

  test('is looked for in a thread if the pattern or the text is large', async () => {
    const threads = counting();
    const scanner = createScanner({ pool: threads });
    const large = await scanner.follow(jobOf({ patterns: ['a{900}'] }));
    equal(await large.hold.from('bbaa', 1), 2);
    const small = await scanner.follow(jobOf({ patterns: ['secret'] }));
    equal(await small.hold.from(`${'b'.repeat(100_000)}sec`, 50_000), 100_000);
    deepEqual(threads.modules, [
      'plan-worker.ts',
      'hold-worker.ts',
      'plan-worker.ts',
      'hold-worker.ts',
    ]);
  });
});
