import type { ErrorCode } from '@sluice/errors';
import type { Condition, Percentiles } from '../selection/order.ts';
import { Counts } from './counts.ts';
import { Samples } from './samples.ts';

/** The statistics of an endpoint, as lists show them. */
export interface EndpointStatistics {
  readonly latencyMs: Percentiles | undefined;
  readonly tokensPerSecond: Percentiles | undefined;
  /** Percent of attempts that did not fail. undefined if there were none. */
  readonly uptime5m: number | undefined;
  readonly uptime30m: number | undefined;
  readonly uptime1d: number | undefined;
  readonly requestCount: number;
}

/** Receives the changes of an endpoint's health. */
export interface HealthListener {
  /** An endpoint was ejected. */
  readonly ejected?: () => void;
  /** An ejected endpoint is probed after its cool-down. */
  readonly probed?: () => void;
}

const endpointsMax = 10_000;
const secondMs = 1_000;
const minuteMs = 60_000;
const outageSeconds = 30;
const outageShare = 0.2;
const outageRequestsMin = 5;
const dayMinutes = 1_440;
const coolDownMsMin = 30_000;
const coolDownMsMax = 300_000;
/** Consecutive failures that eject an endpoint. */
const failuresInRowMax = 3;
/** The time limit of a probe. */
const probeMs = 60_000;
const toolCallsMin = 20;
const poorShare = 0.2;
const latencySamplesMin = 20;

/** Errors that do not affect health, because they come from rate limits or from the request. */
const neutral: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'provider_rate_limited',
  'invalid_request',
  'payload_too_large',
  'unprocessable',
  'context_length_exceeded',
  'string_too_long',
  'content_policy_violation',
  'invalid_image',
  'image_too_large',
  'image_too_small',
  'unsupported_image_format',
  'image_download_failed',
  'image_not_found',
]);

class Health {
  readonly seconds = new Counts(secondMs, outageSeconds);
  readonly minutes = new Counts(minuteMs, dayMinutes);
  readonly latencies = new Samples();
  /** Latencies of answers that are not streamed. */
  readonly wholes = new Samples();
  readonly speeds = new Samples();
  readonly tools = new Counts(minuteMs, 5);
  measured = 0;
  requests = 0;
  failuresInRow = 0;
  coolDownMs = 0;
  /** The end of the ejection. 0 if the endpoint is not ejected. */
  outUntilMs = 0;
  probedAtMs = -Infinity;
}

/**
 * Tracks the health of endpoints as this replica sees it. Ejects an endpoint after failures. After the cool-down one
 * request probes it. If the probe succeeds, other requests use it again.
 */
export class EndpointHealth {
  readonly #nowMs: () => number;
  readonly #listener: HealthListener;
  readonly #known = new Map<string, Health>();

  constructor(nowMs: () => number, listener: HealthListener = {}) {
    this.#nowMs = nowMs;
    this.#listener = listener;
  }

  /** Records the start of an attempt. */
  began(id: string): void {
    const health = this.#of(id);
    const nowMs = this.#nowMs();
    if (health.outUntilMs === 0 || nowMs < health.outUntilMs) return;
    health.probedAtMs = nowMs;
    this.#listener.probed?.();
  }

  /** Records the time to the first output. */
  succeeded(id: string, latencyMs: number, { isStreamed }: { readonly isStreamed: boolean }): void {
    const health = this.#of(id);
    const nowMs = this.#nowMs();
    this.#count(health, true, nowMs);
    (isStreamed ? health.latencies : health.wholes).add(latencyMs, nowMs);
    health.measured += 1;
    health.failuresInRow = 0;
    health.coolDownMs = 0;
    health.outUntilMs = 0;
  }

