import type { ServiceBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { Issues } from '../body/issues.ts';
import { traceCharactersMax } from '../body/limits.ts';
import type { IsFine } from '../body/parse-body.ts';
import { checkFiles } from './read-files.ts';
import { checkModels } from './read-models.ts';

/** The escapes of characters that no database stores. JSON has no other form for them. */
const unkeepable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** Checks the fields that every dialect has, as far as their schema cannot. */
export function checkServiceFields(
  body: ServiceBody,
  defaults: RequestDefaults,
  issues: Issues,
  isFine: IsFine<ServiceBody>,
): void {
  if (isFine('model', 'models', 'preset')) checkModels(body, defaults.model, issues);
  if (isFine('trace')) checkTrace(body, issues);
  if (isFine('plugins')) {
    checkFiles(body, defaults, issues);
  }
}

function checkTrace({ trace }: ServiceBody, issues: Issues): void {
  if (!trace) return;
  const text = JSON.stringify(trace);
  if (text.length > traceCharactersMax)
    issues.add('trace', `must have at most ${String(traceCharactersMax)} characters as JSON`);
  if (unkeepable.test(text))
    issues.add('trace', 'must be well-formed text without the character U+0000');
}
