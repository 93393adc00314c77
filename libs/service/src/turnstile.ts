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

/** A lap that takes longer makes everybody wait: in the next ones less is started. */
const lapMsMax = 10;
/** How long starting may take in a lap, with what was done in it before. */
const startingMsMax = 4;
/**
 * Starting is the smaller part: what follows comes in later laps, and is as much as was started. Without this
 * bound the first lap of a crowd would start more than ten laps can do.
 */
const startsMax = 100;
/** Over how long it is measured what one takes of the loop, with all that follows, while nobody waits. */
const costWindowMs = 1_000;
/** Of fewer it says more about what else the process does. */
const costStartsMin = 50;
/** What was started before it was known to be too much makes the next laps long as well. */
const startsShrinkMost = 0.5;
/** In as long as a lap may take, however many laps that were: what is started shows only in later ones. */
const startsGrow = 1.1;
/** Nobody enters behind one who has waited for so long. */
const waitedMsMax = 2_000;
/** A crowd that has stood for so long is no burst: to let more wait would only make all of them late. */
const burstMs = 500;
/** One that comes back sooner is the same: who is refused leaves a line empty for a moment. */
const crowdGapMs = 50;
/** Then nobody of whom one waits already enters who would wait for so long. */
const standingWaitMsMax = 50;
/** But where fewer wait: a client with many connections that sends when it is answered is no overload. */
const standingPlacesMin = 128;
/** Over about how long the rate at which waiting ones are started is the mean. */
const rateMs = 200;

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
  readonly #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  #isInLap = false;
  #isWholeLap = false;
  #lapEndedMs: number;
  #sleptMs: number;
  /** Since when, as far as is known, the loop has not looked at what arrived. */
  #busySinceMs = 0;
  #startsMax = startsMax;
  #startedInLap = 0;
  /** What one took of the loop when there was no crowd; undefined until there were enough. */
  #costMs: number | undefined;
  #window = { sinceMs: 0, sleptMs: 0, started: 0 };
  /** How many of those who wait are started in a millisecond; undefined until some were. */
  #startsPerMs: number | undefined;
  /** Since when somebody has waited, gaps left out; and when nobody did any more. */
  #crowdedSinceMs = 0;
  #crowdEndedMs = Number.NEGATIVE_INFINITY;

  constructor(options: TurnstileOptions) {
    this.#options = options;
    this.#laps = options.laps ?? eventLoop;
    this.#lapEndedMs = this.#laps.nowMs();
    this.#sleptMs = this.#laps.sleptMs();
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
        this.#startedInLap += 1;
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
    if (nowMs - first.sinceMs >= waitedMsMax) return 'slow';
    const isStanding = ofName > 0 && nowMs - this.#crowdedSinceMs >= burstMs;
    if (!isStanding || this.#waiting.length < standingPlacesMin) return undefined;
    const willWaitMs = this.#waiting.length / (this.#startsPerMs ?? Number.POSITIVE_INFINITY);
    return willWaitMs >= standingWaitMsMax ? 'slow' : undefined;
  }

  #mayStart(nowMs: number): boolean {
    return this.#startedInLap < this.#startsMax && nowMs - this.#busySinceMs < startingMsMax;
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
    if (nowMs - this.#crowdEndedMs < crowdGapMs) return;
    this.#crowdedSinceMs = nowMs;
    // What is too much would be known only when it has been started, several laps of it.
    if (this.#costMs === undefined) return;
    this.#startsMax = Math.max(1, Math.min(this.#startsMax, lapMsMax / this.#costMs));
  }

  #measureCost(nowMs: number): void {
    this.#window.started += this.#startedInLap;
    const { sinceMs, sleptMs, started } = this.#window;
    const isCrowded = this.#waiting.length > 0 || this.#crowdEndedMs >= sinceMs;
    if (nowMs - sinceMs < costWindowMs && !isCrowded) return;
    const busyMs = nowMs - sinceMs - (this.#sleptMs - sleptMs);
    if (started >= costStartsMin && !isCrowded) this.#costMs = busyMs / started;
    this.#window = { sinceMs: nowMs, sleptMs: this.#sleptMs, started: 0 };
  }

  #beginLap(busySinceMs: number): void {
    this.#isInLap = true;
    this.#busySinceMs = busySinceMs;
    this.#startedInLap = 0;
    this.#laps.afterThis(() => this.#endLap());
  }

  #endLap(): void {
    const endedMs = this.#laps.nowMs();
    const lapMs = this.#isWholeLap ? endedMs - this.#busySinceMs : 0;
    const passedLaps = Math.min(1, (endedMs - this.#lapEndedMs) / lapMsMax);
    const shrink = Math.max(startsShrinkMost, lapMsMax / lapMs);
    const share = lapMs > lapMsMax ? shrink : startsGrow ** passedLaps;
    this.#startsMax = Math.min(startsMax, Math.max(1, this.#startsMax * share));
    if (lapMs > 0) this.#countRate(this.#startedInLap, lapMs);
    this.#lapEndedMs = endedMs;
    this.#sleptMs = this.#laps.sleptMs();
    this.#isInLap = false;
    this.#isWholeLap = this.#waiting.length > 0;
    this.#measureCost(endedMs);
    if (!this.#isWholeLap) return;
    // While somebody waits the loop does not sleep: this lap ends when it has looked at what arrived.
    this.#beginLap(endedMs);
    do this.#startNext();
    while (this.#waiting.length > 0 && this.#mayStart(this.#laps.nowMs()));
  }

  #countRate(started: number, lapMs: number): void {
    const perMs = started / lapMs;
    this.#startsPerMs ??= perMs;
    this.#startsPerMs += (perMs - this.#startsPerMs) * (1 - Math.exp(-lapMs / rateMs));
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#startedInLap += 1;
    const left = (this.#waitingOf.get(next.name) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(next.name);
    else this.#waitingOf.set(next.name, left);
    if (this.#waiting.length === 0) this.#crowdEndedMs = this.#laps.nowMs();
    next.start();
  }
}
