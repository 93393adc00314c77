import type { RecordedEvent } from '@sluice/es';
import type { Sent } from '../crash/command.ts';

export interface Tally {
  /** Acknowledged commands that are missing in the log. */
  readonly lost: readonly string[];
  /** Commands that are in the log more than once. */
  readonly twice: readonly string[];
}

/** Compares the commands with the log: an acknowledged one must be there once, any other at most once. */
export function tally(sent: readonly Sent[], log: readonly RecordedEvent[]): Tally {
  const counts = new Map<string, number>();
  for (const event of log) {
    const effect = effectOf(event);
    if (effect !== undefined) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  }
  const lost: string[] = [];
  const twice: string[] = [];
  const named = new Map<string, boolean>();
  for (const one of sent) {
    const effect = wantedEffect(one);
    if (effect === undefined) continue;
    named.set(effect, (named.get(effect) ?? false) || one.outcome === 'acknowledged');
  }
  for (const [effect, isAcknowledged] of named) {
    const count = counts.get(effect) ?? 0;
    if (isAcknowledged && count === 0) lost.push(effect);
    if (count > 1) twice.push(effect);
  }
  return { lost, twice };
}

function wantedEffect({ command }: Sent): string | undefined {
  switch (command.type) {
    case 'IssueKey':
      return `issued ${command.name}`;
    case 'ChangeKey':
      return `renamed ${command.name}`;
    case 'DeleteKey':
      return `deleted ${command.hash}`;
    case 'GrantCredits':
      return undefined;
  }
}

function effectOf({ type, data, stream }: RecordedEvent): string | undefined {
  const { name } = data as { readonly name?: unknown };
  if (type === 'ApiKeyIssued') return `issued ${String(name)}`;
  if (type === 'ApiKeyRenamed') return `renamed ${String(name)}`;
  if (type === 'ApiKeyDeleted') return `deleted ${stream.slice(stream.indexOf('-') + 1)}`;
  return undefined;
}
