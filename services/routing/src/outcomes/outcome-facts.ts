import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, failureStream, guardrailStream, subjects } from '@sluice/bus';
import { catalog, type ErrorCode } from '@sluice/errors';
import type { InferenceCall } from '@sluice/inference-port';
import { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
import { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';

export interface OutcomeFactsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called for each fact that there was no room for. */
  readonly onDropped: () => void;
}

export type OutcomeBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/** Facts that are published at one time, of each kind. */
const batchMax = 50;
/** Batches of failures that are published in one turn: 2,000 facts. */
const batchesMax = 40;
/** Kinds of refusals, by key and reason, that are counted at one time. */
const refusalsMax = 1_000;
const failuresMax = 2_000;
/** Keys whose failures beyond these are counted at one time. */
const floodsMax = 1_000;
const detectedMax = 1_000;
const intervalMsDefault = 1_000;

type Failure = Omit<GenerationFailed, 'omitted'>;
type Publish = (bus: OutcomeBus) => Promise<unknown>;

/**
 * Sends the outcomes of requests without a usage fact to the bus. They wait in memory, beside the requests. Refusals
 * of a flood are counted. Of a flood of failures 2,000 are sent, and one more for each key, with the number of the
 * others of that key.
 */
export class OutcomeFacts {
  readonly #options: OutcomeFactsOptions;
  readonly #failed: GenerationFailed[] = [];
  readonly #floods = new Map<string, GenerationFailed>();
  readonly #detected: GuardrailDetected[] = [];
  readonly #refused = new Map<string, RequestRefused>();
  /** Taken out of these, and not stored by the bus yet: they go again as they are. */
  #unsent: readonly Publish[] = [];

  constructor(options: OutcomeFactsOptions) {
    this.#options = options;
  }

  /** A turn of a generation gave no output. The fact is written only when there is room for it. */
  failed({ principal }: Pick<InferenceCall, 'principal'>, write: () => Failure): void {
    if (this.#failed.length < failuresMax) {
      this.#failed.push({ ...write(), omitted: 0n });
      return;
    }
    const { accountId, workspaceId, keyHash } = principal;
    const name = `${accountId}\0${workspaceId}\0${keyHash}`;
    const flood = this.#floods.get(name);
    if (!flood && this.#floods.size < floodsMax)
      this.#floods.set(name, { ...write(), omitted: 0n });
    else {
      if (flood) flood.omitted += 1n;
      this.#options.onDropped();
    }
  }

  /** Guardrails found content in a request. The fact is written only when there is room for it. */
  detected(write: () => Omit<GuardrailDetected, 'detectionId' | 'detectedAt'>): void {
    if (this.#detected.length >= detectedMax) return this.#options.onDropped();
    const { clock, ids } = this.#options;
    const detectedAt = clock.now().toISOString();
    this.#detected.push({ ...write(), detectionId: ids.next(), detectedAt });
  }

  /** A request was refused before any provider was asked. */
  refused({ principal, requestId }: InferenceCall, reason: ErrorCode): void {
    const { accountId, workspaceId, keyHash } = principal;
    const name = `${accountId}\0${workspaceId}\0${keyHash}\0${reason}`;
    const at = this.#options.clock.now().toISOString();
    const known = this.#refused.get(name);
    if (known) {
      known.count += 1n;
      known.lastAt = at;
      return;
    }
    if (this.#refused.size >= refusalsMax) {
      this.#options.onDropped();
      return;
    }
    this.#refused.set(name, {
      refusalId: this.#options.ids.next(),
      accountId,
      workspaceId,
      keyHash,
      reason,
      httpStatus: catalog[reason].http,
      count: 1n,
      requestId,
      firstAt: at,
      lastAt: at,
    });
  }

  /** Publishes a turn's worth. Facts that the bus does not take wait for the next turn. Throws its error. */
  async send(bus: OutcomeBus): Promise<void> {
    if (this.#unsent.length === 0) this.#unsent = this.#take();
    if (this.#unsent.length === 0) return;
    await Promise.all([bus.ensureStream(failureStream), bus.ensureStream(guardrailStream)]);
    for (let batch = 0; batch < batchesMax && this.#unsent.length > 0; batch++) {
      await this.#publish(bus, this.#unsent);
      this.#unsent = this.#takeFailed();
    }
  }

  async #publish(bus: OutcomeBus, batch: readonly Publish[]): Promise<void> {
    const sent = await Promise.allSettled(batch.map((publish) => publish(bus)));
    this.#unsent = batch.filter((_, index) => sent[index]?.status === 'rejected');
    const failure = sent.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  #take(): readonly Publish[] {
    const detected = this.#detected.splice(0, batchMax);
    const refused = [...this.#refused].slice(0, batchMax);
    for (const [name] of refused) this.#refused.delete(name);
    // A flood that goes on is told each turn.
    return [
      ...this.#takeFloods(),
      ...this.#takeFailed(),
      ...detected.map(publishDetected),
      ...refused.map(([, fact]) => publishRefused(fact)),
    ];
  }

  /** Takes failures, and floods once no others wait. */
  #takeFailed(): readonly Publish[] {
    const failed = this.#failed.splice(0, batchMax);
    return failed.length > 0 ? failed.map(publishFailed) : this.#takeFloods();
  }

  #takeFloods(): readonly Publish[] {
    const floods = [...this.#floods].slice(0, batchMax);
    for (const [name] of floods) this.#floods.delete(name);
    return floods.map(([, fact]) => publishFailed(fact));
  }
}

function publishFailed(fact: GenerationFailed): Publish {
  const message = GenerationFailed.toJSON(fact) as object;
  return (bus) =>
    bus.publishFact(subjects.generationFailed(fact.accountId), fact.failureId, message);
}

function publishDetected(fact: GuardrailDetected): Publish {
  const message = GuardrailDetected.toJSON(fact) as object;
  return (bus) =>
    bus.publishFact(subjects.guardrailDetected(fact.accountId), fact.detectionId, message);
}

function publishRefused(fact: RequestRefused): Publish {
  const message = RequestRefused.toJSON(fact) as object;
  return (bus) => bus.publishFact(subjects.requestRefused(fact.accountId), fact.refusalId, message);
}

export interface PublishOutcomesOptions {
  readonly outcomes: OutcomeFacts;
  readonly bus: OutcomeBus;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

/** Publishes once a second what became of requests, until the signal aborts, and then a last time. */
export async function publishOutcomes(options: PublishOutcomesOptions): Promise<void> {
  const { outcomes, bus, logger, signal, intervalMs = intervalMsDefault } = options;
  let isAway = false;
  for (;;) {
    const isLast = signal.aborted;
    try {
      await outcomes.send(bus);
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn('failed and refused requests cannot be published now', { error });
      isAway = true;
    }
    if (isLast) return;
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}
