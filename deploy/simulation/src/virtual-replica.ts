import type { InferenceCall, InferenceReply } from '@sluice/inference-port';
import type { Logger } from '@sluice/logging';
import { createService, type RoutingDeps, type RoutingService } from '@sluice/routing/service';
import type { Broker } from './broker.ts';
import type { SimulatedCap } from './caps.ts';
import { connectCredentials } from './credentials.ts';
import type { Network } from './network.ts';
import { connectPolicies } from './policies.ts';
import type { Provider } from './provider.ts';
import { SearchEngine } from './search-engine.ts';
import { searching } from './searching.ts';
import { feeBasisPoints } from './sums.ts';
import type { VirtualDisk } from './virtual-disk.ts';
import type { VirtualLedger } from './virtual-ledger.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

export interface ReplicaParts {
  readonly time: VirtualTime;
  readonly disk: VirtualDisk;
  readonly network: Network;
  readonly caps: readonly SimulatedCap[];
  readonly allowanceNanoUsd: bigint;
  readonly broker: Broker;
  readonly ledger: VirtualLedger;
  readonly provider: Provider;
  readonly durability: NonNullable<RoutingDeps['durability']>;
  /** Some requests are loops with tools. */
  readonly hasTools: boolean;
  readonly catalog: RoutingDeps['catalog'];
  readonly telemetry: Pick<RoutingDeps['telemetry'], 'metrics' | 'tracing'>;
  readonly ids: RoutingDeps['ids'];
  /** Receives the errors that the service takes for bugs. */
  readonly onBug: (message: string, error: unknown) => void;
}

interface Run {
  readonly life: Life;
  readonly service: RoutingService;
  readonly ended: PromiseWithResolvers<never>;
  isReady: boolean;
}

/** Routing as it is, on a virtual disk and network: killed, it does nothing any more, wherever it was. */
export class VirtualReplica {
  readonly disk: VirtualDisk;
  readonly #id: string;
  readonly #parts: ReplicaParts;
  #run: Run | undefined;

  constructor(id: string, parts: ReplicaParts) {
    this.#id = id;
    this.#parts = parts;
    this.disk = parts.disk;
  }

  get isUp(): boolean {
    return this.#run !== undefined;
  }

  start(): void {
    const { time, disk, network, broker, ledger, provider, caps } = this.#parts;
    const { catalog, telemetry, ids, allowanceNanoUsd, durability, hasTools } = this.#parts;
    const life: Life = { isOver: false };
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => {});
    time.within(life, () => {
      const service = createService({
        catalog,
        telemetry: { ...telemetry, observe: () => {} },
        ids,
        spool: disk.open(life),
        replica: { id: this.#id, epoch: disk.nextEpoch() },
        ledger: ledger.connect(life),
        durability,
        policies: connectPolicies(life, network, caps),
        credentials: connectCredentials(life, network),
        byok: { allowanceNanoUsd, feeBasisPoints },
        bus: broker.connect(life),
        upstream: provider.connect(life),
        clock: { now: () => time.now() },
        logger: this.#logger(life),
        // Which endpoint comes first is not what is looked for here; that a seed does the same again is.
        random: () => 0,
        ...(hasTools && { turnLoop: searching(new SearchEngine(time, provider, life)) }),
      });
      const run: Run = { life, service, ended, isReady: false };
      this.#run = run;
      service.start().then(
        () => void (run.isReady = true),
        (error: unknown) => this.#parts.onBug('a replica does not start', error),
      );
    });
  }

  kill(how: 'kill' | 'power cut'): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    run.life.isOver = true;
    run.life.hasLostPower = how === 'power cut';
    if (how === 'kill') this.disk.kill();
    else this.disk.cutPower();
    this.#parts.provider.connectionsLost(run.life);
    run.ended.reject(new Error('the replica is gone'));
  }

  /** Rejects when the replica is not there, or not any more. */
  async ask<Read>(
    call: InferenceCall,
    read: (reply: InferenceReply) => Promise<Read>,
  ): Promise<Read> {
    const run = this.#run;
    if (!run?.isReady) throw new Error('the replica is not ready');
    const asking = this.#parts.time.within(run.life, async () =>
      read(await run.service.inference.createResponse(call)),
    );
    return await Promise.race([asking, run.ended.promise]);
  }

  #logger(life: Life): Logger {
    const nothing = () => {};
    return {
      debug: nothing,
      info: nothing,
      warn: nothing,
      error: (message, fields) => {
        if (!life.isOver) this.#parts.onBug(message, fields?.error);
      },
    };
  }
}
