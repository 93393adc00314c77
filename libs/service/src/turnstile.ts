import { Pace } from './pace.ts';

export interface TurnstileOptions {
  /** How many may wait. */
  readonly waitingMax: number;
  /** How many of them may be of one name: no single caller takes all the places. */
  readonly waitingPerNameMax: number;
  /** Real time, and laps of the event loop of this process, when absent. */
  readonly laps?: Laps;
}

/** How the event loop goes round. */
export interface Laps {
  nowMs(): number;
  /** How long the loop has slept, in all. */
  sleptMs(): number;
  /** Calls back once, when what had arrived has been read. */
  afterThis(callback: () => void): void;
}

/** Why somebody cannot enter: no place, too many of the same name, or those before wait too long already. */
export type Crowded = 'full' | 'share' | 'slow';

interface Waiting {
  readonly name: string;
  readonly start: () => void;
  readonly sinceMs: number;
}

/** How long starting may take in a lap, with what was done in it before. */
const startingMsMax = 5;
/** Nobody enters behind one who has waited for so long. */
const waitedMsMax = 2_000;
/** A crowd that has stood for so long is no burst: to let more wait would only make all of them late. */
const burstMs = 500;
/** One that comes back sooner is the same: who is refused leaves a line empty for a moment. */
const crowdGapMs = 50;
/** Then nobody of whom one waits already enters who would wait for so long, or behind one who has. */
const standingWaitMsMax = 50;

const eventLoop: Laps = {
  nowMs: () => performance.now(),
  sleptMs: () => performance.nodeTiming.idleTime,
  afterThis: (callback) => void setImmediate(callback),
};

/**
 * Starts work no faster than the event loop gets round with it, in the order of arrival, so that what
 * is refused is refused at once. As long as there is no crowd it starts everything as it comes.
 */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #laps: Laps;
  readonly #pace: Pace;
  readonly #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  #isInLap = false;
  #isWholeLap = false;
  #lapEndedMs: number;
  #sleptMs: number;
  /** Since when, as far as is known, the loop has not looked at what arrived. */
  #busySinceMs = 0;
  /** Since when somebody has waited, gaps left out; and when nobody did any more. */
  #crowdedSinceMs = 0;
  #crowdEndedMs = Number.NEGATIVE_INFINITY;

  constructor(options: TurnstileOptions) {
    this.#options = options;
    this.#laps = options.laps ?? eventLoop;
    this.#lapEndedMs = this.#laps.nowMs();
    this.#sleptMs = this.#laps.sleptMs();
    this.#pace = new Pace(this.#lapEndedMs, this.#sleptMs);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts it, now or in its turn; or says why it never will. */
  enter(name: string, start: () => void): Crowded | undefined {
    const nowMs = this.#laps.nowMs();
    if (this.#waiting.length === 0) {
      if (!this.#isInLap) this.#beginPartOfLap();
      if (this.#mayStart(nowMs)) {
        this.#pace.started();
        start();
        return undefined;
      }
    }
    const ofName = this.#waitingOf.get(name) ?? 0;
    const crowded = this.#crowded(ofName, nowMs);
    if (crowded !== undefined) return crowded;
    if (this.#waiting.length === 0) this.#beginCrowd(nowMs);
    this.#waiting.push({ name, start, sinceMs: nowMs });
    this.#waitingOf.set(name, ofName + 1);
    return undefined;
  }

  /** Why it would not let in anybody of that name now; undefined: it may, at once or in his turn. */
  refuses(name: string): Crowded | undefined {
    if (this.#waiting.length === 0) return undefined;
    return this.#crowded(this.#waitingOf.get(name) ?? 0, this.#laps.nowMs());
  }

  #crowded(ofName: number, nowMs: number): Crowded | undefined {
    const { waitingMax, waitingPerNameMax } = this.#options;
    if (this.#waiting.length >= waitingMax) return 'full';
    if (ofName >= waitingPerNameMax) return 'share';
    const [first] = this.#waiting;
    if (!first) return undefined;
    const waitedMs = nowMs - first.sinceMs;
    if (waitedMs >= waitedMsMax) return 'slow';
    const isStanding = ofName > 0 && nowMs - this.#crowdedSinceMs >= burstMs;
    if (!isStanding) return undefined;
    const willWaitMs = this.#waiting.length / this.#pace.knownPerMs;
    return Math.max(waitedMs, willWaitMs) >= standingWaitMsMax ? 'slow' : undefined;
  }

  #mayStart(nowMs: number): boolean {
    return nowMs - this.#busySinceMs < startingMsMax && this.#pace.allows(nowMs);
  }

  /**
   * Work that was done before anybody entered counts as well. How much of it was of this lap nobody
   * knows: to take all of it costs those who come now no more than the wait for the next lap.
   */
  #beginPartOfLap(): void {
    const sleptMs = this.#laps.sleptMs() - this.#sleptMs;
    this.#beginLap(this.#lapEndedMs + sleptMs);
  }

  #beginCrowd(nowMs: number): void {
    if (nowMs - this.#crowdEndedMs >= crowdGapMs) this.#crowdedSinceMs = nowMs;
  }

  #beginLap(busySinceMs: number): void {
    this.#isInLap = true;
    this.#busySinceMs = busySinceMs;
    this.#laps.afterThis(() => this.#endLap());
  }

  #endLap(): void {
    const endedMs = this.#laps.nowMs();
    const lapMs = this.#isWholeLap ? endedMs - this.#busySinceMs : 0;
    this.#lapEndedMs = endedMs;
    this.#sleptMs = this.#laps.sleptMs();
    this.#pace.lapEnded(endedMs, lapMs, this.#sleptMs);
    this.#isInLap = false;
    this.#isWholeLap = this.#waiting.length > 0;
    if (!this.#isWholeLap) return;
    // While somebody waits the loop does not sleep: this lap ends when it has looked at what arrived.
    this.#beginLap(endedMs);
    while (this.#waiting.length > 0 && this.#mayStart(this.#laps.nowMs())) this.#startNext();
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#pace.started();
    const left = (this.#waitingOf.get(next.name) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(next.name);
    else this.#waitingOf.set(next.name, left);
    if (this.#waiting.length === 0) this.#crowdEndedMs = this.#laps.nowMs();
    next.start();
  }
}
