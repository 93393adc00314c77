import { jsonSchemaProblems } from '@sluice/client-schemas';
import type { Issues } from './issues.ts';
import { issuesMax, schemaCharactersMax } from './limits.ts';

/** Checks the schema that an answer must follow. */
export function checkAnswerSchema(
  schema: Parameters<typeof jsonSchemaProblems>[0],
  path: string,
  issues: Issues,
): void {
  if (JSON.stringify(schema).length > schemaCharactersMax)
    return issues.add(path, `must have at most ${String(schemaCharactersMax)} characters`);
  issues.addAll(jsonSchemaProblems(schema, { path, max: issuesMax }));
}
