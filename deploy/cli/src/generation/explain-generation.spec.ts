import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { story } from './explain-generation.ts';

const record = {
  id: 'gen-1',
  model: 'sim/echo',
  provider_name: 'simulator',
  created_at: '2026-11-20T12:00:00.000Z',
  finish_reason: 'stop',
  latency: 40,
  generation_time: 900,
  tokens_prompt: 12,
  tokens_completion: 6,
  total_cost: 0.007_044,
  is_byok: false,
  provider_responses: null,
  routing: null,
};
const turn = {
  turn: 1,
  model: 'sim/echo',
  provider_name: 'simulator',
  status: 'completed',
  finish_reason: 'tool_calls',
  created_at: '2026-11-20T12:00:00.000Z',
  generation_time: 120,
  tokens_prompt: 6,
  tokens_completion: 3,
  cost: 0.000_022,
};
const call = {
  number: 1,
  type: 'service:web_search',
  engine: 'exa',
  status: 'completed',
  created_at: '2026-11-20T12:00:00.130Z',
  latency: 300,
  cost: 0.007,
  is_byok: false,
};

test('the story of a loop tells turns and tools in the order of their times', () => {
  const second = {
    ...turn,
    turn: 2,
    finish_reason: 'stop',
    created_at: '2026-11-20T12:00:00.440Z',
  };
  const own = {
    ...call,
    number: 2,
    engine: null,
    is_byok: true,
    latency: null,
    status: 'interrupted',
    cost: 0,
  };
  const lines = [...story({ ...record, turns: [turn, second], tool_calls: [call, own] })];
  deepEqual(lines.slice(2, -1), [
    'First output 40 ms after it was admitted.',
    'Turn 1: sim/echo at simulator, completed (tool_calls) after 120 ms, 6 tokens in, 3 out, 0.000022000 USD.',
    '  Tool 1: service:web_search by exa, completed after 300 ms, 0.007000000 USD.',
    '  Tool 2: service:web_search with a key of your own, interrupted, 0.000000000 USD.',
    'Turn 2: sim/echo at simulator, completed (stop) after 120 ms, 6 tokens in, 3 out, 0.000022000 USD.',
  ]);
});

test('the story of a single turn, and that of an earlier release, have no line for it', () => {
  const plain = [...story(record)];
  deepEqual([...story({ ...record, turns: [turn], tool_calls: [] })], plain);
});

test('the story of a choice names its candidates, the evidence, and why others were left out', () => {
  const data = {
    task_type: 'math',
    evidence: ['solve', 'bad\u001b[31m'],
    candidates: [{ model: 'sim/echo', place: 1, price: 0.5 }],
    excluded: [{ model: 'sim/dear', reason: 'above max_price' }],
  };
  const routing = {
    requested: ['service/auto'],
    strategy: 'auto',
    candidates: [],
    excluded: [],
    order: [],
    router: { slug: 'service/auto', summary: 'chose sim/echo for math', data, is_cut: true },
  };
  deepEqual([...story({ ...record, routing })].slice(1, 8), [
    'Asked for service/auto (auto).',
    'The router service/auto chose sim/echo for math.',
    '  task_type: math',
    '  evidence: solve, bad\u{FFFD}[31m',
    '  candidate sim/echo, place 1, price 0.5',
    '  left out  sim/dear, reason above max_price',
    '  The lists were too long to keep in full.',
  ]);
  const counts = { ...routing.router, data: { seed: '7', excluded: { cannot_serve: 2 } } };
  const lines = [...story({ ...record, routing: { ...routing, router: counts } })];
  deepEqual(lines.slice(3, 5), ['  seed: 7', '  left out  cannot_serve 2']);
});

test('the story ends with the cost, and with the discount if there is one', () => {
  const last = (more: object) => [...story({ ...record, ...more })].at(-1);
  const served = 'Served by simulator as sim/echo: 12 tokens in, 6 out, 0.007044000 USD';
  equal(last({}), `${served}, stop.`);
  equal(last({ data_discount: null }), `${served}, stop.`);
  equal(
    last({ data_discount: 0.000_07 }),
    `${served} after a data discount of 0.000070000 USD, stop.`,
  );
});

test('the story of a choice by chance has its seed', () => {
  const [drawn, other] = ['first', 'second'];
  const routing = {
    requested: ['sim/echo'],
    strategy: 'direct',
    candidates: [drawn, other].map((endpoint_id) => ({
      endpoint_id,
      model: 'sim/echo',
      tag: endpoint_id,
    })),
    excluded: [],
    order: [
      { endpoint_id: drawn, reason: 'load balancing', seed: '17' },
      { endpoint_id: other, reason: 'fallback by price' },
    ],
  };
  deepEqual([...story({ ...record, routing })].slice(3, 5), [
    '    1.  sim/echo at first: load balancing, drawn with seed 17',
    '    2.  sim/echo at second: fallback by price',
  ]);
});
