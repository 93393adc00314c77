import type { FinishedGeneration } from './generation.ts';

type Amounts = 'costNanoUsd' | 'feeNanoUsd';
type Texts<Of> = { readonly [Name in keyof Of]: Name extends Amounts ? string : Of[Name] };
type Events = 'guardrailEvents' | 'guardrailEventsOmitted';
type Stored = Omit<Texts<FinishedGeneration>, 'turns' | 'toolCalls' | Events> & {
  readonly turns: readonly Texts<FinishedGeneration['turns'][number]>[];
  readonly toolCalls: readonly Texts<FinishedGeneration['toolCalls'][number]>[];
} & Partial<Pick<FinishedGeneration, Events>>;

/** Returns the JSON text of a generation. Amounts are texts. */
export function writeGeneration(generation: FinishedGeneration): string {
  return JSON.stringify(generation, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** Throws if the text is not of `writeGeneration`. */
export function readGeneration(text: string): FinishedGeneration {
  const stored = JSON.parse(text) as Stored;
  const withCost = <Part extends { readonly costNanoUsd: string }>(part: Part) => ({
    ...part,
    costNanoUsd: BigInt(part.costNanoUsd),
  });
  const { latencyMs, moderationLatencyMs } = stored;
  return {
    // Generations of an earlier release have no events.
    ...stored,
    guardrailEvents: stored.guardrailEvents ?? [],
    guardrailEventsOmitted: stored.guardrailEventsOmitted ?? 0,
    latencyMs,
    moderationLatencyMs,
    costNanoUsd: BigInt(stored.costNanoUsd),
    feeNanoUsd: BigInt(stored.feeNanoUsd),
    turns: stored.turns.map(withCost),
    toolCalls: stored.toolCalls.map(withCost),
  };
}
