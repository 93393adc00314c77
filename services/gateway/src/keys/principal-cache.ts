import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/service';
import { RecentMap } from './recent-map.ts';
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
  /** A key that need not be asked for; undefined: whether there is one, `find` knows. */
  known(hash: string): ResolvedKey | undefined;
  /** undefined: no such key. Throws the fault of the call that had to be made. */
  find(presented: PresentedKey): Promise<ResolvedKey | undefined>;
  /** True when the key was known lately, however old that knowledge is. */
  hasMet(hash: string): boolean;
  /** From now on nothing learnt before counts, not even an answer that is on its way. */
  forget(hash: string): void;
  forgetAll(): void;
  readonly size: number;
}

/** There was no such key. */
interface Unknown {
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
  const known = new RecentMap<ResolvedKey>(keysMax);
  const unknown = new RecentMap<Unknown>(unknownKeysMax);
  const resolving = new Map<string, Resolving>();

  const bornMs = clock.now().getTime();
  /** From then on: a small number takes no memory of its own beside the key. */
  const nowMs = () => clock.now().getTime() - bornMs;

  const isFresh = (learntAtMs: number, allowedMs: number) => {
    const ageMs = nowMs() - learntAtMs;
    return ageMs >= 0 && ageMs < allowedMs;
  };

  const learn = (presented: PresentedKey): Promise<ResolvedKey | undefined> => {
    if (resolving.size >= resolvingMax) throw new Fault('unavailable', { retryAfterSeconds: 1 });
    const learntAtMs = nowMs();
    const started: Resolving = { answer: resolve(presented) };
    resolving.set(presented.hash, started);
    const isCurrent = () => resolving.get(presented.hash) === started;
    return started.answer.then(
      (key) => {
        if (!isCurrent()) return key;
        resolving.delete(presented.hash);
        (key ? unknown : known).delete(presented.hash);
        if (key) {
          key.learntAtMs = learntAtMs;
          known.set(presented.hash, key);
        } else unknown.set(presented.hash, { learntAtMs });
        return key;
      },
      (error: unknown) => {
        if (isCurrent()) resolving.delete(presented.hash);
        throw error;
      },
    );
  };

  const knownNow = (hash: string) => {
    const key = known.get(hash);
    const allowedMs = hearsChanges() ? ageMsMax : deafAgeMsMax;
    return key && isFresh(key.learntAtMs, allowedMs) ? key : undefined;
  };

  return {
    known: knownNow,
    async find(presented) {
      const key = knownNow(presented.hash);
      if (key) return key;
      const none = known.has(presented.hash) ? undefined : unknown.get(presented.hash);
      if (none && isFresh(none.learntAtMs, unknownAgeMsMax)) return undefined;
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
