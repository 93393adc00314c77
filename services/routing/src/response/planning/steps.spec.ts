import { deepEqual, equal } from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import { describe, expectTypeOf, test } from 'vitest';
import { Steps } from './steps.ts';

const double = ({ count }: { readonly count: number }) => ({ doubled: count * 2 });
const say = async ({ doubled }: { readonly doubled: number }) => ({ said: String(doubled) });
const refuse = ({ count }: { readonly count: number }): { readonly even: true } | Rejection =>
  count % 2 === 0 ? { even: true } : { rejected: 'invalid_request', message: 'odd' };

const counting = Steps.from<{ readonly count: number }>();

describe('steps', () => {
  test('run in their order, each on the fields of those before', async () => {
    const begin = { count: 2 };
    const state = await counting.add(double).add(say).run(begin);
    deepEqual(state, { count: 2, doubled: 4, said: '4' });
    deepEqual(begin, { count: 2 });
  });

  test('begin with the fields that are known to follow', async () => {
    const steps = Steps.from<{ readonly count: number }>({ doubled: undefined, said: undefined });
    deepEqual(await steps.add(double).run({ count: 2 }), { count: 2, doubled: 4, said: undefined });
  });

  test('end with the first rejection', async () => {
    let reached = 0;
    const steps = counting.add(refuse).add(() => ({ reached: ++reached }));
    const ended = await steps.run({ count: 1 });
    equal(isRejection(ended) && ended.message, 'odd');
    equal(reached, 0);
    deepEqual(await steps.run({ count: 2 }), { count: 2, even: true, reached: 1 });
  });

  test('compile only after what they need', () => {
    // @ts-expect-error: nothing before it adds `doubled`.
    counting.add(say);
    const said = counting.add(double).add(say);
    expectTypeOf<Awaited<ReturnType<typeof said.run>>>().toEqualTypeOf<
      { readonly count: number } & { doubled: number } & { said: string }
    >();
    const refused = counting.add(refuse);
    expectTypeOf<Awaited<ReturnType<typeof refused.run>>>().toEqualTypeOf<
      ({ readonly count: number } & { readonly even: true }) | Rejection
    >();
  });
});
