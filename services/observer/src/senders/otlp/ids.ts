import { createHash } from 'node:crypto';
import type { FinishedGeneration } from '../../domain/generation.ts';

/** The names that the request gave its spans; undefined: Sluice names them. */
export interface TraceFields {
  readonly traceId: string;
  readonly parentSpanId: string | undefined;
  readonly traceName: string | undefined;
  readonly spanName: string | undefined;
  readonly generationName: string | undefined;
  /** The other fields of `trace`. */
  readonly metadata: readonly (readonly [name: string, value: unknown])[];
}

const known = new Set(['trace_id', 'trace_name', 'span_name', 'generation_name', 'parent_span_id']);

/** Reads what the request says about its trace. Without a trace id of its own, each generation is a trace. */
export function traceFieldsOf({
  trace,
  accountId,
  generationId,
}: Pick<FinishedGeneration, 'trace' | 'accountId' | 'generationId'>): TraceFields {
  const named = textOf(trace['trace_id']);
  const parent = textOf(trace['parent_span_id']);
  return {
    traceId: named === undefined ? hexOf(`trace/${generationId}`, 32) : traceIdOf(accountId, named),
    parentSpanId: parent === undefined ? undefined : spanIdOfText(accountId, parent),
    traceName: textOf(trace['trace_name']),
    spanName: textOf(trace['span_name']),
    generationName: textOf(trace['generation_name']),
    metadata: Object.entries(trace).filter(([name]) => !known.has(name)),
  };
}

/** The same step of the same generation has the same id each time it is sent. */
export function spanIdOf(generationId: string, step: string): string {
  return hexOf(`span/${generationId}/${step}`, 16);
}

/** A W3C id or a UUID stays as it is. Any other text of an account stands for one id. */
function traceIdOf(accountId: string, text: string): string {
  const hex = text.replaceAll('-', '').toLowerCase();
  return isId(hex, 32) ? hex : hexOf(`trace/${accountId}/${text}`, 32);
}

function spanIdOfText(accountId: string, text: string): string {
  const hex = text.toLowerCase();
  return isId(hex, 16) ? hex : hexOf(`parent/${accountId}/${text}`, 16);
}

/** An id of zeros is none. */
function isId(hex: string, length: number): boolean {
  return hex.length === length && /^[0-9a-f]+$/.test(hex) && /[^0]/.test(hex);
}

function hexOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
