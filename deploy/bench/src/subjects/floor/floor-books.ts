import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { systemIds } from '@sluice/clock-and-ids';
import type { Spool } from '@sluice/spool';
import { writeFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';

interface Waiting {
  readonly usageId: string;
  readonly json: string;
  readonly spoolSequence: bigint;
}

const accountId = 'acct_1';
/** Like Sluice's: messages begin so far apart. */
const sendEveryMs = 50;
const messagesMax = 256;

/** Keeps books that survive a kill and a power cut, and does nothing else: no limits, no prices, no leases. */
export class FloorBooks {
  readonly #spool: Spool;
  readonly #bus: Bus;
  #waiting: Waiting[] = [];
  #sequence = 0n;
  #uncounted = 0;

  constructor(spool: Spool, bus: Bus) {
    this.#spool = spool;
    this.#bus = bus;
  }

  /** The facts that the broker does not have. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** Writes that a request begins. Resolves when that is on disk: soon, or with what follows. */
  async open(generationId: string, admittedAt: string): Promise<void> {
    const intent = { type: 'intent', usageId: `${generationId}/1/1`, accountId, admittedAt };
    const record = Buffer.from(JSON.stringify(intent));
    await this.#spool.append(record, { canWait: true, onWritten: () => {} });
  }

  /** Begins the sync of requests that wait for one. */
  hurry(): void {
    this.#spool.hurry();
  }

  /** Writes what an answer has used. Resolves when that is on disk. */
  async settle(generationId: string, admittedAt: string, usage: Usage): Promise<void> {
    const fact = aFact({
      accountId,
      usageId: `${generationId}/1/1`,
      generationId,
      admittedAt,
      completedAt: new Date().toISOString(),
      inputTokens: BigInt(usage.input_tokens),
      outputTokens: BigInt(usage.output_tokens),
      epoch: this.#spool.epoch,
      sequence: (this.#sequence += 1n),
    });
    const json = JSON.stringify(writeFact(fact));
    this.#uncounted += 1;
    const spoolSequence = await this.#spool.append(Buffer.from(`{"type":"final","fact":${json}}`));
    this.#waiting.push({ usageId: fact.usageId, json, spoolSequence });
  }

  /** Publishes facts until the process ends. Throws when the broker does not take them. */
  async publish(): Promise<never> {
    for (;;) {
      await delay(sendEveryMs);
      const taken = this.#waiting.splice(0, messagesMax * usageBundleFactsMax);
      const sent: Promise<unknown>[] = [];
      for (let from = 0; from < taken.length; from += usageBundleFactsMax) {
        const bundle = taken.slice(from, from + usageBundleFactsMax);
        const message = Buffer.from(`{"facts":[${bundle.map(({ json }) => json).join(',')}]}`);
        const id = `${systemIds.next()}+${bundle.length}`;
        sent.push(this.#bus.publishFact(subjects.usageRecorded(accountId), id, message));
      }
      await Promise.all(sent);
      this.#uncounted -= taken.length;
      const last = taken.at(-1);
      if (last) await this.#spool.release(last.spoolSequence);
    }
  }
}

/** The counts of an answer of the upstream. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}
