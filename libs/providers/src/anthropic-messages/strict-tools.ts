import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject } from '../json-reader.ts';
import type { PlainTool } from '../plain-request.ts';
import { claudeAbilities } from './claude-version.ts';
import { answerSchema } from './schema.ts';

// The API refuses a request beyond these limits.
const strictToolsMax = 20;
const optionalsMax = 24;
const unionsMax = 16;

interface Complexity {
  readonly optionals: number;
  readonly unions: number;
}

/**
 * Returns the tools whose calls the model must fit to their schema. A tool is strict if its client says so, its schema
 * is within the subset of the API, and the limits of all strict tools leave room for it. Strictness is best effort: a
 * request is never refused for it.
 */
export function strictTools(model: string, tools: readonly PlainTool[]): ReadonlySet<PlainTool> {
  const found = new Set<PlainTool>();
  if (!claudeAbilities(model).takesStrictTools) return found;
  let [optionals, unions] = [0, 0];
  for (const tool of tools) {
    const added = tool.strict === true && found.size < strictToolsMax && complexityOf(tool);
    if (!added) continue;
    if (optionals + added.optionals > optionalsMax || unions + added.unions > unionsMax) continue;
    optionals += added.optionals;
    unions += added.unions;
    found.add(tool);
  }
  return found;
}

/** Returns undefined if the schema of a tool has what the API refuses. A reference may be one to itself. */
function complexityOf({ parameters }: PlainTool): Complexity | undefined {
  const { $schema: _dialect, ...asked } = parameters ?? {};
  const schema = { type: 'object', ...asked };
  if (!isDeepStrictEqual(answerSchema(schema), schema)) return undefined;
  const total = { optionals: 0, unions: 0 };
  return addComplexity(schema, total) ? total : undefined;
}

/** Returns false if the schema has a reference. `answerSchema` bounds its depth. */
function addComplexity(schema: object, total: { optionals: number; unions: number }): boolean {
  for (const [name, value] of Object.entries(schema)) {
    if (name === '$ref') return false;
    if (name === 'anyOf' || (name === 'type' && Array.isArray(value))) total.unions += 1;
    if (name === 'properties') total.optionals += optionalsOf(schema, asObject(value) ?? {});
    if (typeof value === 'object' && value !== null && !addComplexity(value, total)) return false;
  }
  return true;
}

function optionalsOf(schema: object, properties: object): number {
  const required = new Set(asArray('required' in schema ? schema.required : undefined));
  return Object.keys(properties).filter((name) => !required.has(name)).length;
}
