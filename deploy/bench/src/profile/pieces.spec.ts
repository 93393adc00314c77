import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { piecesOf } from './pieces.ts';

const node = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

const profile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 8]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'createResponse', 'file:///x/services/routing/src/response/create-response.ts', [5, 6]),
    node(5, 'stringify', ''),
    node(6, 'dispatch', 'file:///x/node_modules/undici/lib/agent.js', [7]),
    node(7, 'writev', 'node:net'),
    node(8, 'publish', 'file:///x/node_modules/@nats-io/nats-core/lib/nats.js'),
  ],
  samples: [4, 4, 4, 4, 4, 4, 5, 7, 3, 2, 8, 1],
  timeDeltas: [900, 900, 900, 900, 900, 900, 10, 40, 20, 500, 20, 10],
};

test('time counts for the code that it was spent for, idle time and the warm-up for nobody', () => {
  deepEqual(piecesOf(profile), [
    { name: 'HTTP out: undici', share: 0.4 },
    { name: 'garbage collection', share: 0.2 },
    { name: 'NATS client', share: 0.2 },
    { name: 'routing service', share: 0.1 },
    { name: 'the runtime itself', share: 0.1 },
  ]);
});

test('a profile in which nothing ran has no pieces', () => {
  deepEqual(piecesOf({ nodes: profile.nodes, samples: [2, 2], timeDeltas: [5, 5] }), []);
});
