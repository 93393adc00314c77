import { type BusMessage, usageBundleFactsMax } from '@sluice/bus';
import { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import {
  bundleReader,
  factProblem,
  isInstant,
  type ReadBundle,
  readCorrection,
} from '@sluice/usage-facts';
import { rowOfDetection, rowOfFailure, rowOfRefusal } from './rows-of-events.ts';
import { rowOfCorrection, rowOfFact, rowOfRepeat } from '../domain/count-fact.ts';
import type { UsageRow } from '../domain/usage-row.ts';
import type { EntityName } from '../store/analytics-store.ts';

/** The rows of a message, and the number of its facts that cannot be counted. */
export interface ReadMessage {
  readonly rows: readonly UsageRow[];
  readonly unreadable: number;
}

const unreadable: ReadMessage = { rows: [], unreadable: 1 };
const rowsOf = (row: UsageRow | undefined): ReadMessage => ({
  rows: row ? [row] : [],
  unreadable: 0,
});

/** Reads a message of usage as this service alone does. */
export const readUsageBundle: ReadBundle = bundleReader(usageBundleFactsMax);

/** Reads a bundle of usage that is counted now. The ledger counts the same facts, by the same rules. */
export function readUsage(
  message: BusMessage,
  countedAtMs: number,
  readBundle: ReadBundle = readUsageBundle,
): ReadMessage {
  const bundle = readBundle(message);
  if ('problem' in bundle) return unreadable;
  const rows: UsageRow[] = [];
  let count = 0;
  let first: { readonly index: number; readonly row: UsageRow } | undefined;
  for (const { index, ...read } of bundle.facts) {
    if ('problem' in read) count += 1;
    else if (first?.index === index) rows.push(rowOfRepeat(first.row, read.fact));
    else {
      const row = rowOfFact(read.fact, countedAtMs);
      first = row && { index, row };
      if (row) rows.push(row);
    }
  }
  return { rows, unreadable: count };
}

/** Reads a correction. It says itself when the ledger made it. */
export function readCorrected({ data, subject }: BusMessage): ReadMessage {
  return tryTo(() => {
    if (!isRecord(data)) return unreadable;
    const correction = readCorrection(data);
    const problem = factProblem({}, correction.fact, subject);
    return problem === undefined ? rowsOf(rowOfCorrection(correction)) : unreadable;
  });
}

export function readFailure({ data }: BusMessage, countedAtMs: number): ReadMessage {
  return tryTo(() => {
    const failure = GenerationFailed.fromJSON(data);
    return isInstant(failure.admittedAt) && isAccount(failure)
      ? rowsOf(rowOfFailure(failure, countedAtMs))
      : unreadable;
  });
}

export function readRefusal({ data }: BusMessage, countedAtMs: number): ReadMessage {
  return tryTo(() => {
    const refusal = RequestRefused.fromJSON(data);
    return isInstant(refusal.lastAt) && isAccount(refusal)
      ? rowsOf(rowOfRefusal(refusal, countedAtMs))
      : unreadable;
  });
}

export function readDetection({ data }: BusMessage, countedAtMs: number): ReadMessage {
  return tryTo(() => {
    const detection = GuardrailDetected.fromJSON(data);
    return isInstant(detection.detectedAt) && isAccount(detection)
      ? rowsOf(rowOfDetection(detection, countedAtMs))
      : unreadable;
  });
}

/** Returns undefined for a message that names nothing. */
export function readName({ data }: BusMessage): EntityName | undefined {
  try {
    const named = EntityNamed.fromJSON(data);
    if (!isInstant(named.occurredAt) || !isAccount(named) || named.entityId === '')
      return undefined;
    const { accountId, kind, entityId } = named;
    const isMember = kind === 'member';
    return {
      accountId,
      kind,
      entityId: clean(entityId),
      name: clean(named.name),
      email: isMember ? clean(named.email) : '',
      namedAt: named.occurredAt,
    };
  } catch {
    return undefined;
  }
}

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();

function isAccount({ accountId }: { readonly accountId: string }): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(accountId);
}

function tryTo(read: () => ReadMessage): ReadMessage {
  try {
    return read();
  } catch {
    return unreadable;
  }
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
