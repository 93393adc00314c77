import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Fault, type FaultyUpstream, faultyUpstream } from './testing/faulty-upstream.ts';
import { eventsOf, type RoutingHarness, routingHarness } from './testing/routing-harness.ts';

/** `make test-faults` says more. */
const faultSeconds = Number(process.env['SLUICE_FAULT_SECONDS'] ?? 6);
const requestsPerSecond = Number(process.env['SLUICE_FAULT_RPS'] ?? 40);
const warmUpSeconds = 4;
const ejectedMsMax = 5_000;
/** One after each cool-down of half a minute and more. */
const probesMax = 4;

const catalogOf = (upstreams: readonly FaultyUpstream[]) => `
providers:
${upstreams.map(({ url }, index) => `  - { slug: u${index}, name: U, dialect: openai-chat, base_url: '${url}' }`).join('\n')}
models:
  - id: u/m
    endpoints:
${upstreams.map((_, index) => `      - { provider: u${index}, upstream_model: m, pricing: { prompt: '0.000001', completion: '0.000001' } }`).join('\n')}
`;

interface World {
  readonly routing: RoutingHarness;
  readonly upstreams: readonly [FaultyUpstream, FaultyUpstream, FaultyUpstream];
  readonly stop: () => Promise<void>;
}

async function world(): Promise<World> {
  const upstreams = [
    await faultyUpstream(),
    await faultyUpstream(),
    await faultyUpstream(),
  ] as const;
  const routing = await routingHarness({ catalogFile: () => catalogOf(upstreams) });
  return {
    routing,
    upstreams: [...upstreams],
    async stop() {
      await routing.stop();
      for (const upstream of upstreams) await upstream.stop();
    },
  };
}

/** Asks at a steady rate, whatever becomes of it; how many were answered to their end. */
async function ask(
  routing: RoutingHarness,
  seconds: number,
): Promise<{ readonly asked: number; readonly completed: number }> {
  const asked = Math.round(seconds * requestsPerSecond);
  const answers: Promise<boolean>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < asked; index += 1) {
    const dueMs = startedMs + (index * 1_000) / requestsPerSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    answers.push(one(routing));
  }
  const ended = await Promise.all(answers);
  return { asked, completed: ended.filter(Boolean).length };
}

async function one(routing: RoutingHarness): Promise<boolean> {
  const reply = await routing.call({ model: 'u/m', input: 'Hello', stream: true });
  return reply.status === 200 && (await eventsOf(reply)).at(-1)?.type === 'response.completed';
}

async function withFault(fault: Fault) {
  const { routing, upstreams, stop } = await world();
  try {
    const [bad] = upstreams;
    const warm = await ask(routing, warmUpSeconds);
    equal(warm.completed, warm.asked);
    const calls = () => upstreams.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
    const before = calls();
    bad.fault = fault;
    const faultMs = performance.now();
    const { asked, completed } = await ask(routing, faultSeconds);
    const late = bad.arrivals.filter((atMs) => atMs > faultMs + ejectedMsMax);
    return { asked, completed, late: late.length, calls: calls() - before };
  } finally {
    await stop();
  }
}

const timeout = (warmUpSeconds + faultSeconds) * 1_000 + 60_000;

describe.concurrent('one of three endpoints that', () => {
  test.each(['silence', 'error', 'slowness', 'garbage'] as const)(
    'gives %s is left alone within 5 s, and nearly nobody learns of it',
    { timeout },
    async (fault) => {
      const { asked, completed, late, calls } = await withFault(fault);
      ok(completed / asked >= 0.999, `${String(completed)} of ${String(asked)} were answered`);
      ok(late <= probesMax, `${String(late)} requests came after 5 s`);
      ok(calls / asked <= 1.2, `${String(calls)} attempts for ${String(asked)} requests`);
    },
  );

  test(
    'is cut after its first byte is not followed by another: one attempt each',
    { timeout },
    async () => {
      const { asked, completed, calls } = await withFault('cut');
      equal(calls, asked);
      ok(completed < asked && completed > 0);
    },
  );
});
