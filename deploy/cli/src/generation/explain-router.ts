import { type Static, Type } from 'typebox';
import { clean } from '../output.ts';

/** The choice of a router in the record of a generation. Each router has data of its own. */
export const routerRecord = Type.Object({
  slug: Type.String(),
  summary: Type.Optional(Type.String()),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  is_cut: Type.Optional(Type.Boolean()),
});

/** Prints the choice of a router: its rule, its evidence, the models that it compared, and why others were left out. */
export function* routerLines({
  slug,
  summary,
  data = {},
  is_cut: isCut = false,
}: Static<typeof routerRecord>): Iterable<string> {
  yield `The router ${clean(slug)} ${clean(summary ?? 'explains nothing')}.`;
  const { candidates, excluded, ...evidence } = data;
  for (const [name, value] of Object.entries(evidence)) yield `  ${clean(name)}: ${shown(value)}`;
  for (const one of listOf(candidates)) yield `  candidate ${shown(one)}`;
  if (Array.isArray(excluded))
    for (const one of listOf(excluded)) yield `  left out  ${shown(one)}`;
  else if (excluded !== undefined) yield `  left out  ${shown(excluded)}`;
  if (isCut) yield '  The lists were too long to keep in full.';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Writes a value on one line, without control characters. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  if (typeof value !== 'object' || value === null) return clean(String(value));
  return Object.entries(value)
    .map(([name, one]) => (name === 'model' ? shown(one) : `${clean(name)} ${shown(one)}`))
    .join(', ');
}
