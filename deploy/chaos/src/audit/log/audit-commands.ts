import type { Command, Sent } from '../../load/commands/command.ts';
import type { LogEvent } from './read-log.ts';

/** A violation. A lost command was acknowledged and is not in the log. */
export interface CommandFinding {
  readonly kind: 'lost' | 'twice' | 'wrong';
  readonly sentence: string;
}

/**
 * Compares each command with the log. An acknowledged command is there once, a refused one never, and one with an
 * unknown result at most once.
 */
export function auditCommands(
  sent: readonly Sent[],
  log: readonly LogEvent[],
): readonly CommandFinding[] {
  const index = indexOf(log);
  return sent.flatMap((one) => {
    const { command, outcome, status, attempts } = one;
    const said = `${command.type} (${outcome} ${status}, ${attempts} attempts)`;
    const { what, found, wrong } = effectOf(one, index);
    return [
      ...refusal(one),
      ...times(one, found, what),
      ...wrong.map((sentence) => ({ kind: 'wrong' as const, sentence })),
    ].map(({ kind, sentence }) => ({ kind, sentence: `${said}: ${sentence}` }));
  });
}

/** Only a change of a shared key may be refused because of a concurrent change. */
function refusal({ command, outcome, status, attempts }: Sent): readonly CommandFinding[] {
  if (outcome !== 'refused') return [];
  const conflict = command.type === 'ChangeKey' && status === '409' && attempts === 1;
  return conflict ? [] : [{ kind: 'wrong', sentence: 'nothing was wrong with it' }];
}

/** The events of a command, and sentences about those that say something else than the command. */
interface Effect {
  readonly what: string;
  readonly found: readonly LogEvent[];
  readonly wrong: readonly string[];
}

function effectOf({ command, outcome, hash }: Sent, index: LogIndex): Effect {
  switch (command.type) {
    case 'IssueKey': {
      const { name } = command;
      const found = index.named(`ApiKeyIssued ${name}`);
      const strays = found.filter(({ stream }) => stream !== `apiKey-${hash}`);
      const wrong = outcome === 'acknowledged' ? strays : [];
      return {
        what: `issued "${name}"`,
        found,
        wrong: wrong.map(({ stream }) => `"${name}" was issued as ${stream}, answered ${hash}`),
      };
    }
    case 'ChangeKey':
      return changeOf(command, index);
    case 'DeleteKey': {
      const stream = index.ofStream(`apiKey-${command.hash}`);
      const found = stream.filter(({ type }) => type === 'ApiKeyDeleted');
      const isLast = found.length === 0 || stream.at(-1)?.type === 'ApiKeyDeleted';
      const wrong = isLast ? [] : [`${command.hash} was changed after it was deleted`];
      return { what: `deleted ${command.hash}`, found, wrong };
    }
    case 'GrantCredits': {
      const { grantId, amountNanoUsd } = command;
      const found = index.granted(grantId);
      const others = found.filter(({ data }) => data['amountNanoUsd'] !== String(amountNanoUsd));
      return {
        what: `granted ${grantId}`,
        found,
        wrong: others.map(({ id }) => `event ${id} grants another amount than ${amountNanoUsd}`),
      };
    }
  }
}

function changeOf(
  { hash, name, limitNanoUsd }: Extract<Command, { type: 'ChangeKey' }>,
  index: LogIndex,
): Effect {
  const found = index.named(`ApiKeyRenamed ${name}`);
  const wanted = limitNanoUsd === undefined ? '' : String(limitNanoUsd);
  const wrong = found.flatMap((event) => {
    const changes = index.ofCommand(event.metadata.commandId);
    const limited = changes.filter(({ type }) => type === 'ApiKeyLimitChanged');
    const limits = String(limited.map(({ data }) => data['limitNanoUsd']));
    return [
      ...(event.stream === `apiKey-${hash}` ? [] : [`"${name}" is in ${event.stream}`]),
      ...(limits === wanted ? [] : [`"${name}" came with the limits [${limits}], not [${wanted}]`]),
    ];
  });
  return { what: `renamed to "${name}"`, found, wrong };
}

function times(
  { outcome, attempts, requestId }: Sent,
  found: readonly LogEvent[],
  what: string,
): readonly CommandFinding[] {
  const count = found.length;
  const sentence = `${what} ${count} times`;
  if (count > 1 && outcome !== 'refused') return [{ kind: 'twice', sentence }];
  if (count === 0 && outcome === 'acknowledged') return [{ kind: 'lost', sentence }];
  if (count > 0 && outcome === 'refused')
    return [{ kind: 'wrong', sentence: `${what} all the same` }];
  const by = found[0]?.metadata.requestId;
  if (outcome !== 'acknowledged' || attempts > 1 || by === requestId) return [];
  return [{ kind: 'wrong', sentence: `${what} by another request, ${String(by)}` }];
}

interface LogIndex {
  /** Returns the events of a type and a name. */
  named(typeAndName: string): readonly LogEvent[];
  granted(grantId: string): readonly LogEvent[];
  ofStream(stream: string): readonly LogEvent[];
  ofCommand(commandId: string): readonly LogEvent[];
}

function indexOf(log: readonly LogEvent[]): LogIndex {
  const by = (keyOf: (event: LogEvent) => string) => {
    const groups = Map.groupBy(log, keyOf);
    return (key: string) => groups.get(key) ?? [];
  };
  return {
    named: by(({ type, data }) => `${type} ${String(data['name'])}`),
    granted: by(({ data }) => String(data['grantId'])),
    ofStream: by(({ stream }) => stream),
    ofCommand: by(({ metadata }) => metadata.commandId),
  };
}
