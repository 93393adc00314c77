import type { ContentPart, StoredPrompt } from '@sluice/inference';
import { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import { identifierCharactersMax, promptVariablesMax } from './limits.ts';
import { parsePart, toolOutputTypes } from './parse-content.ts';

/** `prompt`: a template that the upstream keeps, and what is to stand in it. */
export function parsePrompt(body: Fields, issues: Issues): StoredPrompt | undefined {
  const prompt = body.object('prompt');
  if (!prompt) return undefined;
  const fields = new Fields(prompt, { path: body.path('prompt'), issues });
  const bounds = { charactersMin: 1, charactersMax: identifierCharactersMax };
  const id = fields.requiredString('id', bounds);
  const version = fields.string('version', bounds);
  const variables = parseVariables(fields, issues);
  return id === undefined ? undefined : { id, version, variables };
}

function parseVariables(prompt: Fields, issues: Issues): StoredPrompt['variables'] {
  const given = Object.entries(prompt.object('variables') ?? {});
  const path = prompt.path('variables');
  if (given.length > promptVariablesMax)
    issues.add(path, `must have at most ${String(promptVariablesMax)} values`);
  const parsed = given.flatMap(([name, value]): readonly [string, string | ContentPart][] => {
    const part =
      typeof value === 'string'
        ? value
        : parsePart(value, `${path}.${name}`, toolOutputTypes, issues);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(parsed);
}
