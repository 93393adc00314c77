import { noByokTerms, type UsageFact } from '@sluice/usage-facts';

/** Returns the suspense of facts, as facts that cost just that. */
export function suspendedFacts(facts: readonly UsageFact[]): readonly UsageFact[] {
  return facts
    .filter(({ suspendedNanoUsd }) => suspendedNanoUsd > 0n)
    .map((fact) => ({ ...fact, ...noByokTerms, costNanoUsd: fact.suspendedNanoUsd }));
}
