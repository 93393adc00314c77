import { loadConfig } from '@sluice/boot';
import { Type } from 'typebox';
import type { ToolLimits } from '../tools/limits.ts';

const schema = Type.Object({
  SLUICE_TOOL_TIMEOUT_MS: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 600_000,
      description: 'Milliseconds that one call of a server tool may take; 60,000 when absent',
    }),
  ),
  SLUICE_TOOL_LOOP_TIMEOUT_MS: Type.Optional(
    Type.Integer({
      minimum: 1_000,
      maximum: 7_200_000,
      description: 'Milliseconds that the turns of a response may take; 1,800,000 when absent',
    }),
  ),
  SLUICE_TOOL_PARALLEL_CALLS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'Calls of one answer that run at the same time; 8 when absent',
    }),
  ),
  SLUICE_TOOL_RESULT_CHARACTERS: Type.Optional(
    Type.Integer({
      minimum: 1_024,
      maximum: 4_194_304,
      description: 'Characters of a result that the model reads; 262,144 when absent',
    }),
  ),
});

/** Reads the limits of server tools that the environment sets. Throws InvalidConfig. */
export function loadToolLimits(
  env: Readonly<Record<string, string | undefined>>,
): Partial<ToolLimits> {
  const settings = loadConfig(schema, env);
  const limits = {
    callMs: settings.SLUICE_TOOL_TIMEOUT_MS,
    loopMs: settings.SLUICE_TOOL_LOOP_TIMEOUT_MS,
    parallelCallsMax: settings.SLUICE_TOOL_PARALLEL_CALLS,
    resultCharactersMax: settings.SLUICE_TOOL_RESULT_CHARACTERS,
  };
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Partial<ToolLimits>;
}

const imageSchema = Type.Object({
  SLUICE_IMAGE_MODEL: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The model of service:image_generation; the first of the catalog when absent',
    }),
  ),
});

/** Reads the model that draws if a request names none. Throws InvalidConfig. */
export function loadImageModel(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return loadConfig(imageSchema, env).SLUICE_IMAGE_MODEL;
}
