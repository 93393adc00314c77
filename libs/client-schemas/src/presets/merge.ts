import { isObject, type JsonObject } from '../fields.ts';
import { configToChat, listOf, objectOf } from './chat-form.ts';
import { cacheFieldNames, type PresetContent, presetMark, without } from './content.ts';
import { configToMessages } from './messages-form.ts';

/** The formats of requests that may name a preset. */
export type PresetDoor = 'responses' | 'chat-completions' | 'messages' | 'embeddings' | 'rerank';

/** A request that names a preset, with the fields of the preset. */
export interface Merged {
  readonly body: JsonObject;
  /** The place of each tool in the request, in the order of the body. undefined: it is a tool of the preset. */
  readonly toolPlaces: readonly (number | undefined)[];
}

/** Fields that say the same: one of a request stands before all of a preset. */
const synonyms: readonly (readonly string[])[] = [
  ['max_completion_tokens', 'max_tokens'],
  ['reasoning', 'reasoning_effort'],
  ['tool_choice', 'function_call'],
  ['models', 'fallbacks'],
];

/** Models that measure their inputs take no settings of an answer. */
const measuredFields = ['model', 'provider'];

/**
 * Merges a preset into the body of a request (contract inference.md 13.5). It is shallow, and fields of the request
 * win; null is as good as absent. Tools are joined. The system prompt of a chat is no field, so it is not here.
 */
export function mergePreset(door: PresetDoor, body: JsonObject, content: PresetContent): Merged {
  const own = withoutReferences(body);
  const fields = { ...fieldsOf(door, content) };
  for (const name of Object.keys(fields)) {
    const names = synonyms.find((all) => all.includes(name)) ?? [name];
    if (name !== 'tools' && names.some((one) => isGiven(own[one]))) delete fields[name];
  }
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => isGiven(value)));
  const merged = { ...own, ...fields, ...set };
  const isMixed = Array.isArray(fields['tools']) && (own['tools'] ?? null) !== null;
  // A list of tools that is none is refused as it is.
  if (!isMixed || !Array.isArray(own['tools']))
    return { body: merged, toolPlaces: placesOf(own, merged) };
  const { tools, places } = joinTools(listOf(fields['tools']), own['tools']);
  return { body: { ...merged, tools }, toolPlaces: places };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function placesOf(own: JsonObject, merged: JsonObject): readonly (number | undefined)[] {
  const tools = listOf(merged['tools']);
  return tools.map((_tool, index) => (merged['tools'] === own['tools'] ? index : undefined));
}

/** Returns the fields of a preset in the words of a door. */
function fieldsOf(door: PresetDoor, { config, systemPrompt }: PresetContent): JsonObject {
  const fields = without(config, ...cacheFieldNames);
  switch (door) {
    case 'responses':
      return { ...fields, ...(systemPrompt !== null && { instructions: systemPrompt }) };
    case 'messages':
      return {
        ...configToMessages(fields),
        ...(systemPrompt !== null && { system: systemPrompt }),
      };
    case 'chat-completions':
      return configToChat(fields);
    case 'embeddings':
    case 'rerank':
      return Object.fromEntries(
        Object.entries(fields).filter(([name]) => measuredFields.includes(name)),
      );
  }
}

/** Returns the body without the names of presets. A name of nothing else is gone. */
function withoutReferences(body: JsonObject): JsonObject {
  const { model, models, fallbacks } = body;
  const own = { ...without(body, 'preset') };
  if (typeof model === 'string' && model.includes(presetMark)) {
    const name = modelOf(model);
    if (name === '') delete own['model'];
    else own['model'] = name;
  }
  if (Array.isArray(models)) own['models'] = models.map(modelOf).filter((name) => name !== '');
  if (Array.isArray(fallbacks))
    own['fallbacks'] = fallbacks.map((one: unknown) =>
      isObject(one) ? { ...one, model: modelOf(one['model']) } : one,
    );
  return own;
}

function modelOf(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  const at = name.indexOf(presetMark);
  return at < 0 ? name : name.slice(0, at);
}

/** A tool of the request takes the place of that of the preset with the same identity. Others follow. */
function joinTools(ofPreset: readonly unknown[], ofRequest: readonly unknown[]) {
  const tools = [...ofPreset];
  const places: (number | undefined)[] = ofPreset.map(() => undefined);
  const seen = new Map(ofPreset.map((tool, index) => [identityOf(tool), index]));
  for (const [index, tool] of ofRequest.entries()) {
    const at = seen.get(identityOf(tool));
    if (at !== undefined && places[at] === undefined) {
      tools[at] = tool;
      places[at] = index;
    } else {
      tools.push(tool);
      places.push(index);
    }
  }
  return { tools, places };
}

const named: readonly unknown[] = ['service:advisor', 'service:subagent'];
const ofClient: readonly unknown[] = ['function', 'custom', 'namespace'];

function identityOf(tool: unknown): string {
  const { type, name, parameters, ...rest } = objectOf(tool);
  if (named.includes(type)) return `${String(type)} ${String(objectOf(parameters)['name'])}`;
  const inner = objectOf(rest['function'] ?? rest['custom'])['name'] ?? name;
  // Anthropic's tools of the client have no type.
  if (type === undefined || ofClient.includes(type)) return `tool ${String(inner)}`;
  return typeof type === 'string' ? type : '';
}

/** The name of a preset in a request, and its place. */
export interface PresetName {
  readonly path: string;
  readonly slug: string;
}

/** Lists the places of a body that name a preset. */
export function presetNames(body: JsonObject): readonly PresetName[] {
  const { preset, model, models, fallbacks } = body;
  const names: PresetName[] = [];
  const add = (path: string, name: unknown) => {
    if (typeof name !== 'string') return;
    const at = name.indexOf(presetMark);
    if (at >= 0) names.push({ path, slug: name.slice(at + presetMark.length) });
  };
  if (typeof preset === 'string') names.push({ path: 'preset', slug: preset });
  add('model', model);
  for (const [index, name] of listOf(models).entries()) add(`models[${String(index)}]`, name);
  for (const [index, one] of listOf(fallbacks).entries())
    add(`fallbacks[${String(index)}].model`, objectOf(one)['model']);
  return names;
}
