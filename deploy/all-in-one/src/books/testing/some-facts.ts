import type { UsageFact } from '@sluice/usage-facts';
import {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
  aToolFact,
} from '@sluice/usage-facts/testing';
import { now } from './world.ts';

const dayMs = 86_400_000;

/** A generator of numbers from 0 to 1, the same for a seed: a failure can be repeated. */
export function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export type Random = () => number;
const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const aDiscountedEstimate = (changes: Partial<UsageFact>) =>
  anEstimate({
    costNanoUsd: 990n,
    upstreamCostNanoUsd: 1_000n,
    dataDiscountNanoUsd: 10n,
    dataDiscountBasisPoints: 100n,
    ...changes,
  });

/** Facts of every kind, of the last 90 days: with own credentials, discounts, tools, repeated answers and failed attempts. */
export function someFacts(random: Random, count: number): readonly UsageFact[] {
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = random() < 0.7 ? random() * 3 : random() * 90;
    const admittedAt = new Date(now.getTime() - daysAgo * dayMs).toISOString();
    const changes = {
      usageId: `gen-${index}/1/1`,
      generationId: `gen-${index}`,
      sequence: BigInt(index + 1),
      model: pick(random, ['a', 'b:free', 'c']),
      provider: pick(random, ['one', 'two']),
      workspaceId: pick(random, ['ws_1', 'ws_2']),
      app: pick(random, ['', "it's; DROP TABLE facts --", '\u{1F600}\u2028']),
      externalUser: pick(random, ['', 'customer-7']),
      admittedAt,
      completedAt: new Date(Date.parse(admittedAt) + 1_500).toISOString(),
      inputTokens: BigInt(Math.floor(random() * 20_000) + 10),
    };
    const make = pick(random, [
      aFact,
      aFact,
      aByokFact,
      aDiscountedFact,
      anEstimate,
      aDiscountedEstimate,
      aToolFact,
      aFailure,
    ]);
    if (make === aToolFact)
      return aToolFact({ ...changes, usageId: `gen-${index}/tool/1`, inputTokens: 0n });
    const { inputTokens, ...others } = changes;
    if (make === aFact)
      return aFact({
        ...changes,
        inputTokens,
        costNanoUsd: BigInt(Math.floor(random() * 1e6)),
        responseCacheSourceId: random() < 0.2 ? 'gen-0' : '',
      });
    return make(others);
  });
}
