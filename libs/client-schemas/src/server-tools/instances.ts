import { isObject } from '../fields.ts';
import type { Problem } from '../problems.ts';

/** The kinds that may stand in a request several times, each with a name. */
const namedKinds = ['service:advisor', 'service:subagent'];

/** Lists the instances of a tool whose names are the same: one of each kind may have none. */
export function instanceProblems(tools: readonly object[], path = 'tools'): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { type, parameters }: { readonly type?: unknown; readonly parameters?: unknown } = tool;
    if (typeof type !== 'string' || !namedKinds.includes(type)) continue;
    const given = isObject(parameters) ? parameters['name'] : undefined;
    const name = typeof given === 'string' ? given.trim() : undefined;
    const key = name === undefined ? type : `${type} ${name}`;
    const message =
      name === undefined ? `is required: another ${type} has none` : `repeats the name ${name}`;
    if (seen.has(key))
      problems.push({ path: `${path}[${String(index)}].parameters.name`, message });
    seen.add(key);
  }
  return problems;
}
