import type { TurnDeps } from './deps.ts';
import type { Meter } from './meter.ts';

const markIntervalMs = 2_000;
const markIntervalTokens = 256;

/** Notes in the spool how far a long answer is, so that a crash does not lose what was served. */
export class Marks {
  readonly #journal: TurnDeps['journal'];
  readonly #usageId: string;
  readonly #meter: Meter;
  #tokens = 0;
  #markedMs = performance.now();

  constructor({ journal }: Pick<TurnDeps, 'journal'>, usageId: string, meter: Meter) {
    this.#journal = journal;
    this.#usageId = usageId;
    this.#meter = meter;
  }

  note(): void {
    const nowMs = performance.now();
    const progress = this.#meter.progress();
    const isDue =
      nowMs - this.#markedMs >= markIntervalMs ||
      progress.outputTokens - this.#tokens >= markIntervalTokens;
    if (!isDue) return;
    this.#markedMs = nowMs;
    this.#tokens = progress.outputTokens;
    this.#journal.progress(this.#usageId, progress);
  }
}
