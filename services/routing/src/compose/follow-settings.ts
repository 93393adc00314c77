import { type Notices, subjectFilters } from '@sluice/bus';
import { followChanges } from '@sluice/remote-cache';
import type { KnownAnswers } from './known-answers.ts';

/** Drops cached settings of an account when the account changes them. */
export function followSettings(
  notices: Notices,
  { policies, presets, credentials }: KnownAnswers,
): void {
  const { workspaceChanged, guardrailsChanged, credentialsChanged } = subjectFilters;
  followChanges(notices, { filters: [workspaceChanged, guardrailsChanged], known: policies });
  followChanges(notices, { filters: [workspaceChanged], known: presets });
  followChanges(notices, { filters: [credentialsChanged], known: credentials });
}
