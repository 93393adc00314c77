import type { Random } from '@sluice/testing/random';
import type { Broker } from './broker.ts';
import { accountIds, type SimulatedLimit } from './caps.ts';
import type { Network } from './network.ts';
import type { ProviderCall } from './provider.ts';
import { reconcile } from './reconciler.ts';
import type { VirtualLedger } from './virtual-ledger.ts';
import type { VirtualReplica } from './virtual-replica.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface DisturberOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly network: Network;
  readonly broker: Broker;
  readonly ledger: VirtualLedger;
  readonly replicas: readonly VirtualReplica[];
  readonly limits: readonly SimulatedLimit[];
  readonly calls: readonly ProviderCall[];
}

const pausesMsMax = [500, 3_000, 12_000] as const;
const outageMsMax = 3_000;
const brokerUnsyncedMs = 3_000;
const creditsNanoUsdMax = 20_000_000;

/** Whatever may happen to a distributed system, at random, until the test ends it. */
export class Disturber {
  kills = 0;
  readonly #options: DisturberOptions;
  #isEnding = false;
  #credits = 0;
  #running: Promise<void> | undefined;

  constructor(options: DisturberOptions) {
    this.#options = options;
  }

  /** Starts all parts, sends the limits to the ledger, and goes on from there. */
  begin(): void {
    const { ledger, replicas, limits, random, network } = this.#options;
    ledger.start();
    for (const replica of replicas) replica.start();
    for (const limit of limits) this.#setLimit(limit);
    for (const accountId of accountIds)
      this.#grant(accountId, random.between(2_000_000, creditsNanoUsdMax));
    network.weather.lossShare = random.pick([0, 0.02, 0.15]);
    network.weather.duplicateShare = random.pick([0, 0.05, 0.2]);
    this.#running = this.#disturb(random.pick(pausesMsMax));
  }

  /** Resolves when everything is up and the network is good. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
    const { network, broker, ledger, replicas } = this.#options;
    network.weather.lossShare = 0;
    network.weather.duplicateShare = 0;
    if (!broker.isUp) broker.comeBack();
    if (!ledger.isUp) ledger.start();
    for (const replica of replicas) if (!replica.isUp) replica.start();
  }

  async #disturb(pauseMsMax: number): Promise<void> {
    const { time, random } = this.#options;
    const acts: readonly [() => void, ...(() => void)[]] = [
      () => this.#killReplica('kill'),
      () => this.#killReplica('kill'),
      () => this.#killReplica('power cut'),
      () => this.#killLedger(),
      () => this.#killBroker(),
      () => this.#moveLimit(),
      () => this.#moveLimit(),
      () => this.#moveCredits(),
      () => reconcile(this.#options.ledger, this.#options.calls),
    ];
    while (!this.#isEnding) {
      await time.sleep(random.next() * pauseMsMax);
      if (!this.#isEnding) random.pick(acts)();
    }
  }

  #killReplica(how: 'kill' | 'power cut'): void {
    const { random, replicas, time } = this.#options;
    const replica = replicas[random.below(replicas.length)];
    if (!replica?.isUp) return;
    replica.kill(how);
    this.kills++;
    time.after(random.next() * outageMsMax, () => {
      if (!replica.isUp) replica.start();
    });
  }

  #killLedger(): void {
    const { random, ledger, time } = this.#options;
    if (!ledger.isUp) return;
    ledger.kill();
    this.kills++;
    time.after(random.next() * outageMsMax, () => {
      if (!ledger.isUp) ledger.start();
    });
  }

  #killBroker(): void {
    const { random, broker, time } = this.#options;
    if (!broker.isUp) return;
    broker.isUp = false;
    this.kills++;
    // A broker that does not sync loses what it acknowledged when its power is cut.
    if (random.next() < 0.5) broker.cutPower(random.next() * brokerUnsyncedMs);
    time.after(random.next() * outageMsMax, () => {
      if (!broker.isUp) broker.comeBack();
    });
  }

  /** Moves a limit. The service that sets it and the ledger know of it at different times. */
  #moveLimit(): void {
    const { random, limits, time, broker } = this.#options;
    const limit = limits[random.below(limits.length)];
    if (!limit) return;
    const percent = BigInt(random.between(40, 180));
    const limitNanoUsd = (limit.limitNanoUsd * percent) / 100n;
    limit.revision += 1n;
    const moved = { ...limit, limitNanoUsd };
    time.after(random.next() * 600, () => {
      if (limit.revision !== moved.revision) return;
      limit.limitNanoUsd = limitNanoUsd;
      for (const kind of ['workspace', 'guardrail'])
        broker.publish(`changed.v1.${kind}.${limit.accountId}`);
    });
    time.after(random.next() * 600, () => this.#setLimit(moved));
  }

  #moveCredits(): void {
    const { random } = this.#options;
    const accountId = random.pick(accountIds);
    // Also a refund, which may leave less than was spent.
    const amount = random.between(-creditsNanoUsdMax / 8, creditsNanoUsdMax / 4);
    if (amount !== 0) this.#grant(accountId, amount);
  }

  #setLimit({ accountId, windowKind, limitNanoUsd, includeByok, ...scope }: SimulatedLimit): void {
    const { ledger } = this.#options;
    const limitId = `${scope.scopeId}@${scope.revision}`;
    const limits = [{ windowKind, limitNanoUsd }];
    ledger.change(accountId, () =>
      ledger.model.setLimits({ ...scope, accountId, limitId, limits, includeByok }),
    );
  }

  #grant(accountId: string, amount: number): void {
    const { ledger, time } = this.#options;
    ledger.change(accountId, () =>
      ledger.model.addCredit({
        creditId: `credit-${++this.#credits}`,
        accountId,
        entryKind: amount > 0 ? 'grant' : 'refund',
        amountNanoUsd: BigInt(amount),
        occurredAt: time.now().toISOString(),
      }),
    );
  }
}
