import { type BusMessage, type StoredFact, subjectFilters, subjectMatches } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { RoutingDeps } from '@sluice/routing/service';
import type { Network } from './network.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

type BusPort = RoutingDeps['bus'];

interface Stored {
  readonly message: BusMessage;
  readonly atMs: number;
  /** When it was handed out last; undefined: never. */
  handedOutMs: number | undefined;
}

interface Subscriber {
  readonly subject: string;
  readonly life: Life;
  readonly handler: (message: BusMessage) => void | Promise<void>;
}

const publishTimeoutMs = 2_000;
const ackWaitMs = 5_000;
const duplicateWindowMs = 120_000;

/**
 * One stream and core messages, by the rules of JetStream: an acknowledged message is kept, within a window
 * an id is stored once, what is not acknowledged comes again. A power cut may take what it acknowledged.
 */
export class Broker {
  readonly #time: VirtualTime;
  readonly #network: Network;
  #stored: Stored[] = [];
  #ids = new Map<string, number>();
  readonly #subscribers = new Set<Subscriber>();
  readonly #reconnects = new Set<{ readonly life: Life; readonly callback: () => void }>();
  isUp = true;

  constructor(time: VirtualTime, network: Network) {
    this.#time = time;
    this.#network = network;
  }

  /** The bus as one life has it. */
  connect(life: Life): BusPort {
    return {
      ensureStream: async () => {},
      isConnected: () => this.isUp,
      // Keys, policies and credentials do not change in a simulation.
      readNotices: async (after) => {
        if (!this.isUp) throw new Fault('bus_unavailable');
        const mark = { created: '', sequence: 0, at: '' };
        return { mark, notices: [], isEnd: true, isContinued: after !== undefined };
      },
      publishFact: (subject, id, message) => {
        if (life.isOver) return new Promise(() => {});
        // Only usage has a consumer here.
        if (!subjectMatches(subjectFilters.usageRecorded, subject))
          return Promise.resolve({ stream: 'FAILURE', sequence: 1 });
        const bytes =
          message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
        return this.#network.call(() => this.#store(subject, id, bytes), publishTimeoutMs);
      },
      holdsFact: (id) => {
        if (life.isOver) return new Promise(() => {});
        return this.#network.call(() => this.#holds(id), publishTimeoutMs);
      },
      subscribe: async (subject, handler) => {
        this.#subscribers.add({ subject, handler, life });
      },
      onReconnect: (callback) => {
        const reconnect = { life, callback };
        this.#reconnects.add(reconnect);
        return () => this.#reconnects.delete(reconnect);
      },
    };
  }

  /** Best effort. */
  publish(subject: string): void {
    const message = { subject, id: undefined, data: {}, bytes: Buffer.from('{}') };
    if (!this.isUp) return;
    for (const { subject: filter, handler, life } of this.#subscribers)
      if (!life.isOver && subjectMatches(filter, subject))
        this.#network.send(() => {
          if (!life.isOver)
            this.#time.within(life, () => void handler({ ...message, redelivered: false }));
        });
  }

  /** Returns the messages to deliver now. */
  pull(countMax: number): readonly BusMessage[] {
    if (!this.isUp) return [];
    const { nowMs } = this.#time;
    const due = this.#stored.filter(
      ({ handedOutMs }) => handedOutMs === undefined || nowMs - handedOutMs >= ackWaitMs,
    );
    for (const stored of due.slice(0, countMax)) stored.handedOutMs = nowMs;
    return due.slice(0, countMax).map(({ message }) => message);
  }

  acknowledge(messages: readonly BusMessage[]): void {
    if (!this.isUp) return;
    const done = new Set(messages);
    this.#stored = this.#stored.filter(({ message }) => !done.has(message));
  }

  get isEmpty(): boolean {
    return this.#stored.length === 0;
  }

  /** Loses what came in the last moments, although it was acknowledged. */
  cutPower(unsyncedMs: number): void {
    const { nowMs } = this.#time;
    const isLost = (stored: Stored) => nowMs - stored.atMs < unsyncedMs;
    for (const { message } of this.#stored.filter(isLost)) this.#ids.delete(message.id ?? '');
    this.#stored = this.#stored.filter((stored) => !isLost(stored));
  }

  comeBack(): void {
    this.isUp = true;
    for (const stored of this.#stored) stored.handedOutMs = undefined;
    for (const { life, callback } of this.#reconnects)
      if (!life.isOver) this.#time.within(life, callback);
  }

  #holds(id: string): boolean {
    if (!this.isUp) throw new Fault('bus_unavailable');
    return this.#stored.some(({ message }) => message.id === id);
  }

  #store(subject: string, id: string, bytes: Uint8Array): StoredFact {
    if (!this.isUp) throw new Fault('bus_unavailable');
    const { nowMs: atMs } = this.#time;
    const before = this.#ids.get(id);
    const place = { stream: 'USAGE', sequence: this.#ids.size };
    if (before !== undefined && atMs - before < duplicateWindowMs) return place;
    this.#ids.set(id, atMs);
    const data: unknown = JSON.parse(Buffer.from(bytes).toString());
    const message = { subject, id, data, bytes, redelivered: false };
    this.#stored.push({ message, atMs, handedOutMs: undefined });
    return place;
  }
}
