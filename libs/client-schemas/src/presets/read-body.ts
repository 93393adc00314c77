import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { chatBody } from '../chat-completions/body.ts';
import { flag, integer, isObject, type JsonObject, optional, text } from '../fields.ts';
import { eachUnknownField, type KnownFields, knownFieldsOf } from '../known-fields.ts';
import { messagesBody } from '../messages/body.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { responsesBody } from '../responses/body.ts';
import { instanceProblems } from '../server-tools/instances.ts';
import { isServerTool, serverToolProblems } from '../server-tools/index.ts';
import { chatToConfig, listOf } from './chat-form.ts';
import { type PresetContent, type PresetFormat, presetMark, without } from './content.ts';
import { messagesToConfig } from './messages-form.ts';

const problemsMax = 20;
const ttlSecondsMax = 86_400;
/** Routing keeps the presets that requests name in memory. */
export const presetCharactersMax = 131_072;

/** The fields that belong to one request and not to a preset. They are ignored. */
const transient: readonly string[] = [
  'input',
  'messages',
  'prompt',
  'stream',
  'stream_options',
  'user',
  'session_id',
  'safety_identifier',
  'trace',
  'debug',
  'metadata',
  'store',
  'background',
  'n',
  'prompt_cache_key',
  'previous_response_id',
  'conversation',
  'prediction',
  'context_management',
  'container',
  'mcp_servers',
  'thread',
];

const prompt = optional(text(), 'The system prompt.', 'Be brief.');
const more = {
  cache_enabled: optional(flag, 'Whether answers are repeated from the response cache.', true),
  cache_ttl_seconds: optional(
    integer(1, ttlSecondsMax),
    'How long an answer is repeated, in seconds.',
    300,
  ),
};

interface Form {
  readonly schema: TSchema;
  readonly known: KnownFields;
  readonly toConfig: (body: JsonObject) => JsonObject;
}

/** Returns the form of a body of which a preset keeps the fields that are not transient. */
function formOf(body: { readonly properties: object }, toConfig: Form['toConfig']): Form {
  const own = without(body.properties as JsonObject, 'preset', ...transient);
  const properties = { system: prompt, instructions: prompt, ...own, ...more };
  const schema = Type.Object(properties);
  return { schema, known: knownFieldsOf(schema, [...transient, 'system']), toConfig };
}

const forms: Readonly<Record<PresetFormat, Form>> = {
  responses: formOf(responsesBody, (body) => body),
  'chat-completions': formOf(chatBody, chatToConfig),
  messages: formOf(messagesBody, messagesToConfig),
};

/** The schemas of the bodies that make a preset. */
export const presetBodies: Readonly<Record<PresetFormat, TSchema>> = {
  responses: forms.responses.schema,
  'chat-completions': forms['chat-completions'].schema,
  messages: forms.messages.schema,
};

interface Wrong {
  readonly problems: readonly Problem[];
}

/** Returns the part of a body that a preset keeps, or its problems. It is as strict as a request, and closed. */
export function readPresetBody(format: PresetFormat, body: unknown): PresetContent | Wrong {
  const { schema, known, toConfig } = forms[format];
  if (!isObject(body)) return { problems: [{ path: '', message: 'must be a JSON object' }] };
  const kept = without(body, ...transient);
  const isFine = Check(schema, kept);
  const problems = isFine ? [] : [...problemsOf(schema, kept, { max: problemsMax })];
  if (problems.length === 0) problems.push(...unknownFields(kept, known), ...otherProblems(kept));
  if (problems.length > 0) return { problems: problems.slice(0, problemsMax) };
  const { instructions, system, ...fields } = kept;
  const systemPrompt = textOf(instructions ?? system);
  const config = toConfig(presentOnly(fields));
  const size = JSON.stringify(config).length + (systemPrompt?.length ?? 0);
  if (size <= presetCharactersMax) return { config, systemPrompt };
  const message = `must have at most ${String(presetCharactersMax)} characters as a preset`;
  return { problems: [{ path: '', message }] };
}

function presentOnly(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function unknownFields(body: JsonObject, known: KnownFields): readonly Problem[] {
  const problems: Problem[] = [];
  eachUnknownField(body, known, ({ path, name }) => {
    problems.push({
      path: path === '' ? name : `${path}.${name}`,
      message: 'there is no such field',
    });
  });
  return problems;
}

/** Lists what the schema cannot say: a preset names no preset, and asks for nothing that is not there yet. */
function otherProblems(body: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: string, message: string) => void problems.push({ path, message });
  const { model, models, tools } = body;
  const named = [
    ['model', model] as const,
    ...listOf(models).map((one, index) => [`models[${String(index)}]`, one] as const),
  ];
  for (const [path, name] of named) {
    if (typeof name === 'string' && name.includes(presetMark))
      refuse(path, 'must not name a preset');
  }
  problems.push(...instanceProblems(listOf(tools).filter(isObject)));
  for (const [index, tool] of listOf(tools).entries())
    if (isObject(tool) && isServerTool(tool['type']))
      problems.push(...serverToolProblems(tool, `tools[${String(index)}]`));
  return problems;
}

/** Returns the text of a system prompt, which may be a list of blocks. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const texts = listOf(value).flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? block['text'] : [],
  );
  return texts.length > 0 ? texts.join('\n\n') : null;
}
