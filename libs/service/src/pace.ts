/** A lap of the event loop that takes longer makes everybody wait: from then on less is started. */
const lapMsMax = 20;
/** What a lap may start, were it never so cheap: what follows is done in later laps, and is as much. */
const startsInLapMax = 100;
/** Where nobody knows what one takes. */
const unknownPerMs = startsInLapMax / lapMsMax;
const perMsMin = 1 / lapMsMax;
/** Over how long it is measured what one takes of the loop, with all that follows. */
const windowMs = 500;
/** Of fewer it says more about what else the process does: believed by and by, and only where it was busy. */
const windowStartsMin = 50;
/** Little: a lap is long, too, while garbage is collected or something else has the processor. */
const trimMin = 0.8;
const trimMax = 2;
/** In the time of a lap. */
const trimGrowth = 1.1;
/** A lap's worth is one at least; the sum of its parts may be a little less. */
const almostOne = 0.999;

/**
 * How many may be started by and by: as many in a millisecond as the loop has got round with lately, up to
 * twice as many while laps are short, and a little less after long ones. It goes by time, not by laps: of
 * those that have nothing to do there are many in a moment, and none of them does what it starts.
 */
export class Pace {
  #knownPerMs = unknownPerMs;
  #trim = 1;
  #ready = startsInLapMax;
  #filledMs: number;
  #lapEndedMs: number;
  #window: { readonly sinceMs: number; readonly sleptMs: number; started: number };

  constructor(nowMs: number, sleptMs: number) {
    this.#filledMs = nowMs;
    this.#lapEndedMs = nowMs;
    this.#window = { sinceMs: nowMs, sleptMs, started: 0 };
  }

  /** How many the loop got round with in a millisecond that it did not sleep. */
  get knownPerMs(): number {
    return this.#knownPerMs;
  }

  /** Whether one may be started now. */
  allows(nowMs: number): boolean {
    const perMs = Math.max(perMsMin, this.#knownPerMs * this.#trim);
    const ready = this.#ready + (nowMs - this.#filledMs) * perMs;
    this.#ready = Math.min(ready, startsInLapMax, Math.max(1, perMs * lapMsMax));
    this.#filledMs = nowMs;
    return this.#ready >= almostOne;
  }

  /** One was started. */
  started(): void {
    this.#ready -= 1;
    this.#window.started += 1;
  }

  /** A lap has ended: what it took, 0 where nobody knows, and how long the loop has slept in all. */
  lapEnded(nowMs: number, lapMs: number, sleptMs: number): void {
    const laps = (nowMs - this.#lapEndedMs) / lapMsMax;
    this.#lapEndedMs = nowMs;
    const share = lapMs > lapMsMax ? lapMsMax / lapMs : trimGrowth ** laps;
    this.#trim = Math.min(trimMax, Math.max(trimMin, this.#trim * share));
    if (nowMs - this.#window.sinceMs >= windowMs) this.#measure(nowMs, sleptMs);
  }

  #measure(nowMs: number, sleptMs: number): void {
    const { sinceMs, sleptMs: sleptBeforeMs, started } = this.#window;
    const passedMs = nowMs - sinceMs;
    const busyMs = Math.max(1, passedMs - (sleptMs - sleptBeforeMs));
    this.#window = { sinceMs: nowMs, sleptMs, started: 0 };
    const perMs = started / busyMs;
    if (started >= windowStartsMin) this.#knownPerMs = perMs;
    else if (busyMs < passedMs / 2) this.#knownPerMs = unknownPerMs;
    else this.#knownPerMs = Math.max(perMs, this.#knownPerMs / 2);
  }
}
