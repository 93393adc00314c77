import { seededRandom } from '@sluice/testing/random';
import type { UsageFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';

export const accountId = 'acct_0190a0000000700080000000000000bb';
const keys = 1_000;
const models = 50;
const workspaces = 50;
const members = 200;

/** The keys and the models of a fact: every pair as likely as any other, or as installations have them. */
export type Spread = 'usual' | 'uniform';

interface Key {
  readonly hash: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly app: string;
  readonly referer: string;
  readonly models: readonly number[];
  readonly endUsers: number;
}

/**
 * Makes facts of one account in the order of their time. In the usual spread the tenth busiest key has a fifth of the
 * usage of the busiest, a key uses one to eight models, and half of the keys name 20 end users each.
 */
export class YearOfFacts {
  readonly #chance = seededRandom(7);
  readonly #spread: Spread;
  readonly #keys: readonly Key[];
  readonly #busy: (share: number) => number;
  readonly #liked: (share: number) => number;
  #made = 0;

  constructor(spread: Spread) {
    this.#spread = spread;
    this.#busy = skewed(keys, 0.7);
    this.#liked = skewed(models, 1);
    this.#keys = Array.from({ length: keys }, (_, number) => this.#key(number));
  }

  #key(number: number): Key {
    const random = () => this.#chance.next();
    const app = Math.floor(random() * 40);
    return {
      hash: number.toString(16).padStart(8, '0').repeat(8),
      workspaceId: uuid(number % workspaces),
      userId: uuid(1_000 + (number % members)),
      app: app < 10 ? '' : `app-${app}`,
      referer: app < 10 ? '' : `https://app-${app}.example/chat`,
      models: Array.from({ length: 1 + Math.floor(random() * 8) }, () => this.#liked(random())),
      endUsers: number % 2 === 0 ? 20 : 0,
    };
  }

  /** Returns so many facts, evenly over a time. */
  during(startMs: number, lengthMs: number, count: number): readonly UsageFact[] {
    return Array.from({ length: count }, (_, index) =>
      this.#fact(startMs + Math.floor(((index + 0.5) * lengthMs) / count)),
    );
  }

  #fact(admittedMs: number): UsageFact {
    const random = () => this.#chance.next();
    const isUniform = this.#spread === 'uniform';
    const number = isUniform ? Math.floor(random() * keys) : this.#busy(random());
    const key = this.#keys[number];
    if (!key) throw new Error('invariant: there are so many keys');
    const own = key.models[Math.floor(random() ** 2 * key.models.length)] ?? 0;
    const model = isUniform ? Math.floor(random() * models) : own;
    const inputTokens = BigInt(Math.floor(200 * 100 ** random()));
    const outputTokens = BigInt(Math.floor(20 * 50 ** random()));
    const latencyMs = Math.floor(200 * 10 ** random());
    const cost = inputTokens * BigInt(100 + model) + outputTokens * BigInt(400 + model);
    const ordinal = (this.#made += 1);
    const finishReason = random() < 0.85 ? 'stop' : 'tool_calls';
    const cachedTokens = random() < 0.3 ? inputTokens / 2n : 0n;
    const generationId = generationIdOf(admittedMs, ordinal);
    return aFact({
      usageId: `${generationId}/1/1`,
      generationId,
      accountId,
      workspaceId: key.workspaceId,
      keyHash: key.hash,
      userId: key.userId,
      app: key.app,
      httpReferer: key.referer,
      externalUser: key.endUsers === 0 ? '' : `customer-${Math.floor(random() * key.endUsers)}`,
      model: `vendor-${model % 7}/model-${model}`,
      provider: `provider-${random() < 0.8 ? model % 9 : (model + 1) % 9}`,
      finishReason,
      inputTokens,
      cachedTokens,
      cacheDiscountNanoUsd: cachedTokens === 0n ? undefined : cachedTokens * 90n,
      outputTokens,
      reasoningTokens: random() < 0.2 ? outputTokens / 2n : 0n,
      costNanoUsd: cost,
      latencyMs: BigInt(latencyMs),
      admittedAt: new Date(admittedMs).toISOString(),
      completedAt: new Date(admittedMs + latencyMs + Number(outputTokens) * 12).toISOString(),
    });
  }
}

/** Returns an id as long as a real one. Both follow the order of time. */
const generationIdOf = (admittedMs: number, ordinal: number) =>
  `gen-${admittedMs.toString(16).padStart(12, '0')}${ordinal.toString(16).padStart(20, '0')}`;

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns a function from 0 … 1 to a place, where the place p is as frequent as 1 / (p + 1) ** steepness. */
function skewed(places: number, steepness: number): (share: number) => number {
  const reached: number[] = [];
  let sum = 0;
  for (let place = 0; place < places; place += 1) {
    sum += (place + 1) ** -steepness;
    reached.push(sum);
  }
  return (share) => {
    let [low, high] = [0, places - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((reached[middle] ?? 0) < share * sum) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
