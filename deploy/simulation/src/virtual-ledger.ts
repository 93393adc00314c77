import { subjects } from '@sluice/bus';
import type { Random } from '@sluice/testing/random';
import { Fault } from '@sluice/errors';
import { decodeUsage, evenParts, LedgerModel, type LedgerMutation } from '@sluice/ledger/testing';
import type { RoutingDeps } from '@sluice/routing/service';
import type { Broker } from './broker.ts';
import type { Network } from './network.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

type LedgerPort = RoutingDeps['ledger'];

const callTimeoutMs = 2_000;
const batchMax = 50;
/** So few that a transaction often ends in the middle of a bundle. */
const transactionFactsMax = 3;
const commitMsMax = 40;
const pollMs = 50;

/** The ledger as a process: its tables survive, what it was about to do does not. */
export class VirtualLedger {
  readonly model: LedgerModel;
  /** Grows with each change. */
  version = 0;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #network: Network;
  readonly #broker: Broker;
  #life: Life | undefined;

  constructor(
    parts: {
      readonly time: VirtualTime;
      readonly random: Random;
      readonly network: Network;
      readonly broker: Broker;
    },
    mutation: LedgerMutation,
  ) {
    this.#time = parts.time;
    this.#random = parts.random;
    this.#network = parts.network;
    this.#broker = parts.broker;
    this.model = new LedgerModel(() => this.#time.nowMs, mutation);
  }

  get isUp(): boolean {
    return this.#life !== undefined;
  }

  start(): void {
    const life: Life = { isOver: false };
    this.#life = life;
    this.#time.within(life, () => void this.#count());
  }

  kill(): void {
    if (this.#life) this.#life.isOver = true;
    this.#life = undefined;
  }

  connect(life: Life): LedgerPort {
    const ask = <Answer>(carryOut: () => Answer) =>
      life.isOver
        ? new Promise<Answer>(() => {})
        : this.#network.call(() => {
            if (!this.#life) throw new Fault('unavailable');
            this.version++;
            return carryOut();
          }, callTimeoutMs);
    return {
      acquireLeases: ({ replica, epoch, leases }) =>
        ask(() => {
          const requests = leases.map(({ budget, ...lease }) => {
            if (!budget) throw new Fault('invalid_request');
            return { ...lease, budget };
          });
          const answers = this.model.acquire({ replica, epoch }, requests);
          return { replicas: answers.replicas, leases: [...answers.leases] };
        }),
      closeEpochs: (writer) => ask(() => ({ freedNanoUsd: this.model.closeEpochs(writer) })),
      listEstimates: ({ replica, limit }) =>
        ask(() => ({ estimates: [...this.model.listEstimates(replica, limit)] })),
      correctUsage: (testimony) =>
        ask(() => ({ isNew: this.model.correctUsage([testimony], 'provider') > 0 })),
      // Beside the books: what a seed does to them does not hang on it.
      reportFailures: async () => ({}),
      listModelShares: async () => ({ shares: [], onlyAccountId: '' }),
      reportAdmissions: ({ toSpoolSequence }) => ask(() => ({ spoolSequence: toSpoolSequence })),
      getWatermark: (writer) => ask(() => ({ sequence: this.model.watermark(writer) })),
    };
  }

  /** Changes limits in the ledger. Replicas are notified, if the notice reaches them. */
  change(accountId: string, act: () => void): void {
    act();
    this.version++;
    if (this.#life) this.#broker.publish(subjects.limitsChanged(accountId));
  }

  /** Replaces estimates by the usage of receipts. */
  correct(testimonies: Parameters<LedgerModel['correctUsage']>[0]): void {
    if (!this.#life) return;
    this.model.correctUsage(testimonies, 'receipt');
    this.version++;
  }

  async #count(): Promise<void> {
    for (;;) {
      const messages = this.#broker.pull(batchMax);
      if (messages.length === 0) {
        await this.#time.sleep(pollMs);
        continue;
      }
      for (const part of evenParts(
        messages.flatMap((message) => decodeUsage(message)),
        transactionFactsMax,
      )) {
        await this.#time.sleep(this.#random.next() * commitMsMax);
        this.model.settleUsage(part);
        this.version++;
      }
      // Killed from here on, or between two transactions, it has counted what comes again.
      await this.#time.sleep(this.#random.next() * commitMsMax);
      this.#network.send(() => this.#broker.acknowledge(messages));
    }
  }
}
