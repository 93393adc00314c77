import {
  compileFilters,
  type CompiledFilters,
  type FilterSet,
  readingsOf,
  scanCostUs,
  TooCostly,
} from '@sluice/content-filter';
import type { WorkerPool } from '@sluice/worker-pool';
import { LRUCache } from 'lru-cache';
import { noThreadFree } from './no-thread-free.ts';
import { unpackVerdict } from './pack-verdicts.ts';
import { type GroupVerdict, scanGroup, type ScannedTexts } from './scan-group.ts';
import type { ScanFailure, ScanInput, ScanJob, StreamJob } from './scan-job.ts';
import type { ScanAnswer } from './scan-worker.ts';
import { type FollowedStream, StreamFollower } from './stream-follower.ts';

/** Scans texts: short ones where the caller is, all else in the threads of a pool. */
export interface Scanner {
  /**
   * Resolves with a verdict per group, or with the reason why there is none. Throws the Fault `overloaded` if no thread
   * was free in time: the texts have not been read, and the caller must not let them pass.
   */
  scan(job: ScanJob): Promise<readonly GroupVerdict[] | ScanFailure>;
  /** Resolves with the way in which the filters follow a stream. Throws as `scan` does. */
  follow(job: StreamJob): Promise<FollowedStream>;
}

export interface ScannerOptions {
  readonly pool: WorkerPool;
  /** Milliseconds, from any start. */
  readonly nowMs?: () => number;
}

const scanModule = new URL('scan-worker.ts', import.meta.url);
/** A scan that may take longer leaves the event loop to others. */
const inlineMs = 5;
/** Patterns with more take milliseconds to compile. */
const inlineInstructionsMax = 500;
const inlineSetsMax = 200;
const knownSizesMax = 10_000;

export function createScanner(options: ScannerOptions): Scanner {
  return new PooledScanner(options);
}

class PooledScanner implements Scanner {
  readonly #pool: WorkerPool;
  readonly #nowMs: () => number;
  readonly #streams: StreamFollower;
  /** Instructions of the custom patterns of a set. A thread counts them with the first job. */
  readonly #instructions = new LRUCache<string, number>({ max: knownSizesMax });
  readonly #compiled = new LRUCache<string, Promise<CompiledFilters>>({ max: inlineSetsMax });

  constructor({ pool, nowMs = () => performance.now() }: ScannerOptions) {
    this.#pool = pool;
    this.#nowMs = nowMs;
    this.#streams = new StreamFollower(pool);
  }

  follow(job: StreamJob): Promise<FollowedStream> {
    return this.#streams.follow(job);
  }

  async scan(job: ScanJob): Promise<readonly GroupVerdict[] | ScanFailure> {
    if (job.groups.length === 0) return [];
    if (this.#isCheap(job)) {
      const scanned = await this.#scanHere(job);
      if (scanned) return scanned;
    }
    const { account, signal, revision, set, groups, entitiesMs } = job;
    const input: ScanInput = {
      revision,
      set,
      entitiesMs,
      groups: groups.map(({ texts, form, scansInjection }) => ({ texts, form, scansInjection })),
    };
    const outcome = await this.#pool.run<ScanAnswer>({
      account,
      signal,
      module: scanModule,
      input,
    });
    if (outcome === 'busy') throw noThreadFree();
    if (typeof outcome === 'string') return outcome;
    const { instructions, verdicts } = outcome.result;
    this.#instructions.set(revision, instructions);
    return verdicts.map(unpackVerdict);
  }

  /** Entities are looked for in threads alone: the words that they need take a third of a second to load. */
  #isCheap({ revision, set, groups }: ScanJob): boolean {
    if (set.builtin.some(({ slug }) => slug === 'person-name' || slug === 'address')) return false;
    const instructions = set.custom.length === 0 ? 0 : this.#instructions.get(revision);
    if (instructions === undefined || instructions > inlineInstructionsMax) return false;
    const characters = groups.reduce((sum, group) => sum + scannedCharacters(group), 0);
    return scanCostUs(set, instructions, characters) <= inlineMs * 1_000;
  }

  /** Returns undefined if the scan takes longer than it should, so that a thread must do it. */
  async #scanHere({
    revision,
    set,
    groups,
  }: ScanJob): Promise<readonly GroupVerdict[] | ScanFailure | undefined> {
    try {
      const filters = await this.#compiledFor(revision, set);
      const endMs = this.#nowMs() + inlineMs;
      const pause = () => {
        if (this.#nowMs() > endMs) throw new TooCostly();
      };
      return groups.map((group) =>
        scanGroup(group, filters, { scansInjection: group.scansInjection, pause }),
      );
    } catch (error) {
      // The error may quote the text, so it is neither logged nor returned.
      return error instanceof TooCostly ? undefined : 'broken';
    }
  }

  #compiledFor(revision: string, set: FilterSet): Promise<CompiledFilters> {
    const known = this.#compiled.get(revision);
    if (known) return known;
    const compiled = compileFilters(set, { joins: false });
    // The next scan tries again.
    compiled.catch(() => this.#compiled.delete(revision));
    this.#compiled.set(revision, compiled);
    return compiled;
  }
}

/** Several texts are scanned one by one and as one. Those that look like another text are scanned as that one, too. */
function scannedCharacters({ texts, form }: ScannedTexts): number {
  const all = texts.reduce((sum, text) => sum + text.length * readingsOf(text), 0);
  return texts.length > 1 && form === 'text' ? 2 * all : all;
}
