import type { Instance } from '@sluice/acceptance/instance';
import { type Random, seededRandom } from '@sluice/testing/random';
import { sendAtRate, type Sending } from './at-rate.ts';
import { Heard } from './heard.ts';
import { chooseLoop, resumedBy } from './loops.ts';
import { withFile } from './files.ts';
import { commandsOf } from './commands-of.ts';
import { type Answer, isBusy, reasonOf, type Request, send } from './http.ts';

export interface RequestsOptions {
  readonly instance: Pick<Instance, 'bootstrap'>;
  /** Keys to send with; the first one sends most. */
  readonly keys: readonly [string, ...string[]];
  readonly requestsPerSecond: number;
  /** Some requests have a file that an engine reads. */
  readonly hasFiles: boolean;
  readonly random: Random;
}

export interface Requests extends Sending {
  readonly counts: Readonly<RequestCounts>;
  readonly heard: Heard;
  /** The first streams that broke a rule of their order. */
  readonly findings: readonly string[];
  /** The number of commands that clients saw run in the sandbox, by generation. */
  readonly commands: ReadonlyMap<string, number>;
}

export type RequestCounts = ReturnType<typeof noRequests>;

const noRequests = () => ({
  requests: 0,
  answered: 0,
  /** The number of 402 answers: a limit refused the request. */
  refused: 0,
  /** Nothing can be admitted now: 503. */
  unavailable: 0,
  /** The 503 answers without a `Retry-After`. */
  unavailableForEver: 0,
  /** Number of requests that the simulated provider failed on purpose. */
  faulted: 0,
  /** A busy machine, or a provider on it, was too slow or limits the rate: 408, 429, 504, 524. */
  slow: 0,
  /** With any other status. */
  failed: 0,
  /** The reasons of those that were unavailable or failed, with their number. */
  because: {} as Record<string, number>,
  /** Due, but too many were open. */
  skipped: 0,
});

const openMax = 2_000;
const timeoutMs = 60_000;
const othersShare = 0.15;
const leavesShare = 0.05;
const leavesMsMax = 400;
const findingsMax = 20;

/** Begins the names of models that speak each dialect to the provider. */
const dialects = ['', 'chat-', 'messages-', 'gemini-'] as const;
/** Ends an answer, whole or streamed, after a number of chunks. */
const faults = ['cut', 'fail', 'stall'] as const;
const faultsShare = 0.06;
const faultChunksMax = 9;
const oddUsages = ['no-usage', 'absurd-usage', 'negative-usage', 'garbled-usage'] as const;
const oddities = [...oddUsages, 'malformed', 'empty'] as const;
const odditiesShare = 0.02;
/** Fails the first attempt before any output. A second attempt follows. */
const firstFaults = 'cut-0 fail-0 stall-0 malformed error-500 empty hang mute'.split(' ');
const firstFaultsShare = 0.03;

/** A share of the requests are loops of server tools. */
const loopsShare = 0.2;
const filesShare = 0.05;

/** Sends requests at a rate until it is stopped: whole and streamed, in all dialects, some of them faulty. */
export function startRequests(options: RequestsOptions): Requests {
  const { instance, requestsPerSecond, random } = options;
  const counts = noRequests();
  const findings: string[] = [];
  const heard = new Heard();
  const commands = new Map<string, number>();
  const seed = random.below(2 ** 31);
  const rate = { perSecond: requestsPerSecond, openMax, onSkipped: () => void counts.skipped++ };
  const sending = sendAtRate(rate, async (number) => {
    const { request, isFaulty } = choose(options, number, seededRandom(seed + number));
    counts.requests++;
    const answer = await send(instance, request);
    count(answer, isFaulty, counts);
    heard.note(answer);
    const ran = commandsOf(answer);
    if (ran > 0) commands.set(answer.generationId, ran);
    const resumed = resumedBy(request, answer);
    if (resumed) {
      counts.requests++;
      const ended = await send(instance, resumed);
      count(ended, isFaulty, counts);
      heard.note(ended);
    }
    if (answer.broken !== undefined && findings.length < findingsMax) findings.push(answer.broken);
  });
  return { counts, heard, findings, commands, stop: () => sending.stop() };
}

function count(answer: Answer, isFaulty: boolean, counts: RequestCounts): void {
  const { status, retryAfter } = answer;
  if (status === 0) return;
  if (status === 200) counts.answered++;
  else if (status === 402) counts.refused++;
  else if (status === 503) {
    counts.unavailable++;
    note(answer, counts);
    if (!/^\d+$/.test(retryAfter ?? '')) counts.unavailableForEver++;
  } else if (isFaulty) counts.faulted++;
  else if (isBusy(answer)) counts.slow++;
  else {
    counts.failed++;
    note(answer, counts);
  }
}

function note(answer: Answer, { because }: RequestCounts): void {
  const reason = reasonOf(answer);
  because[reason] = (because[reason] ?? 0) + 1;
}

function choose(
  { keys: [first, ...others], hasFiles }: RequestsOptions,
  number: number,
  random: Random,
): { readonly request: Request; readonly isFaulty: boolean } {
  const other = random.next() < othersShare ? others[random.below(others.length)] : undefined;
  const words = random.next() < 0.05 ? 400 : random.between(1, 40);
  const slowMs = random.next() < 0.3 ? random.between(1, 5) : 0;
  const fault = faultOf(random);
  // Receipts carry the model's name. A unique name identifies each request even if a kill lost the provider's id.
  const name = `${dialects[random.below(dialects.length)]}chaos-${number}`;
  const failing = `sim/${name}-sim-${firstFaults[random.below(firstFaults.length)]}`;
  const models = random.next() < firstFaultsShare ? [failing, `sim/${name}`] : [`sim/${name}`];
  const loop = random.next() < loopsShare ? chooseLoop(random) : undefined;
  // A search that takes a while is more often under way when something is killed.
  const begin = loop ? `${loop.begin}[sim:wait-${random.below(200)}] ` : '';
  const text = `${begin}request ${number} [sim:words-${words}] [sim:slow-${slowMs}]${fault}`;
  const leaves = random.next() < leavesShare ? random.between(1, leavesMsMax) : timeoutMs;
  const file = hasFiles && !loop && random.next() < filesShare ? withFile(text, random) : undefined;
  const { input, ...more } = file ?? { input: text, ...(loop && { tools: loop.tools }) };
  const body = { models, input, stream: random.next() < 0.5, ...more };
  const path = '/v1/responses';
  const request = { method: 'POST', path, key: other ?? first, body, timeoutMs: leaves };
  return { request, isFaulty: fault !== '' };
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
