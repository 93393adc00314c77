import { type Random, seededRandom } from '@sluice/testing/random';
import type { LedgerModel, LedgerMutation } from '@sluice/ledger/testing';
import { createTelemetry } from '@sluice/telemetry';
import { Auditor } from './auditor.ts';
import { Broker } from './broker.ts';
import { catalog } from './catalog.ts';
import { type Customers, customers } from './caps.ts';
import { Clients, isRefusal } from './clients.ts';
import { Disturber } from './disturber.ts';
import { Network } from './network.ts';
import { Provider } from './provider.ts';
import { reconcile } from './reconciler.ts';
import { type DiskMutation, VirtualDisk } from './virtual-disk.ts';
import { VirtualLedger } from './virtual-ledger.ts';
import { VirtualReplica } from './virtual-replica.ts';
import { type Life, VirtualTime } from './virtual-time.ts';
import type { Verdict } from './verdict.ts';

/** A mistake on purpose. The auditor must find it. */
export interface Mutation {
  readonly ledger?: LedgerMutation;
  readonly disk?: DiskMutation;
}

/** The way in which a run differs from that of its seed. */
export interface Variation extends Mutation {
  /** Some requests are loops with tools: free ones and searches. */
  readonly hasTools?: boolean;
  /** The default of Sluice when absent. */
  readonly durability?: Durability;
}

export interface Simulated extends Verdict {
  readonly seed: number;
  readonly requests: number;
  readonly answered: number;
  readonly refused: number;
  readonly unavailable: number;
  readonly kills: number;
  readonly steps: number;
  readonly virtualMs: number;
  /** With its tables, and all that it was asked to do and answered. */
  readonly ledger: LedgerModel;
}

type Durability = 'strict' | 'overlap';
const durabilityOf = ({ durability = 'overlap' }: Variation): Durability => durability;

/** Before the ends of a day, a week and a month, and where nothing ends. */
const starts = [
  '2026-11-24T12:00:00.000Z',
  '2026-11-24T23:59:40.000Z',
  '2026-11-22T23:59:40.000Z',
  '2026-11-30T23:59:40.000Z',
] as const;
const restMsMax = 900_000;
const restStepMs = 1_000;
const stepsMax = 400_000;
const telemetry = createTelemetry({ serviceName: 'simulation', otlpEndpoint: undefined });

/** One run: the same seed does the same, to the last message. */
export async function simulate(seed: number, mutation: Variation = {}): Promise<Simulated> {
  const random = seededRandom(seed);
  const time = new VirtualTime(Date.parse(random.pick(starts)));
  const restore = time.install();
  try {
    return await new World(seed, { time, random, mutation }).run();
  } finally {
    restore();
  }
}

class World {
  readonly #seed: number;
  readonly #time: VirtualTime;
  readonly #broker: Broker;
  readonly #ledger: VirtualLedger;
  readonly #provider: Provider;
  readonly #replicas: readonly [VirtualReplica, ...VirtualReplica[]];
  readonly #clients: Clients;
  readonly #disturber: Disturber;
  readonly #auditor: Auditor;
  readonly #customers: Customers;
  readonly #bugs: string[] = [];
  readonly #life: Life = { isOver: false };

