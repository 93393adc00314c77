import { type Env, InvalidConfig, loadConfig } from '@sluice/boot';
import { serverToolKinds } from '@sluice/client-schemas';
import { Type } from 'typebox';
import type { CallLimits, ToolLimits } from '../tools/limits.ts';

const callMs = { minimum: 100, maximum: 600_000 };
const resultCharacters = { minimum: 1_024, maximum: 4_194_304 };
const calls = { minimum: 1, maximum: 10_000 };

const schema = Type.Object({
  SLUICE_TOOL_TIMEOUT_MS: Type.Optional(
    Type.Integer({
      ...callMs,
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
      ...resultCharacters,
      description: 'Characters of a result that the model reads; 262,144 when absent',
    }),
  ),
  SLUICE_TOOL_CALLS: Type.Optional(
    Type.Integer({
      ...calls,
      description: 'Calls of one tool in a response; no limit when absent',
    }),
  ),
  SLUICE_TOOL_LIMITS: Type.Optional(
    Type.String({
      description:
        'Limits of single tools, such as web_fetch.calls=5,bash.ms=10000,mcp.characters=20000',
    }),
  ),
});

/** Reads the limits of server tools that the environment sets. Throws InvalidConfig. */
export function loadToolLimits(env: Env): Partial<ToolLimits> {
  const settings = loadConfig(schema, env);
  const limits = {
    callMs: settings.SLUICE_TOOL_TIMEOUT_MS,
    loopMs: settings.SLUICE_TOOL_LOOP_TIMEOUT_MS,
    parallelCallsMax: settings.SLUICE_TOOL_PARALLEL_CALLS,
    resultCharactersMax: settings.SLUICE_TOOL_RESULT_CHARACTERS,
    callsMax: settings.SLUICE_TOOL_CALLS,
    ofTools: limitsOfTools(settings.SLUICE_TOOL_LIMITS),
  };
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Partial<ToolLimits>;
}

/** The words of a limit of one tool, and the values that it may have. */
const words = {
  calls: { name: 'callsMax', ...calls },
  ms: { name: 'callMs', ...callMs },
  characters: { name: 'resultCharactersMax', ...resultCharacters },
} as const;
const entry = /^(\w+)\.(calls|ms|characters)=(\d{1,8})$/;
const types: ReadonlySet<string> = new Set([...serverToolKinds, 'service:mcp']);

function limitsOfTools(text: string | undefined): ToolLimits['ofTools'] | undefined {
  if (text === undefined) return undefined;
  const limits: Record<string, Partial<CallLimits>> = {};
  for (const part of text.split(',')) {
    const [, tool = '', word = '', digits = ''] = entry.exec(part.trim()) ?? [];
    const type = `service:${tool}`;
    const value = Number(digits);
    const known = types.has(type) ? words[word as keyof typeof words] : undefined;
    if (!known || value < known.minimum || value > known.maximum)
      throw new InvalidConfig(`Settings: SLUICE_TOOL_LIMITS: ${part.trim()} is no limit of a tool`);
    limits[type] = { ...limits[type], [known.name]: value };
  }
  return limits;
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
export function loadImageModel(env: Env): string | undefined {
  return loadConfig(imageSchema, env).SLUICE_IMAGE_MODEL;
}
