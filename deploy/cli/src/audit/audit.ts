import type { EventStore } from '@sluice/es';
import { readLog } from '@sluice/read-model';
import { installationStream } from '@sluice/read-model';
import { clean, type Output } from '../output.ts';
import { services } from '../projections/known.ts';
import { type Change, changesOf } from './changes.ts';
import type { AuditCommand } from './command.ts';
import { type AuditEntry, entryOf, type Refusal, refusedCategory } from './entry.ts';

const silenceMsMax = 10_000;

export interface AuditSurroundings {
  readonly eventStore: Pick<EventStore, 'read' | 'subscribe'>;
  readonly output: Output;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
}

/** Shows the newest entries that are wanted, oldest first. Returns the exit code. */
export async function audit(
  command: AuditCommand,
  { eventStore, output, signal }: AuditSurroundings,
): Promise<number> {
  const entries = await newestEntries(command, { eventStore, output, signal });
  const changesByEntry = await changesOfAll(entries, eventStore, output);
  for (const entry of entries) {
    const changes = changesByEntry.get(entry) ?? [];
    if (command.json) output.line(JSON.stringify({ ...entry, changes }));
    else for (const line of linesOf(entry, changes)) output.line(line);
  }
  if (!command.json) output.line(`${entries.length === 0 ? 'No' : entries.length} entries.`);
  return 0;
}

/** Reads each stream once, however many of its entries are shown. A refusal changed nothing. */
async function changesOfAll(
  entries: readonly AuditEntry[],
  eventStore: Pick<EventStore, 'read'>,
  output: Output,
): Promise<ReadonlyMap<AuditEntry, readonly Change[]>> {
  const accepted = entries.filter(({ outcome }) => outcome === 'accepted');
  const byStream = Map.groupBy(accepted, ({ stream }) => stream);
  const changesByEntry = new Map<AuditEntry, readonly Change[]>();
  let read = 0;
  for (const [stream, ofStream] of byStream) {
    const revisions = new Set(ofStream.map(({ revision }) => BigInt(revision)));
    const changes = await changesOf(eventStore, stream, revisions);
    for (const entry of ofStream)
      changesByEntry.set(entry, changes.get(BigInt(entry.revision)) ?? []);
    output.progress(`${++read} of ${byStream.size} streams read`);
  }
  return changesByEntry;
}

/**
 * Reads the log once, from its start to where it ends now, and keeps no more than is asked for. Throws
 * event_store_unavailable when the store says nothing for too long: what was read until then is not the audit.
 */
async function newestEntries(
  command: AuditCommand,
  { eventStore, output, signal }: AuditSurroundings,
): Promise<readonly AuditEntry[]> {
  const kept: AuditEntry[] = [];
  const streamPrefixes = [...prefixes()];
  /** Only the first event of a stream has to say whose it is. */
  const ofAccount = new Set<string>();
  let read = 0;
  const log = { eventStore, streamPrefixes, after: undefined, silenceMsMax, signal };
  for await (const batch of readLog(log)) {
    for (const message of batch) {
      if (message.kind !== 'event') continue;
      read += 1;
      const entry = entryOf(message.event);
      if (entry && entry.accountId === command.accountId) ofAccount.add(entry.stream);
      const isOfAccount = command.accountId === undefined || ofAccount.has(entry?.stream ?? '');
      if (!entry || !isOfAccount || !isWanted(entry, command)) continue;
      kept.push(entry);
      if (kept.length > command.limit) kept.shift();
    }
    output.progress(`${read} events read`);
  }
  return kept;
}

/** The streams of everything that commands are given to. */
function prefixes(): ReadonlySet<string> {
  const streams = services.flatMap(({ projections }) =>
    projections.flatMap(({ streamPrefixes }) => streamPrefixes),
  );
  return new Set([...streams, `${refusedCategory}-`, installationStream]);
}

/** All that is given must fit; whose it is says the stream. */
export function isWanted(entry: AuditEntry, command: AuditCommand): boolean {
  const { since, until, actor = '', action = '', resource = '' } = command;
  const occurredAtMs = Date.parse(entry.occurredAt);
  return (
    (since === undefined || occurredAtMs >= since.getTime()) &&
    (until === undefined || occurredAtMs < until.getTime()) &&
    entry.actor.id.startsWith(actor) &&
    entry.action.startsWith(action) &&
    [entry.resource.id, entry.part?.id].some((id) => id?.startsWith(resource))
  );
}

const idShownMax = 24;

function* linesOf(entry: AuditEntry, changes: readonly Change[]): Iterable<string> {
  const { occurredAt, actor, action, resource, part, outcome, request } = entry;
  const what =
    part === null ? short(resource.id) : `${short(resource.id)} ${part.field} ${short(part.id)}`;
  const who = `${actor.type} ${short(actor.id)}`;
  const from = request.ip === null ? '' : ` from ${clean(request.ip)}`;
  yield `${occurredAt}  ${outcome}  ${action}  ${what}  by ${who}${from}  (${clean(request.id)})`;
  if (entry.refusal) yield refusalLine(entry.refusal);
  for (const { field, before, after } of changes)
    yield `  ${field}: ${before === undefined ? '' : `${shownValue(before)} → `}${shownValue(after)}`;
}

function refusalLine({ status, reason, leftOut }: Refusal): string {
  const others = leftOut === 0 ? '' : `; ${leftOut} refusals before it were not kept`;
  return `  ${status} ${clean(reason)}${others}`;
}

const shownValue = (value: unknown) => clean(JSON.stringify(value) ?? '-');

function short(id: string): string {
  return clean(id.length > idShownMax ? `${id.slice(0, idShownMax)}…` : id);
}
