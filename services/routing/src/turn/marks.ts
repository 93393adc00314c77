import type { TurnDeps } from './deps.ts';
import type { Meter } from './meter.ts';

const markIntervalMs = 2_000;
/** About 256 tokens. */
const markIntervalBytes = 1_024;

/** Notes in the spool how far a long answer is, so that a crash does not lose what was served. */
export class Marks {
  readonly #journal: TurnDeps['journal'];
  readonly #usageId: string;
  readonly #meter: Meter;
  #servedBytes = 0;
  #markedMs = performance.now();

  constructor({ journal }: Pick<TurnDeps, 'journal'>, usageId: string, meter: Meter) {
    this.#journal = journal;
    this.#usageId = usageId;
    this.#meter = meter;
  }

  note(): void {
    const nowMs = performance.now();
    const { servedBytes } = this.#meter;
    const isDue =
      nowMs - this.#markedMs >= markIntervalMs ||
      servedBytes - this.#servedBytes >= markIntervalBytes;
    if (!isDue) return;
    this.#markedMs = nowMs;
    this.#servedBytes = servedBytes;
    this.#journal.progress(this.#usageId, this.#meter.progress());
  }
}
