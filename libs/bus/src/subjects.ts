import { ok } from 'node:assert/strict';
import type { StreamDefinition } from './bus.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const kept = { ageMsMax: 7 * dayMs, duplicateWindowMs: 2 * minuteMs };

export const usageStream: StreamDefinition = {
  name: 'USAGE',
  subjects: ['usage.v1.>'],
  ...kept,
};

export const creditStream: StreamDefinition = {
  name: 'CREDIT',
  subjects: ['credit.v1.>'],
  ...kept,
};

export const limitStream: StreamDefinition = {
  name: 'LIMIT',
  subjects: ['limit.v1.>'],
  ...kept,
};

/** Changes of members, workspaces, memberships and keys, for services that hold something of them. */
export const directoryStream: StreamDefinition = {
  name: 'DIRECTORY',
  subjects: ['directory.v1.>'],
  ...kept,
};

/** Failures and refusals: requests without a usage fact. */
export const failureStream: StreamDefinition = {
  name: 'FAILURE',
  subjects: ['generation.v1.>', 'request.v1.>'],
  ...kept,
};

/**
 * Ends of responses, for destinations of workspaces. Some have the sealed contents, so they are kept for hours only. A
 * full stream takes no more: the observer then does without.
 */
export const endStream: StreamDefinition = {
  name: 'ENDED',
  subjects: ['ended.v1.>'],
  ageMsMax: 6 * 60 * minuteMs,
  bytesMax: 1_073_741_824,
  duplicateWindowMs: 2 * minuteMs,
};

/**
 * The sealed contents of generations that workspaces store. The observer takes them within a moment: one that is away
 * for longer than a day loses some. A full stream takes no more, and routing counts what it drops.
 */
export const contentStream: StreamDefinition = {
  name: 'CONTENT',
  subjects: ['content.v1.>'],
  ageMsMax: dayMs,
  bytesMax: 536_870_912,
  duplicateWindowMs: 2 * minuteMs,
};

/** Content that guardrails found in requests. */
export const guardrailStream: StreamDefinition = {
  name: 'GUARDRAIL',
  subjects: ['guardrail.v1.>'],
  ...kept,
};

/** Names of keys, workspaces and members. The stream keeps the last fact of each for ever. */
export const nameStream: StreamDefinition = {
  name: 'NAME',
  subjects: ['name.v1.>'],
  ...kept,
  ageMsMax: 0,
  keepsLastOnly: true,
};

/**
 * Notices about what other processes remember. They are kept for as long as a process may be cut off from the broker
 * and then read what it missed; who was away for longer asks for everything anew.
 */
export const noticeStream: StreamDefinition = {
  name: 'NOTICE',
  subjects: [
    'changed.v1.key.*',
    'changed.v1.credential.*',
    'changed.v1.workspace.*',
    'changed.v1.guardrail.*',
    'changed.v1.destination.*',
    'changed.v1.history.*',
    'changed.v1.endpoint.*',
  ],
  ageMsMax: 10 * minuteMs,
  duplicateWindowMs: 2 * minuteMs,
};

/** Every subject that is published on; the last part says whose it is. */
export const subjects = {
  usageRecorded: (accountId: string) => `usage.v1.recorded.${token(accountId)}`,
  usageCorrected: (accountId: string) => `usage.v1.corrected.${token(accountId)}`,
  generationFailed: (accountId: string) => `generation.v1.failed.${token(accountId)}`,
  generationEnded: (accountId: string) => `ended.v1.generation.${token(accountId)}`,
  contentsLogged: (accountId: string) => `content.v1.logged.${token(accountId)}`,
  requestRefused: (accountId: string) => `request.v1.refused.${token(accountId)}`,
  guardrailDetected: (accountId: string) => `guardrail.v1.detected.${token(accountId)}`,
  entityNamed: (kindAndEntity: string) => `name.v1.named.${token(kindAndEntity)}`,
  creditRecorded: (accountId: string) => `credit.v1.recorded.${token(accountId)}`,
  limitsSet: (accountId: string) => `limit.v1.set.${token(accountId)}`,
  memberDeactivated: (accountId: string) => `directory.v1.member.${token(accountId)}`,
  workspaceDeleted: (accountId: string) => `directory.v1.workspace.${token(accountId)}`,
  workspaceMemberRemoved: (accountId: string) => `directory.v1.membership.${token(accountId)}`,
  keyDeleted: (accountId: string) => `directory.v1.key.${token(accountId)}`,
  keyChanged: (keyHash: string) => `changed.v1.key.${token(keyHash)}`,
  credentialsChanged: (accountId: string) => `changed.v1.credential.${token(accountId)}`,
  workspaceChanged: (accountId: string) => `changed.v1.workspace.${token(accountId)}`,
  endpointsChanged: (accountId: string) => `changed.v1.endpoint.${token(accountId)}`,
  guardrailsChanged: (accountId: string) => `changed.v1.guardrail.${token(accountId)}`,
  destinationsChanged: (accountId: string) => `changed.v1.destination.${token(accountId)}`,
  /** An operator has accepted another history of the event store: all that was learned before may be untrue. */
  historyChanged: (history: string) => `changed.v1.history.${token(history)}`,
  spendChanged: (accountId: string) => `changed.v1.spend.${token(accountId)}`,
  limitsChanged: (accountId: string) => `changed.v1.limit.${token(accountId)}`,
} as const;

/** For subscribers: each takes all of its kind. */
export const subjectFilters = {
  usageRecorded: 'usage.v1.recorded.>',
  usageCorrected: 'usage.v1.corrected.>',
  generationFailed: 'generation.v1.failed.>',
  generationEnded: 'ended.v1.generation.>',
  contentsLogged: 'content.v1.logged.>',
  requestRefused: 'request.v1.refused.>',
  guardrailDetected: 'guardrail.v1.detected.>',
  entityNamed: 'name.v1.named.>',
  creditRecorded: 'credit.v1.recorded.>',
  limitsSet: 'limit.v1.set.>',
  memberDeactivated: 'directory.v1.member.>',
  workspaceDeleted: 'directory.v1.workspace.>',
  workspaceMemberRemoved: 'directory.v1.membership.>',
  keyDeleted: 'directory.v1.key.>',
  keyChanged: 'changed.v1.key.*',
  credentialsChanged: 'changed.v1.credential.*',
  workspaceChanged: 'changed.v1.workspace.*',
  endpointsChanged: 'changed.v1.endpoint.*',
  guardrailsChanged: 'changed.v1.guardrail.*',
  destinationsChanged: 'changed.v1.destination.*',
  historyChanged: 'changed.v1.history.*',
  spendChanged: 'changed.v1.spend.*',
  limitsChanged: 'changed.v1.limit.*',
} as const;

/** True when a value can stand as one part of a subject. */
export function isSubjectToken(value: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(value);
}

/** True when a subject falls under a filter: `*` is one part, a last `>` is one or more. */
export function subjectMatches(filter: string, subject: string): boolean {
  const wanted = filter.split('.');
  const given = subject.split('.');
  const openEnd = wanted.at(-1) === '>';
  if (openEnd ? given.length < wanted.length : given.length !== wanted.length) return false;
  const fixed = openEnd ? wanted.slice(0, -1) : wanted;
  return fixed.every((part, index) => part === '*' || part === given[index]);
}

function token(value: string): string {
  ok(isSubjectToken(value), 'an id is one part of a subject: letters, digits, _ and -');
  return value;
}
