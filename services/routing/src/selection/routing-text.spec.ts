import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import type { Candidate } from './candidate.ts';
import type { Plan } from './plan.ts';
import { routingBytesMax, routingText } from './routing-text.ts';

function candidateOf(id: string, tag: string): Candidate {
  const endpoint = sampleEndpoint(id, 'openai', { tag });
  return { model: sampleModel(id, { endpoints: [endpoint] }), endpoint };
}

const quoted = candidateOf('maker/"model"', 'openai/"\u2028\\"');
const plain = candidateOf('maker/other', 'openai');

function planOf(candidates: readonly Candidate[]): Plan {
  return {
    requested: 'maker/"model"',
    requestedModels: ['maker/"model"', '\ud800'],
    strategy: 'direct',
    askedFirst: [],
    attempts: [plain],
    explanation: {
      candidates,
      excluded: [{ endpointId: quoted.endpoint.id, filter: 'max_price', detail: 'not told' }],
      order: [
        { endpointId: plain.endpoint.id, reason: 'sort by "price"' },
        { endpointId: quoted.endpoint.id, reason: 'load balancing', seed: '17' },
      ],
    },
  };
}

describe('how a plan came to be', () => {
  test('is written as JSON.stringify writes it, also a second time', () => {
    const expected = JSON.stringify({
      requested: ['maker/"model"', '\ud800'],
      strategy: 'direct',
      candidates: [quoted, plain].map(({ model, endpoint }) => ({
        endpoint_id: endpoint.id,
        model: model.id,
        provider: 'openai',
        tag: endpoint.tag,
      })),
      excluded: [{ endpoint_id: quoted.endpoint.id, filter: 'max_price' }],
      order: [
        { endpoint_id: plain.endpoint.id, reason: 'sort by "price"' },
        { endpoint_id: quoted.endpoint.id, reason: 'load balancing', seed: '17' },
      ],
    });
    equal(routingText(planOf([quoted, plain])), expected);
    equal(routingText(planOf([quoted, plain])), expected);
  });

  test('is of the plan it is asked for, where the one before came to the same endpoint', () => {
    const only = (requested: string, strategy: Plan['strategy'], reason: string): Plan => ({
      ...planOf([plain]),
      requestedModels: [requested],
      strategy,
      explanation: {
        candidates: [plain],
        excluded: [],
        order: [{ endpointId: plain.endpoint.id, reason }],
      },
    });
    const written = (plan: Plan) => {
      const { requested, strategy, order } = JSON.parse(routingText(plan)) as {
        readonly requested: readonly string[];
        readonly strategy: string;
        readonly order: readonly { readonly reason: string }[];
      };
      return [requested, strategy, order.map(({ reason }) => reason)];
    };
    for (const requested of ['maker/other', '"'])
      for (const strategy of ['direct', 'alias'] as const)
        for (const reason of ['load balancing', 'own credential'])
          deepEqual(
            [1, 2].map(() => written(only(requested, strategy, reason))),
            [1, 2].map(() => [[requested], strategy, [reason]]),
          );
    const before = only('maker/other', 'direct', 'sort');
    routingText(before);
    const also = { ...before, requestedModels: ['maker/other', 'maker/else'] };
    deepEqual(written(also), [['maker/other', 'maker/else'], 'direct', ['sort']]);
    const elsewhere = { ...before.explanation, candidates: [plain, quoted] };
    equal(routingText({ ...before, explanation: elsewhere }).includes(quoted.endpoint.id), true);
  });

  test('has the choice of a router, also where one endpoint is left', () => {
    const order = [{ endpointId: plain.endpoint.id, reason: 'load balancing' }];
    const explanation = { candidates: [plain], excluded: [], order };
    const plan = { ...planOf([plain]), requestedModels: ['service/x'], explanation };
    const routerOf = (router: Plan['explanation']['router']) =>
      (
        JSON.parse(routingText({ ...plan, explanation: { ...explanation, router } })) as {
          readonly router?: unknown;
        }
      ).router;
    const report = { type: 'plugin', name: 'x', summary: 'chose "it"', data: { score: 0.5 } };
    equal(routerOf(undefined), undefined);
    deepEqual(routerOf({ slug: 'service/x' }), { slug: 'service/x' });
    deepEqual(routerOf({ slug: 'service/x', report }), {
      slug: 'service/x',
      summary: report.summary,
      data: report.data,
    });
    equal(routerOf(undefined), undefined);
  });

  test('is bounded in bytes, whatever names there are', () => {
    const long = 'x'.repeat(2_000);
    const candidates = Array.from({ length: 50 }, (_, index) =>
      candidateOf(`${long}/${String(index)}`, 'openai'),
    );
    const report = {
      type: 'plugin',
      name: 'x',
      summary: 'chose',
      data: { tier: 'low', candidates: candidates.map(({ model }) => ({ model: model.id })) },
    };
    const order = candidates.map(({ endpoint }) => ({ endpointId: endpoint.id, reason: 'sort' }));
    const explanation = { candidates, excluded: [], order, router: { slug: 'service/x', report } };
    const text = routingText({ ...planOf(candidates), explanation });
    ok(Buffer.byteLength(text) <= routingBytesMax, String(Buffer.byteLength(text)));
    const { candidates: kept, router } = JSON.parse(text) as {
      readonly candidates: readonly unknown[];
      readonly router: { readonly is_cut: boolean; readonly data: Record<string, unknown> };
    };
    ok(kept.length > 0);
    equal(router.is_cut, true);
    equal(router.data['tier'], 'low');
    ok((router.data['candidates'] as readonly unknown[]).length > 0);
  });

  test('names fifty endpoints at most, and none where there is none', () => {
    const written = (candidates: readonly Candidate[]) =>
      (JSON.parse(routingText(planOf(candidates))) as { readonly candidates: readonly unknown[] })
        .candidates;
    equal(written(Array.from({ length: 60 }, () => plain)).length, 50);
    deepEqual(written([]), []);
  });
});
