import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Fault, type FaultyUpstream, faultyUpstream } from '../../testing/faulty-upstream.ts';
import { eventsOf, type RoutingHarness, routingHarness } from '../../testing/routing-harness.ts';

/** `make test-faults` says more. */
const faultSeconds = Number(process.env['SLUICE_FAULT_SECONDS'] ?? 6);
const requestsPerSecond = Number(process.env['SLUICE_FAULT_RPS'] ?? 40);
const warmUpSeconds = 4;
const ejectedMsMax = 5_000;
/** The number of requests that run at once. No more of them can meet a fault before it is known. */
const requestsAtOnce = 4;
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
  /** The time that requests have taken so far at the steady rate. Only requests move it. */
  readonly clock: { passedMs: number };
  readonly stop: () => Promise<void>;
}

async function world(): Promise<World> {
  const clock = { passedMs: 0 };
  const upstream = () => faultyUpstream(() => clock.passedMs);
  const upstreams = [await upstream(), await upstream(), await upstream()] as const;
  const startedMs = Date.now();
  const routing = await routingHarness({
    clock: { now: () => new Date(startedMs + clock.passedMs) },
    catalogFile: () => catalogOf(upstreams),
  });
  return {
    routing,
    clock,
    upstreams: [...upstreams],
    async stop() {
      await routing.stop();
      for (const upstream of upstreams) await upstream.stop();
    },
  };
}

/**
 * Asks for so many seconds of the clock, which each request moves on; how many were answered to their end. A slow
 * machine takes longer, and sees the same.
 */
async function ask(
  { routing, clock }: World,
  seconds: number,
): Promise<{ readonly asked: number; readonly completed: number }> {
  const requests = Math.round(seconds * requestsPerSecond);
  let asked = 0;
  let completed = 0;
  const askInTurn = async () => {
    while (asked < requests) {
      asked += 1;
      clock.passedMs += 1_000 / requestsPerSecond;
      if (await one(routing)) completed += 1;
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, askInTurn));
  return { asked, completed };
}

async function one(routing: RoutingHarness): Promise<boolean> {
  const reply = await routing.call({ model: 'u/m', input: 'Hello', stream: true });
  return reply.status === 200 && (await eventsOf(reply)).at(-1)?.type === 'response.completed';
}

async function withFault(fault: Fault) {
  const made = await world();
  const { upstreams, clock, stop } = made;
  try {
    const [bad] = upstreams;
    const warm = await ask(made, warmUpSeconds);
    equal(warm.completed, warm.asked);
    const calls = () => upstreams.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
    const before = calls();
    bad.fault = fault;
    const faultMs = clock.passedMs;
    const { asked, completed } = await ask(made, faultSeconds);
    const late = bad.arrivals.filter((atMs) => atMs > faultMs + ejectedMsMax);
    return { asked, completed, late: late.length, calls: calls() - before };
  } finally {
    await stop();
  }
}

/** Ends a test that gets on no more. A slow machine needs a tenth of it. */
const timeout = 120_000 + (warmUpSeconds + faultSeconds) * requestsPerSecond * 200;

// One after the other: the usual latency of a busy machine would make a slow endpoint look usual.
describe('one of three endpoints that', () => {
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
