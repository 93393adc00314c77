import type { Bus, BusMessage, NoticeMark } from '../bus.ts';
import { subjectMatches } from '../subjects.ts';

/** Subscribes to notices about keys, credentials, workspaces and guardrails. Replays missed ones after a reconnect. */
export interface Notices {
  /**
   * Returns the milliseconds since the last moment before which each notice was handled: at most a second while the
   * broker answers. Counts beats of a timer and not time, because a process whose event loop stood still has missed
   * nothing yet.
   */
  unsubscribedMs(): number;
  /** Adds a listener. A notice may come twice. */
  listen(listener: NoticeListener): void;
  /** Begins, and resolves when the broker was asked once. Ends with the signal. */
  start(signal: AbortSignal): Promise<void>;
}

export interface NoticeListener {
  readonly filters: readonly string[];
  readonly received: (message: BusMessage) => void;
  /**
   * Called when earlier notices may be lost, or another history was accepted. Everything cached until then may have
   * changed.
   */
  readonly missed: () => void;
}

const beatMs = 500;
/** A read that takes longer is given up: its connection may be broken. */
const readMsMax = 1_000;
const receivedIdsMax = 4_096;

export type NoticeBus = Pick<Bus, 'subscribe' | 'onReconnect' | 'readNotices'>;

/** Follows the notices of a bus. A notice of `anew` says that everything cached before may have changed. */
export function createNotices(bus: NoticeBus, { anew }: { readonly anew: string }): Notices {
  return new FollowedNotices(bus, anew);
}

class FollowedNotices implements Notices {
  readonly #bus: NoticeBus;
  readonly #anew: string;
  readonly #listeners: NoticeListener[] = [];
  readonly #receivedIds = new Set<string>();
  #mark: NoticeMark | undefined;
  #beat = 0;
  /** The beat in which the last complete read began. */
  #completeBeat = -Infinity;
  /** The read that counts: a new one takes its place when it hangs. */
  #reading: symbol | undefined;

  constructor(bus: NoticeBus, anew: string) {
    this.#bus = bus;
    this.#anew = anew;
  }

  unsubscribedMs(): number {
    return (this.#beat - this.#completeBeat + 1) * beatMs;
  }

  listen(listener: NoticeListener): void {
    this.#listeners.push(listener);
  }

  async start(signal: AbortSignal): Promise<void> {
    const off = this.#bus.onReconnect(() => void this.#read());
    const timer = setInterval(() => {
      this.#beat += 1;
      if (this.#reading === undefined) void this.#read();
    }, beatMs);
    timer.unref();
    const stop = () => {
      off();
      clearInterval(timer);
    };
    signal.addEventListener('abort', stop, { once: true });
    const filters = new Set(this.#listeners.flatMap((listener) => listener.filters));
    filters.add(this.#anew);
    const receive = (message: BusMessage) => this.#receive(message);
    // A subscription that the broker has not confirmed is still made, and reads find what it misses.
    await Promise.allSettled(
      [...filters].map((filter) => this.#bus.subscribe(filter, receive, { signal })),
    );
    await this.#read();
  }

  /** Reads up to the end of the stream. What fails is tried again with the next beat. */
  async #read(): Promise<void> {
    const reading = Symbol('a read');
    this.#reading = reading;
    try {
      while (this.#reading === reading) {
        const beganBeat = this.#beat;
        const read = await inTime(this.#bus.readNotices(this.#mark));
        if (this.#reading !== reading) return;
        for (const notice of read.notices) this.#receive(notice);
        this.#mark = read.mark;
        if (!read.isContinued) this.#miss();
        if (!read.isEnd) continue;
        this.#completeBeat = beganBeat;
        return;
      }
    } catch {
      // unsubscribedMs() tells how long nothing was read.
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  #miss(): void {
    for (const listener of this.#listeners) listener.missed();
  }

  #receive(message: BusMessage): void {
    const { id, subject } = message;
    if (id !== undefined) {
      if (this.#receivedIds.has(id)) return;
      if (this.#receivedIds.size >= receivedIdsMax) this.#receivedIds.clear();
      this.#receivedIds.add(id);
    }
    if (subjectMatches(this.#anew, subject)) this.#miss();
    for (const { filters, received } of this.#listeners)
      if (filters.some((filter) => subjectMatches(filter, subject))) received(message);
  }
}

async function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('not in time')), readMsMax);
  late.promise.catch(() => {});
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
