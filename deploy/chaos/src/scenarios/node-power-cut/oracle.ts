import { randomUUID } from 'node:crypto';
import type { AppendResult, EventToAppend, Position, RecordedEvent } from '@sluice/es';
import { comparePositions } from '@sluice/es';
import type { Random } from '@sluice/testing/random';

/** An append that was asked for, and the answer when there was one. */
export interface Append {
  readonly stream: string;
  readonly events: readonly EventToAppend[];
  /** The furthest position that was acknowledged before this one was asked for. */
  readonly behind: Position | undefined;
  acknowledged: AppendResult | undefined;
}

/** Records the requested and the acknowledged appends. It lives outside the disk that is cut. */
export interface Oracle {
  readonly appends: readonly Append[];
  asked(stream: string, events: readonly EventToAppend[]): Append;
  acknowledged(append: Append, result: AppendResult): void;
}

export function oracle(): Oracle {
  const appends: Append[] = [];
  let furthest: Position | undefined;
  return {
    appends,
    asked(stream, events) {
      const append = { stream, events, behind: furthest, acknowledged: undefined };
      appends.push(append);
      return append;
    },
    acknowledged(append, result) {
      append.acknowledged = result;
      if (!furthest || comparePositions(furthest, result.position) < 0) furthest = result.position;
    },
  };
}

export interface Verdict {
  readonly lost: number;
  /** Number of unacknowledged appends that survived. This is allowed if they are whole. */
  readonly keptUnacknowledged: number;
  /** The violations, in sentences. */
  readonly findings: readonly string[];
}

/**
 * Compares the log with the oracle. Every acknowledged append must be in its place with its content.
 * Every other append must be there whole or not at all. The log must hold no event that was not requested.
 */
export function verdict(appends: readonly Append[], log: readonly RecordedEvent[]): Verdict {
  const found = new Map(log.map((event) => [event.id, event]));
  const asked = new Set(appends.flatMap(({ events }) => events.map(({ id }) => id)));
  const findings = log
    .filter(({ id }) => !asked.has(id))
    .map(({ stream, revision }) => `${stream}@${revision} was never asked for`);
  let lost = 0;
  let keptUnacknowledged = 0;
  for (const append of appends) {
    const there = append.events.flatMap(({ id }) => found.get(id) ?? []);
    if (there.length === append.events.length) {
      findings.push(...wrongPlace(append, there), ...wrongContent(append, there));
      if (!append.acknowledged) keptUnacknowledged++;
    } else if (append.acknowledged) {
      lost++;
      findings.push(`${nameOf(append)} was acknowledged and has lost events`);
    } else if (there.length > 0) findings.push(`${nameOf(append)} is there in part`);
  }
  return { lost, keptUnacknowledged, findings };
}

function wrongPlace(append: Append, there: readonly RecordedEvent[]): readonly string[] {
  const { acknowledged, behind, stream } = append;
  const [first, last] = [there[0], there.at(-1)];
  if (!first || !last) return [];
  const problems: string[] = [];
  const isInPlace = (event: RecordedEvent, index: number) =>
    event.stream === stream && event.revision === first.revision + BigInt(index);
  if (!there.every(isInPlace)) problems.push('is not in one piece');
  if (behind && comparePositions(first.position, behind) <= 0)
    problems.push('lies before what was acknowledged earlier');
  const isAnswered =
    acknowledged?.revision === last.revision &&
    comparePositions(acknowledged.position, last.position) === 0;
  if (acknowledged && !isAnswered) problems.push('lies elsewhere than was answered');
  return problems.map((problem) => `${nameOf(append)} ${problem}`);
}

function wrongContent(append: Append, there: readonly RecordedEvent[]): readonly string[] {
  const differs = append.events.some((event, index) => {
    const stored = there[index];
    return (
      stored?.type !== event.type ||
      JSON.stringify(stored.data) !== JSON.stringify(event.data) ||
      JSON.stringify(stored.metadata) !== JSON.stringify(event.metadata)
    );
  });
  return differs ? [`${nameOf(append)} has another content`] : [];
}

function nameOf({ stream, events }: Append): string {
  return `append ${events[0]?.id} to ${stream}`;
}

const textBytes = 1024 * 1024;
const eventsMax = 4;

/** Makes events with random content. Their texts are slices of one text, to save memory. */
export function eventMaker(random: Random) {
  const text = Array.from({ length: textBytes / 8 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return (textLengthMax: number): readonly EventToAppend[] => {
    const commandId = randomUUID();
    return Array.from({ length: random.between(1, eventsMax) }, (_, index) => {
      // Short ones are the rule, as they are in life.
      const length = Math.ceil(textLengthMax * random.next() ** 3);
      const start = random.below(text.length - length);
      return {
        id: randomUUID(),
        type: 'DiskWritten',
        data: { index, text: text.slice(start, start + length) },
        metadata: {
          schemaVersion: 1,
          occurredAt: '2026-01-02T03:04:05.678Z',
          commandId,
          actor: { type: 'system', id: 'power-cut' },
          requestId: 'req-power-cut',
          $correlationId: 'req-power-cut',
          $causationId: commandId,
        },
      };
    });
  };
}
