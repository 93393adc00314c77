import { createKnown, type Known, type KnownOptions } from '../known/known.ts';
import type { Policy, PolicyQuestion } from './policy.ts';

/** What this replica knows of policies. */
export type Policies = Known<PolicyQuestion, Policy>;

export type PoliciesOptions = Omit<KnownOptions<PolicyQuestion, Policy>, 'nameOf'>;

export function createPolicies(options: PoliciesOptions): Policies {
  return createKnown({ ...options, nameOf });
}

function nameOf({ workspaceId, keyHash, creatorUserId = '' }: PolicyQuestion): string {
  return `${workspaceId}\0${keyHash}\0${creatorUserId}`;
}
