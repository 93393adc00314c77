import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sampleEndpoint, sampleModel } from '../testing/sample-models.ts';
import type { Candidate } from './candidate.ts';
import type { Plan } from './plan.ts';
import { routingText } from './routing-text.ts';

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
    attempts: [plain],
    explanation: {
      candidates,
      excluded: [{ endpointId: quoted.endpoint.id, filter: 'max_price', detail: 'not told' }],
      order: [{ endpointId: plain.endpoint.id, reason: 'sort by "price"' }],
    },
  };
}

describe('how a plan came to be', () => {
  test('is told as JSON would tell it, also a second time', () => {
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
      order: [{ endpoint_id: plain.endpoint.id, reason: 'sort by "price"' }],
    });
    equal(routingText(planOf([quoted, plain])), expected);
    equal(routingText(planOf([quoted, plain])), expected);
  });

  test('names fifty endpoints at most, and none where there is none', () => {
    const told = (candidates: readonly Candidate[]) =>
      (JSON.parse(routingText(planOf(candidates))) as { readonly candidates: readonly unknown[] })
        .candidates;
    equal(told(Array.from({ length: 60 }, () => plain)).length, 50);
    deepEqual(told([]), []);
  });
});