  constructor(
    seed: number,
    given: { readonly time: VirtualTime; readonly random: Random; readonly mutation: Variation },
  ) {
    const { time, random, mutation } = given;
    this.#seed = seed;
    this.#time = time;
    const delayMsMax = random.pick([2, 30, 300]);
    const weather = { lossShare: 0, duplicateShare: 0, delayMsMax };
    const network = new Network(time, random.fork(), weather);
    this.#broker = new Broker(time, network);
    const parts = { time, random: random.fork(), network, broker: this.#broker };
    this.#ledger = new VirtualLedger(parts, mutation.ledger ?? {});
    this.#provider = new Provider(time, random.fork());
    this.#customers = customers(random.fork());
    const { keys, caps, limits, allowanceNanoUsd } = this.#customers;
    const { calls } = this.#provider;
    const replica = (id: string) => this.#replica(id, network, given);
    this.#replicas = [replica('a'), replica('b'), replica('c')];
    const { requests, pauseMsMax } = {
      requests: 130,
      pauseMsMax: random.pick([150, 1_000, 3_000]),
    };
    const clients = { time, random: random.fork(), replicas: this.#replicas, keys, caps };
    this.#clients = new Clients({ ...clients, requests, pauseMsMax });
    this.#disturber = new Disturber({
      time,
      random: random.fork(),
      network,
      broker: this.#broker,
      ledger: this.#ledger,
      replicas: this.#replicas,
      limits,
      calls,
    });
    const tables = this.#ledger.model;
    const { asked } = this.#clients;
    const mayLose = durabilityOf(mutation) === 'overlap';
    this.#auditor = new Auditor({ calls, tables, caps, allowanceNanoUsd, asked, mayLose });
  }

  async run(): Promise<Simulated> {
    const startMs = this.#time.nowMs;
    const rest = { isReached: false };
    this.#time.within(this.#life, () => {
      this.#act().then(
        () => void (rest.isReached = true),
        (error: unknown) => this.#bugs.push(`the simulation broke: ${(error as Error).stack}`),
      );
    });
    let steps = 0;
    let seen = '';
    for (; steps < stepsMax && !rest.isReached && this.#bugs.length === 0; steps++) {
      if (!(await this.#time.step())) break;
      const answered = this.#clients.asked.filter(({ answeredMs }) => answeredMs !== undefined);
      const now = `${this.#provider.version}/${this.#ledger.version}/${answered.length}`;
      if (now !== seen) this.#auditor.step(this.#time.nowMs);
      seen = now;
      if (this.#auditor.findings.length > 0) break;
    }
    if (!rest.isReached && this.#auditor.findings.length === 0)
      this.#bugs.push('it does not come to rest');
    // It ends at the first finding, before it comes to rest: what is open then is no second one.
    const first = [...this.#auditor.findings];
    const verdict = this.#auditor.finish();
    const count = (status: number) =>
      this.#clients.asked.filter((asked) => asked.status === status).length;
    return {
      seed: this.#seed,
      requests: this.#clients.asked.length,
      answered: count(200),
      refused: this.#clients.asked.filter(({ status }) => isRefusal(status)).length,
      unavailable: count(503),
      kills: this.#disturber.kills,
      steps,
      virtualMs: Math.round(this.#time.nowMs - startMs),
      ledger: this.#ledger.model,
      ...verdict,
      findings: [...this.#bugs, ...(first.length > 0 ? first : verdict.findings)],
    };
  }

  async #act(): Promise<void> {
    this.#disturber.begin();
    await this.#clients.run();
    await this.#disturber.end();
    // All is well from here on: everything is counted, and what is not needed comes back.
    const { model } = this.#ledger;
    const isLeased = () =>
      [...model.leases.values()].some((one) => one.granted > one.returned + one.counted);
    for (let ms = 0; ms < restMsMax; ms += restStepMs) {
      await this.#time.sleep(restStepMs);
      reconcile(this.#ledger, this.#provider.calls);
      if (this.#broker.isEmpty && !isLeased()) return;
    }
  }

  #replica(
    id: string,
    network: Network,
    { time, random, mutation }: { time: VirtualTime; random: Random; mutation: Variation },
  ): VirtualReplica {
    let ids = 0;
    return new VirtualReplica(id, {
      time,
      disk: new VirtualDisk(time, random.fork(), mutation.disk ?? {}),
      network,
      caps: this.#customers.caps,
      allowanceNanoUsd: this.#customers.allowanceNanoUsd,
      broker: this.#broker,
      ledger: this.#ledger,
      provider: this.#provider,
      hasTools: mutation.hasTools ?? false,
      durability: durabilityOf(mutation),
      catalog,
      telemetry,
      ids: { next: () => `${id}-${++ids}` },
      onBug: (message, error) =>
        this.#bugs.push(`${message}: ${(error as Error | undefined)?.stack}`),
    });
  }
}
