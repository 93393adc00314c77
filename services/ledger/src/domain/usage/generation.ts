import { parseUsageId, type UsageAttempt, type UsageFact } from '@sluice/usage-facts';

/** The counts and amounts that a generation sums over its turns and tool calls. */
const sums = [
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'inputMedia',
  'inputAudio',
  'outputMedia',
  'imageOutputTokens',
  'costNanoUsd',
  'feeNanoUsd',
] as const;

type Sums = Readonly<Record<(typeof sums)[number], bigint>>;

/** Amounts that only some facts have. */
type Discount = 'dataDiscountNanoUsd' | 'cacheDiscountNanoUsd';

/** The part of a counted fact, or of a report of a failure, that a generation needs to know. */
export type GenerationPart = Sums &
  Pick<
    UsageFact,
    | 'model'
    | 'provider'
    | 'upstreamId'
    | 'serviceTier'
    | 'admittedAt'
    | 'completedAt'
    | 'latencyMs'
    | 'finishReason'
    | 'estimated'
    | 'isByok'
    | 'outcome'
    | 'guardrailInvoked'
    | 'attempts'
    | Discount
  >;

/** A fact with its usage id, which says what turn or what call of a tool it is of. */
export interface Counted<Part> {
  readonly usageId: string;
  readonly part: Part;
  /** Empty or absent: a model was called. */
  readonly toolType?: string;
  /** The counts that the price of a tool depends on, among others. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** The report of a turn without output. */
export interface Failed<Part> {
  readonly turn: number;
  readonly part: Part;
}

/** An attempt of a generation. The id and the tier of the provider are those of an attempt that gave output. */
export interface GenerationAttempt extends UsageAttempt {
  readonly turn: number;
  readonly upstreamId: string;
  readonly serviceTier: string;
}

/** A turn with the sums of its facts. */
type GenerationTurn = Pick<
  GenerationPart,
  | 'model'
  | 'provider'
  | 'outcome'
  | 'finishReason'
  | 'admittedAt'
  | 'completedAt'
  | 'inputTokens'
  | 'outputTokens'
  | 'costNanoUsd'
  | 'feeNanoUsd'
  | 'isByok'
> & { readonly turn: number; readonly latencyMs: bigint | undefined };

type GenerationToolCall = Pick<
  GenerationPart,
  'outcome' | 'admittedAt' | 'completedAt' | 'costNanoUsd' | 'isByok'
> & {
  readonly number: number;
  readonly toolType: string;
  readonly engine: string;
  readonly latencyMs: bigint | undefined;
  readonly counts: Readonly<Record<string, bigint>>;
};

type Generation<Part> = Omit<Part, 'attempts' | Discount> & {
  readonly [Name in Discount]: bigint | undefined;
} & {
  readonly attempts: readonly GenerationAttempt[];
  readonly turns: readonly GenerationTurn[];
  readonly toolCalls: readonly GenerationToolCall[];
  /** The part of the cost that provider credentials of the account paid. */
  readonly byokNanoUsd: bigint;
};

/** Facts of one turn, oldest first. At least one. */
interface Turn<Part> {
  readonly number: number;
  readonly admittedAt: string;
  /** The facts that count for the turn. */
  readonly parts: readonly [Part, ...Part[]];
}

/** The fact of a call of a tool. */
type ToolFact<Part> = Counted<Part> & { readonly number: number };

/** A model call, or a call of a tool, that the tool of that number made. */
interface InnerFact<Part> {
  readonly number: number;
  readonly part: Part;
}

const unserved: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/**
 * Folds facts, oldest first, by turn, and then the turns of a response to one generation. The first turn says when it
 * was admitted and when output began, and the last one how it ended. The sums are of all turns, of all tool calls, and
 * of what the tools asked models for. A response that only went on with workers has no turn: the calls of its tools say
 * how it ended. Returns undefined if no turn and no such call is known.
 */
export function generationOf<Part extends GenerationPart>(
  counted: readonly Counted<Part>[],
  failed: readonly Failed<Part>[] = [],
): Generation<Part> | undefined {
  const { turns, tools, inner } = sorted(counted, failed);
  const told = turns.length > 0 || inner.length === 0 ? turns : tools.map(asTurn);
  const [first] = told;
  const last = told.at(-1)?.parts.at(-1);
  if (!first || !last) return undefined;
  const ofTurns = turns.flatMap((turn) => turn.parts);
  const parts = [...ofTurns, ...[...tools, ...inner].map(({ part }) => part)];
  return {
    ...last,
    ...sumsOf(parts),
    byokNanoUsd: sumOf(
      parts.filter(({ isByok }) => isByok),
      'costNanoUsd',
    ),
    dataDiscountNanoUsd: discountOf(parts, 'dataDiscountNanoUsd'),
    cacheDiscountNanoUsd: discountOf(parts, 'cacheDiscountNanoUsd'),
    admittedAt: first.admittedAt,
    latencyMs: first.parts[0].latencyMs,
    estimated: ofTurns.some(({ estimated }) => estimated),
    guardrailInvoked: parts.some(({ guardrailInvoked }) => guardrailInvoked),
    attempts: turns.flatMap(attemptsOf),
    turns: turns.map(turnSums),
    toolCalls: tools.map((tool) => toolCallOf(tool, inner)),
  };
}

function asTurn<Part extends GenerationPart>({ number, part }: ToolFact<Part>): Turn<Part> {
  return { number, admittedAt: part.admittedAt, parts: [part] };
}

/** Returns the turns in their order, the tool calls, and what these made. */
function sorted<Part extends GenerationPart>(
  counted: readonly Counted<Part>[],
  failed: readonly Failed<Part>[],
): {
  readonly turns: readonly Turn<Part>[];
  readonly tools: readonly ToolFact<Part>[];
  readonly inner: readonly InnerFact<Part>[];
} {
  const facts = new Map<number, [Part, ...Part[]]>();
  const tools: ToolFact<Part>[] = [];
  const inner: InnerFact<Part>[] = [];
  for (const fact of counted) {
    const step = parseUsageId(fact.usageId);
    const { part } = fact;
    if (step.kind === 'tool') tools.push({ ...fact, number: step.number });
    else if (step.kind === 'inner') inner.push({ number: step.number, part });
    else {
      const known = facts.get(step.turn);
      if (known) known.push(part);
      else facts.set(step.turn, [part]);
    }
  }
  const reports = new Map(failed.map(({ turn, part }) => [turn, part]));
  const numbers = [...new Set([...facts.keys(), ...reports.keys()])].toSorted((a, b) => a - b);
  return {
    tools: tools.toSorted((a, b) => a.number - b.number),
    inner,
    turns: numbers.flatMap((number) => turnOf(number, facts.get(number), reports.get(number))),
  };
}

/**
 * An attempt that failed before another one served does not count. The report of a turn without output says more than
 * the facts of its attempts.
 */
function turnOf<Part extends GenerationPart>(
  number: number,
  facts: readonly [Part, ...Part[]] | undefined,
  report: Part | undefined,
): readonly Turn<Part>[] {
  const counted = facts && countedOf(facts);
  const isServed = counted !== undefined && !unserved.has(counted.at(-1)?.outcome ?? '');
  if (report && !isServed) return [{ number, admittedAt: report.admittedAt, parts: [report] }];
  return counted ? [{ number, admittedAt: facts[0].admittedAt, parts: counted }] : [];
}

function countedOf<Part extends GenerationPart>(
  facts: readonly [Part, ...Part[]],
): readonly [Part, ...Part[]] {
  const [first, ...others] = facts.filter(({ outcome }) => outcome !== 'failed');
  return first ? [first, ...others] : [facts.at(-1) ?? facts[0]];
}

function attemptsOf<Part extends GenerationPart>({
  number: turn,
  parts,
}: Turn<Part>): readonly GenerationAttempt[] {
  const { attempts, upstreamId, serviceTier } = parts.at(-1) ?? parts[0];
  return attempts.map((attempt) => {
    const isServed = attempt.errorCode === '';
    return {
      ...attempt,
      turn,
      upstreamId: isServed ? upstreamId : '',
      serviceTier: isServed ? serviceTier : '',
    };
  });
}

function turnSums<Part extends GenerationPart>({
  number: turn,
  admittedAt,
  parts,
}: Turn<Part>): GenerationTurn {
  const [first] = parts;
  const { model, provider, outcome, finishReason, completedAt, isByok } = parts.at(-1) ?? first;
  return {
    turn,
    model,
    provider,
    outcome,
    finishReason,
    admittedAt,
    completedAt,
    latencyMs: first.latencyMs,
    inputTokens: sumOf(parts, 'inputTokens'),
    outputTokens: sumOf(parts, 'outputTokens'),
    costNanoUsd: sumOf(parts, 'costNanoUsd'),
    feeNanoUsd: sumOf(parts, 'feeNanoUsd'),
    isByok,
  };
}

const toolCounts = ['searches', 'searchResults', 'fetches', 'seconds'] as const;

/** The cost of a call includes what credits paid for the models that it asked. */
function toolCallOf<Part extends GenerationPart>(
  { number, toolType = '', counts = {}, part }: ToolFact<Part>,
  inner: readonly InnerFact<Part>[],
): GenerationToolCall {
  const { outcome, admittedAt, completedAt, latencyMs, isByok } = part;
  const costNanoUsd = inner
    .filter((one) => one.number === number)
    .reduce(
      (sum, one) => sum + (one.part.isByok ? one.part.feeNanoUsd : one.part.costNanoUsd),
      part.costNanoUsd,
    );
  const known = toolCounts.flatMap((name) => {
    const count = counts[name];
    return count === undefined ? [] : [[name, BigInt(count)] as const];
  });
  return {
    number,
    toolType,
    engine: part.provider,
    outcome,
    admittedAt,
    completedAt,
    latencyMs,
    costNanoUsd,
    isByok,
    counts: Object.fromEntries(known),
  };
}

/** Returns the sum of the discounts. Undefined: no part has one. */
function discountOf(parts: readonly GenerationPart[], name: Discount): bigint | undefined {
  const discounts = parts.flatMap((part) => part[name] ?? []);
  return discounts.length === 0 ? undefined : discounts.reduce((sum, one) => sum + one, 0n);
}

function sumsOf(parts: readonly Sums[]): Sums {
  return Object.fromEntries(sums.map((name) => [name, sumOf(parts, name)])) as unknown as Sums;
}

function sumOf(parts: readonly Sums[], name: keyof Sums): bigint {
  return parts.reduce((total, part) => total + part[name], 0n);
}
