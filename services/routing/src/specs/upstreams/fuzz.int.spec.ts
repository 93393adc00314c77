import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Json, mutatedBody } from '../../testing/mutated-bodies.ts';
import {
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';
import { sampleBodies } from '../../testing/sample-bodies.ts';
import { sampleChats } from '../../testing/sample-chats.ts';
import { sampleEmbeddings } from '../../testing/sample-embeddings.ts';
import { sampleMessages } from '../../testing/sample-messages.ts';

type Door = 'responses' | 'chat-completions' | 'messages' | 'embeddings';
const samples: Readonly<Record<Door, readonly Json[]>> = {
  responses: sampleBodies,
  'chat-completions': sampleChats,
  messages: sampleMessages,
  embeddings: sampleEmbeddings,
};
const doors = Object.keys(samples) as readonly Door[];

/** `make test-fuzz`, `make test-fuzz SEED=7 BODIES=1`: that many bodies for each format, the first of this seed. */
const bodies = Number(process.env['BODIES'] ?? 2_000);
const firstSeed = Number(process.env['SEED'] ?? 1);
/** The number of bodies that may be paid for. */
const servedBodies = Math.min(bodies, 400);
const timeoutMs = 15 * 60_000;

let penniless: RoutingHarness;
let routing: RoutingHarness;
beforeAll(async () => {
  [penniless, routing] = await Promise.all([
    routingHarness({ creditsNanoUsd: 0n }),
    routingHarness({ creditsNanoUsd: 10n ** 15n }),
  ]);
});
afterAll(() => Promise.all([penniless.stop(), routing.stop()]));

async function answered(harness: RoutingHarness, dialect: Door, seed: number): Promise<number> {
  const reply = await harness.service.inference.createResponse({
    dialect,
    principal: somebody,
    requestId: `req-${String(seed)}`,
    body: mutatedBody(samples[dialect], seed),
    signal: new AbortController().signal,
  });
  const text = await textOf(reply);
  if (reply.status === 200) return 200;
  const { error } = JSON.parse(text) as { error: { code?: number; message: string } };
  if (dialect !== 'messages') equal(error.code, reply.status);
  ok(error.message.length > 0 && !/\.ts:\d|Cannot read|is not a function/.test(text), text);
  return reply.status;
}

describe.each(doors)('%s', (door) => {
  test(
    `${String(bodies)} mutated bodies from seed ${String(firstSeed)} are read, chosen for and refused, and none breaks anything`,
    async () => {
      const seen = new Map<number, number>();
      for (let seed = firstSeed; seed < firstSeed + bodies; seed++) {
        const status = await answered(penniless, door, seed).catch((error: unknown) => {
          throw new Error(`again: make test-fuzz SEED=${String(seed)} BODIES=1`, { cause: error });
        });
        ok(status < 500, `${String(status)}: make test-fuzz SEED=${String(seed)} BODIES=1`);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      // A valid body gets as far as the money. An invalid one is refused before it.
      if (bodies >= 1_000)
        ok((seen.get(402) ?? 0) > bodies / 50 && (seen.get(400) ?? 0) > bodies / 5);
      ok(!seen.has(200));
    },
    timeoutMs,
  );

  test(
    'mutated bodies that are admitted become requests that the provider can at least refuse properly',
    async () => {
      const broken: string[] = [];
      for (let seed = firstSeed; seed < firstSeed + servedBodies; seed++) {
        const status = await answered(routing, door, seed);
        // An unknown provider in the middle of it is nobody's fault; a request that cannot be sent would be ours.
        if (status >= 500)
          broken.push(`${String(status)}: make test-fuzz SEED=${String(seed)} BODIES=1`);
      }
      deepEqual(broken, []);
    },
    timeoutMs,
  );
});
