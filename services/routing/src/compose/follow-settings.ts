import { type Notices, subjectFilters } from '@sluice/bus';
import { followChanges } from '@sluice/remote-cache';
import type { Credentials } from '../credentials/credentials.ts';
import type { Policies } from '../policy/policies.ts';

/** Drops cached settings of an account when the account changes them. */
export function followSettings(
  notices: Notices,
  { policies, credentials }: { readonly policies: Policies; readonly credentials: Credentials },
): void {
  const { workspaceChanged, guardrailsChanged, credentialsChanged } = subjectFilters;
  followChanges(notices, { filters: [workspaceChanged, guardrailsChanged], known: policies });
  followChanges(notices, { filters: [credentialsChanged], known: credentials });
}
