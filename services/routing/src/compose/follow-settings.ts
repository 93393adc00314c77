import { type Notices, subjectFilters } from '@sluice/bus';
import { followChanges } from '@sluice/remote-cache';
import type { KnownAnswers } from './known-answers.ts';

/** Drops cached settings of an account when the account changes them. */
export function followSettings(
  notices: Notices,
  { policies, presets, credentials, privateEndpoints, endpointChanges }: KnownAnswers,
  signal: AbortSignal,
): void {
  const policyFilters = [
    subjectFilters.workspaceChanged,
    subjectFilters.guardrailsChanged,
    subjectFilters.destinationsChanged,
  ];
  followChanges(notices, { filters: policyFilters, known: policies });
  followChanges(notices, { filters: [subjectFilters.workspaceChanged], known: presets });
  followChanges(notices, { filters: [subjectFilters.credentialsChanged], known: credentials });
  const endpointFilters = [subjectFilters.endpointsChanged];
  followChanges(notices, { filters: endpointFilters, known: privateEndpoints });
  endpointChanges.start(privateEndpoints, signal);
}
