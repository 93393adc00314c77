import { hash } from 'node:crypto';
import { blendedPrice, type Candidate } from './candidate.ts';

/**
 * Returns the candidate that the seed of `seedOf` draws, with weight 1/price². If one is free, only free ones are
 * drawn. The same seed draws the same one among the same candidates.
 */
export function drawn(candidates: readonly Candidate[], seed: string): Candidate | undefined {
  const weights = weightsOf(candidates);
  let left = (Number(seed) / seedsMax) * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return candidates[index];
  }
  return candidates.at(-1);
}

/**
 * Returns the same candidate for the same session in every replica, with the same weights over many sessions. A new
 * or removed endpoint moves only its own sessions.
 */
export function drawnFor(session: string, candidates: readonly Candidate[]): Candidate | undefined {
  const weights = weightsOf(candidates);
  let best: Candidate | undefined;
  let bestScore = Infinity;
  for (const [index, candidate] of candidates.entries()) {
    const weight = weights[index] ?? 0;
    // Weighted rendezvous hashing: the smallest exponential score wins with a probability of its weight's share.
    const score = -Math.log(chanceOf(session, candidate.endpoint.id)) / weight;
    if (score >= bestScore) continue;
    best = candidate;
    bestScore = score;
  }
  return best;
}

function weightsOf(candidates: readonly Candidate[]): readonly number[] {
  const prices = candidates.map(blendedPrice);
  const cheapest = Math.min(...prices);
  return prices.map((price) => (cheapest === 0 ? Number(price === 0) : (cheapest / price) ** 2));
}

const chanceBytes = 6;
const seedsMax = 2 ** 32;

/** Returns the seed of one random choice. With it and `chanceOf`, or `drawn`, the choice can be made again. */
export function seedOf(random: () => number): string {
  return String(Math.floor(random() * seedsMax));
}

/** Returns a number above 0 and below 1, which these two words determine. */
export function chanceOf(session: string, name: string): number {
  const digest = hash('sha256', `${name} ${session}`, 'buffer');
  return (digest.readUIntBE(0, chanceBytes) + 0.5) / 2 ** (chanceBytes * 8);
}
