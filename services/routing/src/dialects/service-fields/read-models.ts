import type { ServiceBody } from '@sluice/client-schemas';
import type { Issues } from '../body/issues.ts';
import { modelsMax } from '../body/limits.ts';

/** Returns the models, the first choice first, none twice; the default of its workspace if the request names none. */
export function readModels(
  { model, models }: ServiceBody,
  defaultModel: string | undefined,
): readonly string[] {
  const first = typeof model === 'string' ? [model] : [];
  const named = models?.length ? [...new Set([...first, ...models])] : first;
  return named.length > 0 || defaultModel === undefined ? named : [defaultModel];
}

/** Refuses too many models, and none. */
export function checkModels(
  body: ServiceBody,
  defaultModel: string | undefined,
  issues: Issues,
): void {
  const named = readModels(body, defaultModel);
  if (named.length > modelsMax + 1)
    issues.add('models', `must name at most ${String(modelsMax)} different models`);
  if (named.length === 0)
    issues.add('model', 'is required: the workspace has no default model', 'model_not_found');
}
