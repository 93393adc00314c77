import { deepEqual, equal, ok } from 'node:assert/strict';
import { sampleModel } from '@sluice/catalog/testing';
import { describe, test } from 'vitest';
import { listing, principal, textOf } from '../testing/sample-listing.ts';

const names = ['a/one', 'a/two', 'a/three', 'a/four', 'a/five'];
/** The first is the oldest. */
const models = names.map((id, index) => sampleModel(id, { created: 1_000_000 + index }));

interface Page {
  readonly data: readonly { readonly id: string; readonly type: string }[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

const { lists } = listing(models);
const ask = async (
  parameters: Readonly<Record<string, string>>,
  view: 'models' | 'usable-models' | 'retrieved-model' | 'providers' = 'models',
) => {
  const question = {
    view,
    parameters,
    reportsMeasured: false,
    principal,
    format: 'anthropic',
  } as const;
  const reply = await lists.read(question);
  return {
    status: reply.status,
    body: JSON.parse(textOf(reply)) as Page & Record<string, unknown>,
  };
};
const newestFirst = names.toReversed();

describe("the list of models in Anthropic's form", () => {
  test('has the newest first, and where it begins and ends', async () => {
    for (const view of ['models', 'usable-models'] as const) {
      const { body } = await ask({}, view);
      deepEqual(
        body.data.map(({ id }) => id),
        newestFirst,
      );
      deepEqual([body.has_more, body.first_id, body.last_id], [false, 'a/five', 'a/one']);
    }
  });

  test('is read page by page, in both directions', async () => {
    for (const [direction, cursor] of [
      ['after_id', 'last_id'],
      ['before_id', 'first_id'],
    ] as const) {
      const start = direction === 'after_id' ? {} : { before_id: 'a/one' };
      const pages: (readonly string[])[] = [];
      let asked: Readonly<Record<string, string>> = { limit: '2', ...start };
      for (let more = true; more && pages.length < 5;) {
        const { body } = await ask(asked);
        pages.push(body.data.map(({ id }) => id));
        more = body.has_more;
        asked = { limit: '2', [direction]: body[cursor] ?? '' };
      }
      const expected =
        direction === 'after_id'
          ? [['a/five', 'a/four'], ['a/three', 'a/two'], ['a/one']]
          : [
              ['a/three', 'a/two'],
              ['a/five', 'a/four'],
            ];
      deepEqual(pages, expected);
    }
  });

  test('after the last model is empty', async () => {
    const { body } = await ask({ after_id: 'a/one' });
    deepEqual(body, { data: [], has_more: false, first_id: null, last_id: null });
  });

  test.each([
    { after_id: 'a/none' },
    { before_id: 'a/none' },
    { after_id: 'a/one', before_id: 'a/one' },
  ])('refuses %j in the form of its clients', async (parameters) => {
    const { status, body } = await ask(parameters);
    equal(status, 400);
    equal(body['type'], 'error');
  });
});

test('a model says what can be done with it', async () => {
  const { body } = await ask({ model: 'a/one' }, 'retrieved-model');
  const { type, id, created_at: created, lifecycle, capabilities } = body;
  deepEqual(
    [type, id, created, lifecycle],
    ['model', 'a/one', '1970-01-12T13:46:40.000Z', 'active'],
  );
  ok(Object.values(capabilities as object).every((one) => typeof one.supported === 'boolean'));
});

test('what is not there is refused in the form of its clients', async () => {
  for (const [parameters, view] of [
    [{ model: 'a/none' }, 'retrieved-model'],
    [{}, 'providers'],
  ] as const) {
    const { status, body } = await ask(parameters, view);
    deepEqual([status, body['type']], [404, 'error']);
  }
});
