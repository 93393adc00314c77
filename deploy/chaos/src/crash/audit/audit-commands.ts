import type { RecordedEvent } from '@sluice/es';
import type { ChangeKey, DeleteKey, GrantCredits, IssueKey, Sent } from '../command.ts';

/**
 * Compares each command with the log. An acknowledged command is there once, a refused one never, and one with an
 * unknown result at most once. Returns the violations, in sentences.
 */
export function auditCommands(
  sent: readonly Sent[],
  log: readonly RecordedEvent[],
): readonly string[] {
  const index = indexOf(log);
  return sent.flatMap((one) => {
    const said = `${one.command.type} (${one.outcome} ${one.status}, ${one.attempts} attempts)`;
    return [...refusal(one), ...effect(one, index)].map((finding) => `${said}: ${finding}`);
  });
}

/** Only a change of a shared key may be refused because of a concurrent change. */
function refusal({ command, outcome, status, attempts }: Sent): readonly string[] {
  if (outcome !== 'refused') return [];
  const conflict = command.type === 'ChangeKey' && status === '409' && attempts === 1;
  return conflict ? [] : ['nothing was wrong with it'];
}

function effect(sent: Sent, index: LogIndex): readonly string[] {
  const { command } = sent;
  switch (command.type) {
    case 'IssueKey':
      return auditIssue(command, sent, index);
    case 'ChangeKey':
      return auditChange(command, sent, index);
    case 'DeleteKey':
      return auditDelete(command, sent, index);
    case 'GrantCredits':
      return auditGrant(command, sent, index);
  }
}

function auditIssue({ name }: IssueKey, sent: Sent, index: LogIndex): readonly string[] {
  const found = index.named('ApiKeyIssued', name);
  const elsewhere = found.filter(({ stream }) => stream !== `apiKey-${sent.hash}`);
  const strays = sent.outcome === 'acknowledged' ? elsewhere : [];
  return [
    ...times(sent, found, `issued "${name}"`),
    ...strays.map(({ stream }) => `"${name}" was issued as ${stream}, answered ${sent.hash}`),
  ];
}

function auditChange(command: ChangeKey, sent: Sent, index: LogIndex): readonly string[] {
  const { hash, name, limitNanoUsd } = command;
  const renamed = index.named('ApiKeyRenamed', name);
  const findings = [...times(sent, renamed, `renamed to "${name}"`)];
  for (const event of renamed) {
    if (event.stream !== `apiKey-${hash}`) findings.push(`"${name}" is in ${event.stream}`);
    const limits = index
      .ofCommand(event)
      .filter(({ type }) => type === 'ApiKeyLimitChanged')
      .map(({ data }) => (data as { readonly limitNanoUsd: unknown }).limitNanoUsd);
    const wanted = limitNanoUsd === undefined ? [] : [String(limitNanoUsd)];
    if (String(limits) !== String(wanted))
      findings.push(`"${name}" came with the limits [${String(limits)}], not [${String(wanted)}]`);
  }
  return findings;
}

function auditDelete({ hash }: DeleteKey, sent: Sent, index: LogIndex): readonly string[] {
  const stream = index.ofStream(`apiKey-${hash}`);
  const deleted = stream.filter(({ type }) => type === 'ApiKeyDeleted');
  const after = deleted.length > 0 && stream.at(-1)?.type !== 'ApiKeyDeleted';
  return [
    ...times(sent, deleted, `deleted ${hash}`),
    ...(after ? [`${hash} was changed after it was deleted`] : []),
  ];
}

function auditGrant(command: GrantCredits, sent: Sent, index: LogIndex): readonly string[] {
  const { grantId, amountNanoUsd } = command;
  const found = index.granted(grantId);
  const wrong = found.filter(
    ({ data }) =>
      (data as { readonly amountNanoUsd: unknown }).amountNanoUsd !== String(amountNanoUsd),
  );
  return [
    ...times(sent, found, `granted ${grantId}`),
    ...wrong.map(({ id }) => `event ${id} grants another amount than ${amountNanoUsd}`),
  ];
}

function times(
  { outcome, attempts, requestId }: Sent,
  found: readonly RecordedEvent[],
  what: string,
): readonly string[] {
  const count = found.length;
  switch (outcome) {
    case 'acknowledged': {
      const [event] = found;
      if (!event || count !== 1) return [`${what} ${count} times`];
      const by = (event.metadata as { readonly requestId: unknown }).requestId;
      return attempts > 1 || by === requestId ? [] : [`${what} by another request, ${String(by)}`];
    }
    case 'refused':
      return count === 0 ? [] : [`${what} all the same`];
    case 'unknown':
      return count <= 1 ? [] : [`${what} ${count} times`];
  }
}

interface LogIndex {
  named(type: 'ApiKeyIssued' | 'ApiKeyRenamed', name: string): readonly RecordedEvent[];
  granted(grantId: string): readonly RecordedEvent[];
  ofStream(stream: string): readonly RecordedEvent[];
  /** All events of the command that made this one. */
  ofCommand(event: RecordedEvent): readonly RecordedEvent[];
}

function indexOf(log: readonly RecordedEvent[]): LogIndex {
  const by = (keyOf: (event: RecordedEvent) => string) => {
    const groups = Map.groupBy(log, keyOf);
    return (key: string) => groups.get(key) ?? [];
  };
  const named = by(({ type, data }) => `${type} ${(data as { readonly name?: string }).name}`);
  const granted = by(({ data }) => (data as { readonly grantId?: string }).grantId ?? '');
  const ofStream = by(({ stream }) => stream);
  const commandOf = ({ metadata }: RecordedEvent) =>
    (metadata as { readonly commandId: string }).commandId;
  const ofCommand = by(commandOf);
  return {
    named: (type, name) => named(`${type} ${name}`),
    granted,
    ofStream,
    ofCommand: (event) => ofCommand(commandOf(event)),
  };
}
