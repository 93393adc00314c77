import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Router } from '../../selection/routers/router.ts';
import {
  errorOf,
  eventsOf,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

/** A router that thinks hard, with an input from a plugin. It serves no request with an image. */
const router: Router = {
  slug: 'service/test',
  strategy: 'auto',
  expand({ plugins, inference }) {
    if (inference.options?.modalities?.includes('image'))
      return { rejected: 'not_found', message: 'no models match your request' };
    const tier = plugins['auto-router']?.cost_tier ?? 'low';
    return {
      models: ['sim/reasoning', 'sim/echo'],
      effort: 'high',
      params: { quality_floor: 0.5, tier },
      report: { type: 'plugin', name: 'test-router', summary: 'chose sim/reasoning' },
    };
  },
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    routers: [router],
    limits: { firstOutputTimeoutMs: 4_000, statusHeldMs: 2_000 },
  });
});
afterAll(() => routing.stop());

const client = { wantsMetadata: true } as const;
const model = 'service/test';

async function answerTo(body: object) {
  const reply = await routing.call({ model, input: 'x', ...body }, { client });
  return JSON.parse(await textOf(reply)) as {
    readonly model?: string;
    readonly service_metadata?: Readonly<Record<string, unknown>>;
  };
}

describe('a router', () => {
  test('says in service_metadata what it chose, and from which inputs', async () => {
    const plugins = [{ id: 'auto-router', enabled: false, cost_tier: 'high' }];
    const { model: served, service_metadata: metadata = {} } = await answerTo({ plugins });
    equal(served, 'sim/reasoning');
    equal(metadata['requested'], model);
    equal(metadata['strategy'], 'auto');
    deepEqual(metadata['params'], { quality_floor: 0.5, tier: 'high' });
    deepEqual(metadata['pipeline'], [
      { type: 'plugin', name: 'test-router', summary: 'chose sim/reasoning' },
    ]);
  });

  test('chooses the effort that the upstream is asked for', async () => {
    const debug = { echo_upstream_body: true };
    const summary = 'concise';
    const reasoning = { effort: 'low', summary };
    const [first] = await eventsOf(
      await routing.call({ model, input: 'x', stream: true, debug, reasoning }),
    );
    ok(first && 'debug' in first, JSON.stringify(first));
    const { echo_upstream_body: sent } = first.debug as {
      readonly echo_upstream_body: Readonly<Record<string, unknown>>;
    };
    deepEqual(sent['reasoning'], { effort: 'high', summary });
  });

  test('is a fallback of a named model, too, and then says nothing of its own', async () => {
    const body = { model: 'sim/sim-error-503', models: [model] };
    const { model: served, service_metadata: metadata = {} } = await answerTo(body);
    equal(served, 'sim/reasoning');
    equal(metadata['strategy'], 'fallback');
    equal(metadata['params'], undefined);
    equal(metadata['pipeline'], undefined);
  });

  test('refuses in its own words, unless another name serves', async () => {
    const images = { modalities: ['text', 'image'] };
    const { message } = await errorOf(await routing.call({ model, input: 'x', ...images }));
    equal(message, 'no models match your request');
  });
});
