import { noByokTerms } from './byok-terms.ts';
import type { UsageFact } from './usage-fact.ts';

/** Returns the suspense of facts, as facts that cost just that. */
export function suspendedFacts(facts: readonly UsageFact[]): readonly UsageFact[] {
  return facts
    .filter(({ suspendedNanoUsd }) => suspendedNanoUsd > 0n)
    .map((fact) => ({ ...fact, ...noByokTerms, costNanoUsd: fact.suspendedNanoUsd }));
}
