import { createRemoteCache, type RemoteCache, type RemoteCacheOptions } from '@sluice/remote-cache';
import type { Policy, PolicyQuestion } from './policy.ts';

/** Cached policies. */
export type Policies = RemoteCache<PolicyQuestion, Policy>;

export type PoliciesOptions = Omit<
  RemoteCacheOptions<PolicyQuestion, Policy>,
  'groupOf' | 'nameOf'
>;

export function createPolicies(options: PoliciesOptions): Policies {
  return createRemoteCache({ ...options, groupOf: ({ accountId }) => accountId, nameOf });
}

function nameOf({ workspaceId, keyHash, creatorUserId = '' }: PolicyQuestion): string {
  return `${workspaceId}\0${keyHash}\0${creatorUserId}`;
}
