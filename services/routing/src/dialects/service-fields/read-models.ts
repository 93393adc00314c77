import type { ServiceBody } from '@sluice/client-schemas';
import type { Issues } from '../body/issues.ts';
import { modelsMax } from '../body/limits.ts';

const presetMark = '@preset/';

/** Returns the models, the first choice first, none twice; the default of its workspace if the request names none. */
export function readModels(
  { model, models }: ServiceBody,
  defaultModel: string | undefined,
): readonly string[] {
  const first = typeof model === 'string' ? model : undefined;
  const named = [...new Set([...(first === undefined ? [] : [first]), ...(models ?? [])])];
  return named.length > 0 || defaultModel === undefined ? named : [defaultModel];
}

/** Refuses a model that only a preset could serve, by that name. */
export function checkModels(
  body: ServiceBody,
  defaultModel: string | undefined,
  issues: Issues,
): void {
  const { model, models, preset } = body;
  const named = readModels(body, defaultModel);
  if (named.length > modelsMax + 1)
    issues.add('models', `must name at most ${String(modelsMax)} different models`);
  if (typeof model === 'string') refuseNamedPreset(model, 'model', issues);
  for (const [index, name] of (models ?? []).entries())
    refuseNamedPreset(name, `models[${String(index)}]`, issues);
  if (typeof preset === 'string') refusePreset(preset, 'preset', issues);
  if (named.length === 0)
    issues.add('model', 'is required: the workspace has no default model', 'model_not_found');
}

function refuseNamedPreset(model: string, path: string, issues: Issues): void {
  const at = model.indexOf(presetMark);
  if (at >= 0) refusePreset(model.slice(at + presetMark.length), path, issues);
}

/** Presets are not built, so no preset exists. */
function refusePreset(slug: string, path: string, issues: Issues): void {
  issues.add(path, `there is no preset "${slug}"`, 'not_found');
}
