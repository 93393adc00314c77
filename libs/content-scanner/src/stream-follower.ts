import {
  builtinStream,
  type Hold,
  prefixHold,
  type PrefixPattern,
  readingsOf,
  stepCostUs,
  type StreamPlan,
} from '@sluice/content-filter';
import type { WorkerPool } from '@sluice/worker-pool';
import { LRUCache } from 'lru-cache';
import type { HoldInput } from './hold-worker.ts';
import { noThreadFree } from './no-thread-free.ts';
import type { StreamJob } from './scan-job.ts';
import type { StreamHold } from './text-release.ts';

/** The filters of a set by the way in which they can follow a stream. */
export interface FollowedStream {
  readonly hold: StreamHold;
  /** Filters that see no match in a part of a text: their text has to be complete. Names, as `[PERSON_NAME]`. */
  readonly buffered: readonly string[];
}

const planModule = new URL('plan-worker.ts', import.meta.url);
const holdModule = new URL('hold-worker.ts', import.meta.url);
const plansMax = 200;
const plannedCharactersMax = 4_000_000;
/** A larger pattern is compiled and run in threads alone. */
const inlineInstructionsMax = 500;
const inlineUsMax = 5_000;

/** Prepares sets of filters for streams. Custom patterns are measured in a thread before they run beside requests. */
export class StreamFollower {
  readonly #pool: WorkerPool;
  readonly #plans = new LRUCache<string, StreamPlan>({
    max: plansMax,
    maxSize: plannedCharactersMax,
    sizeCalculation: ({ prefix }) => 1 + (prefix?.source.length ?? 0),
  });
  readonly #holds = new LRUCache<string, Hold>({ max: plansMax });

  constructor(pool: WorkerPool) {
    this.#pool = pool;
  }

  async follow(job: StreamJob): Promise<FollowedStream> {
    const builtin = builtinStream(job.set);
    if (job.set.custom.length === 0) return builtin;
    const { prefix, buffered } = await this.#planOf(job);
    return {
      buffered: [...builtin.buffered, ...buffered],
      hold: prefix ? this.#joined(builtin.hold, prefix, job) : builtin.hold,
    };
  }

  async #planOf({ revision, set, account, signal }: StreamJob): Promise<StreamPlan> {
    const known = this.#plans.get(revision);
    if (known) return known;
    const job = { account, signal, module: planModule, input: set };
    const outcome = await this.#pool.run<StreamPlan>(job);
    if (outcome === 'busy') throw noThreadFree();
    const plan =
      typeof outcome === 'string'
        ? { prefix: undefined, buffered: set.custom.map(({ label }) => label ?? 'custom') }
        : outcome.result;
    this.#plans.set(revision, plan);
    return plan;
  }

  #joined(builtin: Hold, prefix: PrefixPattern, job: StreamJob): StreamHold {
    return {
      from: (text, released) => {
        const least = builtin.from(text, released);
        const pending = (text.length - released) * readingsOf(text);
        const { instructions } = prefix;
        return instructions <= inlineInstructionsMax &&
          stepCostUs(instructions, pending) <= inlineUsMax
          ? Math.min(least, this.#compiled(prefix, job).from(text, released))
          : this.#inThread(prefix, job, { text, released, least });
      },
    };
  }

  #compiled({ source }: PrefixPattern, { revision }: StreamJob): Hold {
    const hold = this.#holds.get(revision) ?? prefixHold(source);
    if (!hold) throw new Error('invariant: a pattern of beginnings was compiled before');
    this.#holds.set(revision, hold);
    return hold;
  }

  async #inThread(
    { source }: PrefixPattern,
    { account, signal }: StreamJob,
    { text, released, least }: { text: string; released: number; least: number },
  ): Promise<number> {
    const input: HoldInput = { source, pending: text.slice(released) };
    const outcome = await this.#pool.run<number>({ account, signal, module: holdModule, input });
    if (outcome === 'busy') throw noThreadFree();
    // A text that could not be looked at waits for more, and is scanned at its end.
    return typeof outcome === 'string' ? released : Math.min(least, released + outcome.result);
  }
}
