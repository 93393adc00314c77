import type { Model } from '@sluice/catalog';

type Index = 'intelligence_index' | 'coding_index' | 'agentic_index';

/** Returns the model's entry in the file with benchmarks; undefined: there is none. */
export function indexOf({ details }: Model, name: Index): number | undefined {
  return numberOf(fieldsOf(details.benchmarks?.['artificial_analysis'])[name]);
}

/** The best of all arenas. */
export function designEloOf({ details }: Model): number | undefined {
  const arenas = details.benchmarks?.['design_arena'];
  if (!Array.isArray(arenas)) return undefined;
  const elos = arenas.flatMap((arena: unknown) => numberOf(fieldsOf(arena)['elo']) ?? []);
  return elos.length === 0 ? undefined : Math.max(...elos);
}

/** From 0 to 1: how many of its calls of tools were well-formed. */
export function toolSuccessRateOf({ details }: Model): number | undefined {
  return numberOf(details.benchmarks?.['tool_success_rate']);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
