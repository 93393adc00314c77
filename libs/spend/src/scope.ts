import assert from 'node:assert/strict';
import type { Principal } from '@sluice/inference';
import { Counter } from './counter.ts';
import type { Standing, WindowFigures } from './standing.ts';
import { windowOf, type Interval } from './window.ts';

/** The newest snapshot of one scope beside what only this replica knows of it. */
abstract class Scope {
  readonly counter = new Counter();
  #standing: Standing | undefined;

  get knownSince(): Date | undefined {
    return this.#standing?.at;
  }

  protected get standing(): Standing {
    assert(this.#standing, 'nothing is admitted before the ledger has told where it stands');
    return this.#standing;
  }

  isIdle(since: Date, watermarks: ReadonlyMap<bigint, bigint>): boolean {
    const isOld = this.#standing === undefined || this.#standing.at <= since;
    return isOld && this.counter.isSettled(watermarks);
  }

  /** Snapshots may arrive twice or overtake each other: only a newer one counts. */
  apply(standing: Standing): void {
    if (this.#standing && !isNewer(standing, this.#standing)) return;
    this.#standing = standing;
    this.counter.dropCounted(standing.watermarks);
  }
}

export class AccountScope extends Scope {
  /** What credits leave; negative when more was used than bought. */
  left(): bigint {
    const { creditsNanoUsd, usageNanoUsd } = this.standing;
    return creditsNanoUsd - usageNanoUsd - this.counter.sum(allTime);
  }
}

export class KeyScope extends Scope {
  /** A clock that steps back must not open a window that is already closed. */
  notBefore(at: Date): Date {
    const known = this.standing.at;
    return at < known ? known : at;
  }

  /** What the key's limit leaves in the window of `at`; undefined: it has no limit. */
  left({ limitNanoUsd, limitReset, includeByokInLimit }: Principal, at: Date): bigint | undefined {
    if (limitNanoUsd === null) return undefined;
    const { keyUsage, keyByokUsage } = this.standing;
    const window = windowOf(limitReset, at);
    const isSameWindow = windowOf(limitReset, this.standing.at).firstDay === window.firstDay;
    // The ledger's figure is of a window that has passed: all of the new one is still ours to tell.
    const counted = isSameWindow
      ? figure(keyUsage, limitReset) + (includeByokInLimit ? figure(keyByokUsage, limitReset) : 0n)
      : 0n;
    return limitNanoUsd - counted - this.counter.sum(window);
  }
}

const allTime = windowOf(null, new Date(0));

function figure(figures: WindowFigures, interval: Interval): bigint {
  return figures[interval ?? 'lifetime'];
}

/**
 * Watermarks decide, because figures and watermarks are one snapshot; then the time of asking. An
 * epoch that only one of them knows decides nothing, unless the newer one brings it.
 */
function isNewer(next: Standing, known: Standing): boolean {
  let isAhead = false;
  for (const [epoch, sequence] of next.watermarks) {
    const before = known.watermarks.get(epoch) ?? 0n;
    if (sequence < before) return false;
    if (sequence > before) isAhead = true;
  }
  return isAhead || next.at >= known.at;
}
