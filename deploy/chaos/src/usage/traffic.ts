import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { BrokenRule, checkedFetch } from '@sluice/testing/response-stream';
import type { Random } from '@sluice/testing/random';

export interface TrafficOptions {
  readonly instance: Pick<Instance, 'bootstrap'>;
  /** Keys to send with; the first one sends most. */
  readonly keys: readonly [string, ...string[]];
  readonly requestsPerSecond: number;
  readonly random: Random;
}

export interface Traffic {
  readonly counts: Readonly<TrafficCounts>;
  /** Streams that broke a rule of their order; the first of them. */
  readonly findings: readonly string[];
  /** Sends nothing more; resolves when every request has ended, one way or the other. */
  stop(): Promise<void>;
}

export interface TrafficCounts {
  requests: number;
  answered: number;
  /** By a limit: 402. */
  refused: number;
  /** Nothing can be admitted now: 503. */
  unavailable: number;
  /** The messages of these, with their number. */
  unavailableBecause: Record<string, number>;
  /** The 503 answers without a `Retry-After`. */
  unavailableForEver: number;
  /** Number of requests that the simulated provider failed on purpose. */
  faulted: number;
  /** With any other status. */
  failed: number;
  /** Due, but too many were open. */
  skipped: number;
}

const tickMs = 20;
const openMax = 2_000;
const requestTimeoutMs = 60_000;
const othersShare = 0.15;
const disconnectsMsMax = 400;
const findingsMax = 20;
const paymentRequired = 402;
const unavailable = 503;

/** How the names of models begin that speak each dialect to the provider. */
const dialects = ['', 'chat-', 'messages-', 'gemini-'] as const;
/** How an answer ends, whole or streamed, after a number of chunks. */
const faults = ['cut', 'fail', 'stall'] as const;
const faultsShare = 0.06;
/** Odd usages and heads of an answer. */
const oddities = [
  'no-usage',
  'absurd-usage',
  'negative-usage',
  'garbled-usage',
  'malformed',
  'empty',
] as const;
const odditiesShare = 0.02;
/** Before any output, of an attempt that another one follows. */
const firstFaults = [
  'cut-0',
  'fail-0',
  'stall-0',
  'malformed',
  'error-500',
  'empty',
  'hang',
] as const;
const firstFaultsShare = 0.03;
const faultChunksMax = 9;

interface Ask {
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The client leaves after this time; undefined: it stays. */
  readonly leavesAfterMs: number | undefined;
  /** The simulated provider fails it on purpose. */
  readonly isFaulty: boolean;
}

/** Sends requests at a rate, whatever becomes of the earlier ones, until it is stopped. */
export function startTraffic(options: TrafficOptions): Traffic {
  const { instance, requestsPerSecond, random } = options;
  const stopping = new AbortController();
  const counts: TrafficCounts = {
    requests: 0,
    answered: 0,
    refused: 0,
    unavailable: 0,
    unavailableBecause: {},
    unavailableForEver: 0,
    faulted: 0,
    failed: 0,
    skipped: 0,
  };
  const findings: string[] = [];
  const open = new Set<Promise<void>>();
  const url = `${instance.bootstrap.base_url}/responses`;

  async function send(ask: Ask): Promise<void> {
    const { status, retryAfter, broken, message } = await answerOf(url, ask);
    if (broken !== undefined && findings.length < findingsMax) findings.push(broken);
    if (status === 200) counts.answered++;
    else if (status === paymentRequired) counts.refused++;
    else if (status === unavailable) {
      counts.unavailable++;
      counts.unavailableBecause[message] = (counts.unavailableBecause[message] ?? 0) + 1;
      if (!/^\d+$/.test(retryAfter ?? '')) counts.unavailableForEver++;
    } else if (status !== 0 && ask.isFaulty) counts.faulted++;
    else if (status !== 0) counts.failed++;
  }

  async function run(): Promise<void> {
    const startedMs = performance.now();
    for (let due = 0; !stopping.signal.aborted;) {
      const dueNow = Math.floor(((performance.now() - startedMs) / 1_000) * requestsPerSecond);
      for (; due < dueNow; due++) {
        const ask = choose(options, due, random);
        if (open.size >= openMax) {
          counts.skipped++;
          continue;
        }
        counts.requests++;
        const sending = send(ask).finally(() => open.delete(sending));
        open.add(sending);
      }
      await delay(tickMs);
    }
  }

  const running = run();
  return {
    counts,
    findings,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(open);
    },
  };
}

interface Answer {
  /** 0 when there was no whole answer. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** The message of its error; empty for any other answer than a 503. */
  readonly message: string;
  /** The rule that its stream broke. */
  readonly broken?: string;
}

async function answerOf(url: string, { key, body, leavesAfterMs }: Ask): Promise<Answer> {
  try {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(leavesAfterMs ?? requestTimeoutMs),
    };
    // A stream that reaches its end keeps its order under every disturbance.
    const response = await checkedFetch(url, init, { mayBreak: true });
    const { status, headers } = response;
    const text = await response.text();
    const message = status === unavailable ? messageOf(text) : '';
    return { status, retryAfter: headers.get('retry-after'), message };
  } catch (error) {
    const nothing = { status: 0, retryAfter: null, message: '' };
    return error instanceof BrokenRule ? { ...nothing, broken: error.message } : nothing;
  }
}

function messageOf(text: string): string {
  const { error } = JSON.parse(text) as { error?: { message?: string } };
  return error?.message ?? text.slice(0, 200);
}

function choose({ keys }: TrafficOptions, number: number, random: Random): Ask {
  const stream = random.next() < 0.5;
  const [first, ...others] = keys;
  const other = random.next() < othersShare ? others[random.below(others.length)] : undefined;
  const isLong = random.next() < 0.05;
  const words = isLong ? 400 : random.between(1, 40);
  const slowMs = random.next() < 0.3 ? random.between(1, 5) : 0;
  const fault = faultOf(random);
  const directives = `[sim:words-${words}] [sim:slow-${slowMs}]${fault}`;
  // Receipts carry the model's name. A unique name identifies each request even if a kill lost the provider's id.
  const name = `${dialects[random.below(dialects.length)]}chaos-${number}`;
  // Some have an attempt that fails before the one that answers.
  const failing = `sim/${name}-sim-${firstFaults[random.below(firstFaults.length)]}`;
  const models = random.next() < firstFaultsShare ? [failing, `sim/${name}`] : [`sim/${name}`];
  return {
    key: other ?? first,
    body: { models, input: `request ${number} ${directives}`, stream },
    leavesAfterMs: random.next() < 0.05 ? random.between(1, disconnectsMsMax) : undefined,
    isFaulty: fault !== '',
  };
}

/** Before the first byte of an answer, after it, or nowhere. */
function faultOf(random: Random): string {
  const chance = random.next();
  if (chance < faultsShare)
    return ` [sim:${faults[random.below(faults.length)]}-${random.below(faultChunksMax)}]`;
  if (chance < faultsShare + odditiesShare)
    return ` [sim:${oddities[random.below(oddities.length)]}]`;
  return '';
}
