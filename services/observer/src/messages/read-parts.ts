import { type BusMessage, usageBundleFactsMax } from '@sluice/bus';
import {
  GenerationEnded,
  type GenerationEnded_GuardrailEvent,
  GenerationFailed,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import {
  bundledCount,
  type BundledFact,
  isInstant,
  isOperatorsOwn,
  readBundled,
} from '@sluice/usage-facts';
import { writePart } from '../domain/part-text.ts';
import type { GuardrailEvent } from '../domain/generation.ts';
import type { FailedTurn, Omitted, Part, Received } from '../domain/part.ts';
import { writeEnvelope } from '../domain/sealed-text.ts';

/** The parts of a message, and the number of those that cannot be read. */
export interface ReadMessage {
  readonly parts: readonly Received[];
  readonly unreadable: number;
  /** Failed generations that were not published, by the message that stands for them. */
  readonly omitted: readonly Omitted[];
}

/** The workspaces whose generations a destination wants. */
export interface Observed {
  /** True if there are none. */
  readonly isEmpty: boolean;
  observes(workspaceId: string): boolean;
}

/** The name of an API key. */
export interface KeyName {
  readonly accountId: string;
  readonly keyHash: string;
  readonly name: string;
  readonly namedAt: string;
}

const unreadable: ReadMessage = { parts: [], unreadable: 1, omitted: [] };
const nothing: ReadMessage = { parts: [], unreadable: 0, omitted: [] };
const turnsMax = 10_000;
const omittedMax = 1_000_000_000n;
const attemptsMax = 100;
const eventsMax = 100;
const endsMax = 50;
const eventCharactersMax = 512;

/**
 * Reads the facts of observed workspaces in a bundle of usage. All usage passes here, so the others are skipped before
 * they are decoded. Attempts that the operator pays for belong to no generation of a customer.
 */
export function readUsage(message: BusMessage, observed: Observed): ReadMessage {
  // The JSON is parsed when `data` is read.
  if (observed.isEmpty) return nothing;
  const { data, subject } = message;
  const facts = isRecord(data) ? data['facts'] : undefined;
  if (!Array.isArray(facts) || bundledCount(facts) > usageBundleFactsMax) return unreadable;
  const isOthers = (fact: unknown) => {
    const workspaceId = isRecord(fact) ? fact['workspaceId'] : undefined;
    return typeof workspaceId === 'string' && !observed.observes(workspaceId);
  };
  const wanted = facts.filter((fact) => !isOthers(fact));
  return joined(readBundled(wanted, subject).map(partOf));
}

function joined(read: readonly ReadMessage[]): ReadMessage {
  return {
    parts: read.flatMap(({ parts }) => parts),
    unreadable: read.reduce((sum, one) => sum + one.unreadable, 0),
    omitted: [],
  };
}

function partOf(read: BundledFact): ReadMessage {
  if ('problem' in read) return unreadable;
  const { fact } = read;
  if (isOperatorsOwn(fact)) return nothing;
  return only(received(fact, fact.usageId, { kind: 'fact', fact }));
}

export function readFailure({ data, subject }: BusMessage): ReadMessage {
  return tryTo(() => {
    const failed = GenerationFailed.fromJSON(data);
    const { omitted } = failed;
    const failure = failureOf(failed);
    const { admittedAt, completedAt } = failure;
    if (!isInstant(admittedAt) || !isInstant(completedAt) || !isOf(failure, subject))
      return unreadable;
    const name = `failure/${String(failure.turn)}`;
    const part = received(failure, name, { kind: 'failure', failure });
    const isCounted = omitted > 0n && omitted < omittedMax;
    return { ...only(part), omitted: isCounted ? [{ part, count: Number(omitted) }] : [] };
  });
}

/** Reads a bundle of ends. Earlier releases sent each end alone. */
export function readEnds({ data, subject }: BusMessage): ReadMessage {
  const ends = isRecord(data) && 'ends' in data ? data['ends'] : [data];
  if (!Array.isArray(ends) || ends.length > endsMax) return unreadable;
  return joined(ends.map((one) => tryTo(() => readEnd(GenerationEnded.fromJSON(one), subject))));
}

function readEnd(ended: GenerationEnded, subject: string): ReadMessage {
  const { turns, endedAt, contents, guardrailEvents, guardrailEventsOmitted } = ended;
  if (!isInstant(endedAt) || !isOf(ended, subject) || turns < 0 || turns > turnsMax)
    return unreadable;
  const events = guardrailEvents.flatMap((one) => eventOf(one) ?? []);
  const end = {
    turns,
    endedAtMs: Date.parse(endedAt),
    guardrailEvents: events.slice(0, eventsMax),
    guardrailEventsOmitted: Number(guardrailEventsOmitted),
  };
  const part = received(ended, 'end', { kind: 'end', end });
  return only({ ...part, contents: contents ? writeEnvelope(contents) : null });
}

function failureOf(failed: GenerationFailed): FailedTurn {
  const { omitted: _, attempts: __, failureId: ___, tried, moderationLatencyMs, ...same } = failed;
  return {
    ...same,
    // Earlier releases knew no turns.
    turn: Math.max(1, failed.turn),
    moderationLatencyMs: numberOf(moderationLatencyMs),
    attempts: tried.slice(0, attemptsMax).map(({ latencyMs, ...attempt }) => ({
      ...attempt,
      latencyMs: Number(latencyMs),
    })),
  };
}

function eventOf({ stage, detection }: GenerationEnded_GuardrailEvent): GuardrailEvent | undefined {
  if (!detection) return undefined;
  const { guardrailId, guardrailScope, filter, label, action, rule, place, count } = detection;
  const texts = { stage, guardrailId, guardrailScope, filter, label, action, rule, place };
  const isLong = Object.values(texts).some((text) => text.length > eventCharactersMax);
  return isLong ? undefined : { ...texts, count: Number(count) };
}

const numberOf = (value: bigint | undefined) => (value === undefined ? undefined : Number(value));

/** Returns undefined for a message that names no key. */
export function readKeyName({ data }: BusMessage): KeyName | undefined {
  try {
    const { kind, accountId, entityId, name, occurredAt } = EntityNamed.fromJSON(data);
    if (kind !== 'key' || !isInstant(occurredAt) || !isToken(accountId) || !isToken(entityId))
      return undefined;
    const clean = name.replaceAll('\0', '').toWellFormed();
    return { accountId, keyHash: entityId, name: clean, namedAt: occurredAt };
  } catch {
    return undefined;
  }
}

interface Named {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly generationId: string;
}

function received(
  { accountId, workspaceId, generationId }: Named,
  name: string,
  part: Part,
): Received {
  const body = writePart(part);
  return { accountId, workspaceId, generationId, name, part, body, contents: null };
}

const only = (part: Received): ReadMessage => ({ parts: [part], unreadable: 0, omitted: [] });

export const isToken = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text);

/** Returns true for ids that are well formed, in a message of the account's subject. */
export function isOf({ accountId, workspaceId, generationId }: Named, subject: string): boolean {
  return (
    isToken(accountId) &&
    isToken(workspaceId) &&
    /^[\x21-\x7e]{1,256}$/.test(generationId) &&
    subject.endsWith(`.${accountId}`)
  );
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
