import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import type { Box, Command, Engine, NetworkPolicy, Ran } from '../engine/engine.ts';
import { Container, type ContainerRef, isSamePolicy, keyOf } from './container.ts';
import { Slots } from './slots.ts';

export interface ContainersOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: SandboxMetrics;
  readonly containersMax: number;
  readonly accountContainersMax: number;
  /** Commands of all containers that run at once. */
  readonly runningMax: number;
  readonly sleepAfterSeconds: number;
}

export type SandboxMetrics = Pick<
  Metrics,
  'sandboxStarts' | 'sandboxRefusals' | 'sandboxCommandDuration'
>;

export interface OpenOptions {
  readonly network: NetworkPolicy;
  readonly sleepAfterSeconds?: number | undefined;
}

const sweepMs = 1_000;

/** Containers of one response, which nobody asks for by their name again, give way to new ones. */
const isOfOneResponse = (containerId: string) => containerId.startsWith('gen_');

/** The warm containers of this process. All of them are lost with it. */
export class Containers {
  readonly #options: ContainersOptions;
  readonly #steadyMs: () => number;
  readonly #slots: Slots;
  readonly #warm = new Map<string, Container>();
  readonly #opening = new Map<string, Promise<Container>>();
  #opened = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ContainersOptions) {
    this.#options = options;
    this.#steadyMs = steadyMsOf(options.clock);
    this.#slots = new Slots(options.runningMax);
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), sweepMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#warm.clear();
    await this.#options.engine.stop();
  }

  /** Makes a container unless it is warm. Throws conflict if it is warm with another network policy. */
  async open(ref: ContainerRef, options: OpenOptions): Promise<{ readonly isNew: boolean }> {
    return this.#counted(() => this.#open(ref, options));
  }

  async #open(ref: ContainerRef, options: OpenOptions): Promise<{ readonly isNew: boolean }> {
    const key = keyOf(ref);
    const isNew = !this.#warm.has(key) && !this.#opening.has(key);
    const container =
      this.#warm.get(key) ?? (await (this.#opening.get(key) ?? this.#make(ref, options)));
    requireSamePolicy(container, options.network);
    this.#renew(container, options.sleepAfterSeconds);
    return { isNew };
  }

  /** Returns true if the container is warm. Throws conflict if it has another network policy. */
  check(ref: ContainerRef, network: NetworkPolicy): boolean {
    const container = this.#warm.get(keyOf(ref));
    if (container) requireSamePolicy(container, network);
    return container !== undefined;
  }

  /** Runs a command in a warm container. Throws not_found for another. */
  async run(ref: ContainerRef, command: Command): Promise<Ran> {
    const container = this.#warm.get(keyOf(ref));
    if (!container)
      throw new Fault('not_found', { message: `Container ${ref.containerId} is not warm` });
    const lastsMs = container.expiresAtMs - container.usedAtMs;
    const renew = () => {
      container.usedAtMs = this.#steadyMs();
      container.expiresAtMs = container.usedAtMs + lastsMs;
    };
    try {
      const ran = await this.#counted(() => this.#slots.within(() => container.run(command)));
      this.#options.metrics.sandboxCommandDuration.record(ran.durationMs / 1_000, {
        outcome: ran.outcome.type,
      });
      return ran;
    } finally {
      renew();
    }
  }

  get warmCount(): number {
    return this.#warm.size;
  }

  /** Ends the containers whose time is over. */
  async sweep(): Promise<void> {
    const now = this.#steadyMs();
    const over = [...this.#warm.values()].filter((one) => one.isIdle && one.expiresAtMs <= now);
    await Promise.all(over.map((container) => this.#end(container)));
  }

  #renew(container: Container, sleepAfterSeconds = this.#options.sleepAfterSeconds): void {
    container.usedAtMs = this.#steadyMs();
    container.expiresAtMs = container.usedAtMs + sleepAfterSeconds * 1_000;
  }

  #make(ref: ContainerRef, options: OpenOptions): Promise<Container> {
    const key = keyOf(ref);
    const making = this.#openBox(ref, options).finally(() => this.#opening.delete(key));
    this.#opening.set(key, making);
    return making;
  }

  async #openBox(ref: ContainerRef, { network }: OpenOptions): Promise<Container> {
    await this.#makeRoom(ref);
    const box = await this.#openOnEngine(network);
    const container = new Container(ref, box, network);
    this.#renew(container);
    this.#warm.set(keyOf(ref), container);
    void box.lost.then(async (sentence) => {
      if (this.#warm.get(keyOf(ref)) !== container) return;
      this.#options.logger.warn('a container was lost', { error: sentence });
      await this.#end(container);
    });
    return container;
  }

  async #openOnEngine(network: NetworkPolicy): Promise<Box> {
    const { engine, metrics } = this.#options;
    let outcome = 'failed';
    try {
      const box = await engine.open({ id: `box-${++this.#opened}`, network });
      outcome = 'made';
      return box;
    } finally {
      metrics.sandboxStarts.add(1, { outcome });
    }
  }

  /** Counts calls that are refused. */
  async #counted<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Fault && ['conflict', 'rate_limited'].includes(error.code))
        this.#options.metrics.sandboxRefusals.add(1, { reason: error.code });
      throw error;
    }
  }

  async #makeRoom(ref: ContainerRef): Promise<void> {
    const { containersMax, accountContainersMax } = this.#options;
    const opening = [...this.#opening.keys()];
    const ofAccount = (one: Container) => one.ref.accountId === ref.accountId;
    const isFull = () =>
      this.#warm.size + opening.length >= containersMax ||
      [...this.#warm.values()].filter(ofAccount).length +
        opening.filter((key) => key.startsWith(`${ref.accountId} `)).length >=
        accountContainersMax;
    if (!isFull()) return;
    const [oldest] = [...this.#warm.values()]
      .filter((one) => one.isIdle && ofAccount(one) && isOfOneResponse(one.ref.containerId))
      .toSorted((a, b) => a.usedAtMs - b.usedAtMs);
    if (!oldest) throw new Fault('rate_limited', { message: 'Too many containers are warm' });
    await this.#end(oldest);
  }

  async #end(container: Container): Promise<void> {
    this.#warm.delete(keyOf(container.ref));
    await container.box.close();
  }
}

function requireSamePolicy({ ref, network }: Container, asked: NetworkPolicy): void {
  if (!isSamePolicy(network, asked))
    throw new Fault('conflict', {
      message: `Container ${ref.containerId} is warm with another network policy`,
    });
}
