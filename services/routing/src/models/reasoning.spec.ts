import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { modelView } from './model-view.ts';
import { loadCatalog, type Model } from '@sluice/catalog';

const model = (reasoning: unknown): Model => {
  const file = JSON.stringify({
    providers: [
      { slug: 'mine', name: 'Mine', dialect: 'openai-chat', base_url: 'http://127.0.0.1:9' },
    ],
    models: [
      {
        id: 'mine/one',
        provider: 'mine',
        upstream_model: 'm',
        pricing: { prompt: '1', completion: '2' },
        reasoning,
      },
    ],
  });
  const catalog = loadCatalog({ simulatorUrl: undefined, file, settings: () => undefined });
  const found = catalog.find('mine/one');
  ok(found);
  return found;
};
const shown = (reasoning: unknown) =>
  (modelView(model(reasoning)) as { readonly reasoning?: object }).reasoning;

describe('what the catalog file says of how a model thinks', () => {
  test('is what the lists say, and what its endpoints are told', () => {
    const written = {
      supported_efforts: ['low', 'high', 'none'],
      default_effort: 'low',
      supports_max_tokens: true,
    };
    deepEqual(shown(written), {
      mandatory: false,
      supported_efforts: ['high', 'low', 'none'],
      default_effort: 'low',
      default_enabled: true,
      supports_max_tokens: true,
    });
    const { isReasoning, endpoints } = model(written);
    equal(isReasoning, true);
    deepEqual(endpoints[0]?.endpoint.efforts, ['high', 'low', 'none']);
  });

  test('may be only that it always does, in all ways', () => {
    deepEqual(shown({ mandatory: true }), {
      mandatory: true,
      supported_efforts: null,
      default_effort: null,
      default_enabled: true,
      supports_max_tokens: false,
    });
    equal(model({ mandatory: true }).endpoints[0]?.endpoint.efforts, undefined);
  });

  test('may be that it does, and not how, or that it does not', () => {
    deepEqual([model(true).isReasoning, model(true).reasoning], [true, undefined]);
    deepEqual([model(false).isReasoning, shown(false)], [false, undefined]);
    equal(shown({})?.constructor, Object);
  });

  test.each([
    [{ supported_efforts: ['much'] }, 'reasoning'],
    [{ supported_efforts: [] }, 'reasoning'],
    [{ hard: true }, 'reasoning'],
    ['sometimes', 'reasoning'],
    [{ supported_efforts: ['low'], default_effort: 'high' }, String.raw`reasoning\.default_effort`],
    [
      { mandatory: true, supported_efforts: ['low', 'none'] },
      String.raw`reasoning\.supported_efforts`,
    ],
    [{ mandatory: true, default_effort: 'none' }, String.raw`reasoning\.default_effort`],
    [{ mandatory: true, default_enabled: false }, String.raw`reasoning\.default_enabled`],
  ])('such as %j is refused by its path', (reasoning, path) => {
    throws(() => model(reasoning), new RegExp(String.raw`models\[0\]\.${path}`));
  });
});