  failed(id: string, code: ErrorCode): void {
    if (neutral.has(code)) return;
    const health = this.#of(id);
    const nowMs = this.#nowMs();
    this.#count(health, false, nowMs);
    health.failuresInRow += 1;
    const wasProbe = health.outUntilMs > 0;
    // The provider refuses the platform's credential. That does not end by itself.
    const isEnough = health.failuresInRow >= failuresInRowMax || code === 'provider_rejected';
    if (!wasProbe && !isEnough) return;
    // Otherwise each request that was in flight at the ejection would double the cool-down.
    if (wasProbe && nowMs < health.outUntilMs) return;
    health.coolDownMs = Math.min(coolDownMsMax, Math.max(coolDownMsMin, health.coolDownMs * 2));
    health.outUntilMs = nowMs + health.coolDownMs;
    this.#listener.ejected?.();
  }

  /** Records the end of an answer. */
  ended(id: string, outputTokens: number, durationMs: number): void {
    if (outputTokens > 1 && durationMs > 0)
      this.#of(id).speeds.add((outputTokens * 1_000) / durationMs, this.#nowMs());
  }

  /** Records whether the tool calls of an answer were good. */
  calledTools(id: string, { areBad }: { readonly areBad: boolean }): void {
    this.#of(id).tools.add(!areBad, this.#nowMs());
  }

  condition(id: string): Condition | undefined {
    const health = this.#known.get(id);
    if (!health) return undefined;
    const nowMs = this.#nowMs();
    const { successes, failures } = health.seconds.sum(outageSeconds, nowMs);
    const requests = successes + failures;
    const tools = health.tools.sum(5, nowMs);
    const calls = tools.successes + tools.failures;
    return {
      latencyMs: health.latencies.percentiles(nowMs),
      tokensPerSecond: health.speeds.percentiles(nowMs),
      isUnstable: requests >= outageRequestsMin && failures / requests >= outageShare,
      isOut: this.#isOut(health, nowMs),
      isPoorWithTools: calls >= toolCallsMin && tools.failures / calls > poorShare,
    };
  }

  /** Milliseconds within which nearly all answers began. undefined with too few samples. */
  usualLatencyMs(id: string, { isStreamed }: { readonly isStreamed: boolean }): number | undefined {
    const health = this.#known.get(id);
    if (!health || health.measured < latencySamplesMin) return undefined;
    return (isStreamed ? health.latencies : health.wholes).percentiles(this.#nowMs())?.p99;
  }

  statistics(id: string): EndpointStatistics | undefined {
    const health = this.#known.get(id);
    if (!health) return undefined;
    const nowMs = this.#nowMs();
    return {
      latencyMs: health.latencies.percentiles(nowMs),
      tokensPerSecond: health.speeds.percentiles(nowMs),
      uptime5m: uptime(health.minutes, 5, nowMs),
      uptime30m: uptime(health.minutes, 30, nowMs),
      uptime1d: uptime(health.minutes, dayMinutes, nowMs),
      requestCount: health.requests,
    };
  }

  /** The number of ejected endpoints. */
  get outCount(): number {
    const nowMs = this.#nowMs();
    let count = 0;
    for (const health of this.#known.values()) if (this.#isOut(health, nowMs)) count += 1;
    return count;
  }

  #isOut({ outUntilMs, probedAtMs }: Health, nowMs: number): boolean {
    if (outUntilMs === 0) return false;
    if (nowMs < outUntilMs) return true;
    return probedAtMs >= outUntilMs && nowMs - probedAtMs < probeMs;
  }

  #count(health: Health, isSuccess: boolean, nowMs: number): void {
    health.requests += 1;
    health.seconds.add(isSuccess, nowMs);
    health.minutes.add(isSuccess, nowMs);
  }

  #of(id: string): Health {
    let health = this.#known.get(id);
    if (!health) {
      const [oldest] = this.#known.keys();
      if (this.#known.size >= endpointsMax && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(id, (health = new Health()));
    }
    return health;
  }
}

function uptime(counts: Counts, minutes: number, nowMs: number): number | undefined {
  const { successes, failures } = counts.sum(minutes, nowMs);
  const all = successes + failures;
  return all === 0 ? undefined : (successes / all) * 100;
}
