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

/** Facts that are published in one turn, of each kind. */
const perTurnMax = 50;
/** Kinds of refusals, by key and reason, that are counted at one time. */
const refusalsMax = 1_000;
const failuresMax = 1_000;
const detectedMax = 1_000;
const intervalMsDefault = 1_000;

type Publish = (bus: OutcomeBus) => Promise<unknown>;

/**
 * Sends the outcomes of requests without a usage fact to the bus. They wait in memory, beside the requests. Refusals
 * of a flood are counted. Of a flood of failures a sample is sent, with the number of the others.
 */
export class OutcomeFacts {
  readonly #options: OutcomeFactsOptions;
  readonly #failed: GenerationFailed[] = [];
  readonly #detected: GuardrailDetected[] = [];
  readonly #refused = new Map<string, RequestRefused>();
  /** Taken out of the two, and not stored by the bus yet: they go again as they are. */
  #unsent: readonly Publish[] = [];
  #omitted = 0n;

  constructor(options: OutcomeFactsOptions) {
    this.#options = options;
  }

  /** A turn of a generation gave no output. The fact is written only when there is room for it. */
  failed(write: () => Omit<GenerationFailed, 'omitted'>): void {
    if (this.#failed.length >= failuresMax) {
      this.#omitted += 1n;
      this.#options.onDropped();
      return;
    }
    this.#failed.push({ ...write(), omitted: this.#omitted });
    this.#omitted = 0n;
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

  /** Publishes a turn's worth. What the bus does not take waits for the next turn. Throws what kept it. */
  async send(bus: OutcomeBus): Promise<void> {
    const turn = this.#unsent.length > 0 ? this.#unsent : this.#take();
    if (turn.length === 0) return;
    const ready = [bus.ensureStream(failureStream), bus.ensureStream(guardrailStream)];
    await Promise.all(ready).catch((error: unknown) => {
      this.#unsent = turn;
      throw error;
    });
    const sent = await Promise.allSettled(turn.map((publish) => publish(bus)));
    this.#unsent = turn.filter((_, index) => sent[index]?.status === 'rejected');
    const failure = sent.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  #take(): readonly Publish[] {
    const failed = this.#failed.splice(0, perTurnMax);
    const detected = this.#detected.splice(0, perTurnMax);
    const refused = [...this.#refused].slice(0, perTurnMax);
    for (const [name] of refused) this.#refused.delete(name);
    return [
      ...failed.map(publishFailed),
      ...detected.map(publishDetected),
      ...refused.map(([, fact]) => publishRefused(fact)),
    ];
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
