import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/service';
import { boundedMap } from '../bounded-map.ts';
import type { ResolvedKey } from './resolved-key.ts';

export interface PresentedKey {
  readonly hash: string;
  readonly secret: string;
}

export interface PrincipalCacheDependencies {
  /** undefined: no such key. */
  readonly resolve: (presented: PresentedKey) => Promise<ResolvedKey | undefined>;
  /** False while changes of keys cannot be heard. */
  readonly hearsChanges: () => boolean;
  readonly clock: Clock;
}

/** What the gateway knows of keys, so that a request needs no call. Bounded in number and age. */
export interface PrincipalCache {
  /** undefined: no such key. Throws the fault of the call that had to be made. */
  find(presented: PresentedKey): Promise<ResolvedKey | undefined>;
  /** True when the key was known lately, however old that knowledge is. */
  hasMet(hash: string): boolean;
  /** From now on nothing learnt before counts, not even an answer that is on its way. */
  forget(hash: string): void;
  forgetAll(): void;
  readonly size: number;
}

interface Learnt {
  /** undefined: there was no such key. */
  readonly key: ResolvedKey | undefined;
  readonly learntAtMs: number;
}

interface Resolving {
  readonly answer: Promise<ResolvedKey | undefined>;
}

const keysMax = 100_000;
const unknownKeysMax = 10_000;
const resolvingMax = 1_000;
const ageMsMax = 60_000;
const deafAgeMsMax = 5_000;
const unknownAgeMsMax = 5_000;

export function createPrincipalCache(dependencies: PrincipalCacheDependencies): PrincipalCache {
  const { resolve, hearsChanges, clock } = dependencies;
  const known = boundedMap<Learnt>(keysMax);
  const unknown = boundedMap<Learnt>(unknownKeysMax);
  const resolving = new Map<string, Resolving>();

  const isFresh = ({ key, learntAtMs }: Learnt) => {
    const ageMs = clock.now().getTime() - learntAtMs;
    const allowedMs =
      key === undefined ? unknownAgeMsMax : hearsChanges() ? ageMsMax : deafAgeMsMax;
    return ageMs >= 0 && ageMs < allowedMs;
  };

  const learn = (presented: PresentedKey): Promise<ResolvedKey | undefined> => {
    if (resolving.size >= resolvingMax) throw new Fault('unavailable', { retryAfterSeconds: 1 });
    const learntAtMs = clock.now().getTime();
    const started: Resolving = { answer: resolve(presented) };
    resolving.set(presented.hash, started);
    const isCurrent = () => resolving.get(presented.hash) === started;
    return started.answer.then(
      (key) => {
        if (!isCurrent()) return key;
        resolving.delete(presented.hash);
        (key ? known : unknown).set(presented.hash, { key, learntAtMs });
        (key ? unknown : known).delete(presented.hash);
        return key;
      },
      (error: unknown) => {
        if (isCurrent()) resolving.delete(presented.hash);
        throw error;
      },
    );
  };

  return {
    async find(presented) {
      const learnt = known.get(presented.hash) ?? unknown.get(presented.hash);
      if (learnt && isFresh(learnt)) return learnt.key;
      return resolving.get(presented.hash)?.answer ?? learn(presented);
    },
    hasMet: (hash) => known.has(hash),
    forget(hash) {
      known.delete(hash);
      unknown.delete(hash);
      resolving.delete(hash);
    },
    forgetAll() {
      known.clear();
      unknown.clear();
      resolving.clear();
    },
    get size() {
      return known.size;
    },
  };
}
