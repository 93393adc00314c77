import { noByokTerms } from './byok-terms.ts';
import type { UsageFact } from './usage-fact.ts';

/** What facts have in suspense, as facts that cost just that. */
export function suspendedFacts(facts: readonly UsageFact[]): readonly UsageFact[] {
  return facts
    .filter(({ suspendedNanoUsd }) => suspendedNanoUsd > 0n)
    .map((fact) => ({ ...fact, ...noByokTerms, costNanoUsd: fact.suspendedNanoUsd }));
}
