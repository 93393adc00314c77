import type { ErrorCode, Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import type { InputModality } from '@sluice/catalog';
import { hasToolKind } from '@sluice/providers';
import type { Compression } from '../request/compression.ts';
import { hostedKinds } from '../request/leave-out-tools.ts';
import type { FieldWords } from '../request/field-words.ts';
import {
  type Candidate,
  contextTokensMaxOf,
  outputTokensMaxOf,
  outputTokensUnasked,
  promptTokensMaxOf,
} from './candidate.ts';
import type { FilterName } from './filters.ts';
import { availability } from './availability.ts';
import { freeVariantEnded, paidVariantOf } from './unknown-model.ts';
import type { Exclusion } from './plan.ts';

interface Emptied {
  readonly requested: readonly string[];
  readonly by: FilterName;
  /** Candidates before the filter that left none. */
  readonly last: readonly Candidate[];
  readonly excluded: readonly Exclusion[];
  readonly request: Pick<
    InferenceRequest,
    'tools' | 'options' | 'maxOutputTokens' | 'embedding' | 'ranking'
  >;
  /** Our own count of the input. */
  readonly contextTokens: number;
  /** Modalities of the input. */
  readonly modalities: readonly InputModality[];
  /** Providers that the request permits. */
  readonly only: readonly string[] | undefined;
  readonly words: FieldWords;
  readonly compression: Compression;
}

/** The refusal of a filter that left no candidate. */
interface Refusal {
  readonly rejected: ErrorCode;
  /** The code of `error.availability`. */
  readonly code: string;
  /** `metadata.reason`, if an administrator's rule refused. */
  readonly reason?: string;
  /** The field of the request that asks for it: a word of the client, or the same in all dialects. */
  readonly field?: keyof FieldWords | { readonly name: string };
  readonly says: (model: string, emptied: Emptied) => string;
}

const constraint = (field: NonNullable<Refusal['field']>): Refusal => ({
  rejected: 'not_found',
  code: 'constraint_filtered',
  field,
  says: (model, { words }) => `No endpoint of ${model} meets ${fieldName(field, words)}`,
});

function fieldName(field: NonNullable<Refusal['field']>, words: FieldWords): string {
  return typeof field === 'string' ? words[field] : field.name;
}

const nothingFound: Refusal = {
  rejected: 'not_found',
  code: 'no_endpoints',
  says: (model) => `No endpoints found for ${model}`,
};

const privacy: Refusal = {
  rejected: 'not_found',
  code: 'privacy_restricted',
  says: (model, { by }) =>
    `No endpoint of ${model} meets the data policy that is asked for (${by})`,
};

/** One row for each filter; the request itself is wrong where `impossible` says so before. */
const refusals: Readonly<Record<FilterName, Refusal>> = {
  endpoint_kind: {
    rejected: 'invalid_request',
    code: 'wrong_endpoint',
    says: (model, emptied) =>
      `${model} cannot be used with ${emptied.words.route}: it answers with ${outputsOf(emptied)}`,
  },
  deprecated: {
    rejected: 'not_found',
    code: 'model_deprecated',
    says: (model, { last }) => {
      const day = last[0]?.model.details.expirationDate;
      return `${model} is no longer served: its last day was ${day ?? 'before'}`;
    },
  },
  disabled: nothingFound,
  service_tier: { ...nothingFound, field: { name: 'service_tier' } },
  data_region: {
    rejected: 'permission_denied',
    code: 'region_restricted',
    reason: 'region_not_allowed',
    says: (model) => `No endpoint of ${model} is permitted in this region by a guardrail`,
  },
  guardrail_models: {
    rejected: 'permission_denied',
    code: 'no_endpoints',
    reason: 'model_not_allowed',
    says: (model) => `${model} is not permitted by a guardrail`,
  },
  guardrail_providers: {
    rejected: 'permission_denied',
    code: 'no_endpoints',
    reason: 'provider_not_allowed',
    says: (model, emptied) =>
      `No provider of ${model} (${providersOf(emptied).join(', ')}) is permitted by a guardrail`,
  },
  allowed_providers: {
    rejected: 'not_found',
    code: 'no_endpoints',
    field: { name: 'provider' },
    says: (model, emptied) => {
      const permitted = emptied.only ? `; the request permits ${emptied.only.join(', ')}` : '';
      const serving = providersOf(emptied).join(', ');
      return `No allowed providers for ${model}: it is served by ${serving}${permitted}`;
    },
  },
  'data_policy:zdr': privacy,
  'data_policy:training': privacy,
  distillable: constraint({ name: 'provider.enforce_distillable_text' }),
  input_modalities: {
    ...constraint('input'),
    says: (model, emptied) => {
      const taken = new Set(emptied.last.flatMap(({ endpoint }) => endpoint.inputModalities));
      const asked = lacking(emptied.modalities, taken);
      return `No endpoint of ${model} takes ${asked} as input: it takes ${[...taken].join(', ')}`;
    },
  },
  output_modalities: {
    ...constraint({ name: 'modalities' }),
    says: (model, emptied) => {
      const given = new Set<string>(
        emptied.last.flatMap(({ endpoint }) => endpoint.outputModalities),
      );
      const asked = lacking(emptied.request.options?.modalities ?? [], given);
      return `No endpoint of ${model} answers with ${asked}: it answers with ${outputsOf(emptied)}`;
    },
  },
  embedding_media: {
    ...constraint('input'),
    says: (model) => `No endpoint of ${model} makes vectors of media: send texts`,
  },
  embedding_tokens: {
    ...constraint('input'),
    says: (model) => `No endpoint of ${model} takes tokens as input: send texts`,
  },
  file_references: {
    ...constraint('input'),
    says: (model) =>
      `No endpoint of ${model} takes a picture by the id of a file: send its data or URL`,
  },
  native_tools: {
    ...constraint({ name: 'tools' }),
    says: (model, emptied) => `No endpoint of ${model} meets tools: none runs ${unrunOf(emptied)}`,
  },
  effort_changes: constraint('input'),
  stored_prompts: constraint({ name: 'prompt' }),
  context_length: {
    rejected: 'context_length_exceeded',
    code: 'constraint_filtered',
    says: (model, emptied) =>
      `The request exceeds the context window of ${model}: ${excessOf(emptied)}${remedyOf(emptied)}`,
  },
  output_limit: {
    ...constraint('outputLimit'),
    says: (model, emptied) =>
      `No endpoint of ${model} gives so many output tokens: ${emptied.words.outputLimit} is ${mostOf(emptied)}`,
  },
  thinking_room: constraint('thinkingBudget'),
  require_parameters: constraint({ name: 'provider.require_parameters' }),
  quantization: constraint({ name: 'provider.quantizations' }),
  max_price: constraint({ name: 'provider.max_price' }),
};

/** Returns the refusal when all endpoints were filtered out; the last filter gives the reason. */
export function nobodyLeft(emptied: Emptied): Rejection {
  const { requested, by, last, excluded } = emptied;
  const [model = ''] = requested;
  const wrong = impossible(emptied);
  if (wrong) return wrong;
  const { rejected, code, reason, field, says } = refusals[by];
  if (by === 'deprecated' && last.every((one) => paidVariantOf(one.model.id) !== undefined))
    return freeVariantEnded(requested);
  const details = availability(code, requested, {
    affected_providers: providersOf(emptied),
    excluded_by: [...new Set(excluded.map(({ filter }) => publicWord(filter)))],
    ...(field !== undefined && {
      constraint: { field: fieldName(field, emptied.words), detail: detailOf(emptied) },
    }),
  });
  return {
    rejected,
    message: says(model, emptied),
    metadata: { ...(reason !== undefined && { reason }), availability: details },
  };
}

/** The request asks for what no endpoint of its model can do at all: then it is the request that is wrong. */
function impossible({ by, request, last, words }: Emptied): Rejection | undefined {
  if (by === 'thinking_room') {
    const most =
      request.maxOutputTokens ?? Math.max(...last.map((one) => outputTokensUnasked(one) ?? 0));
    return invalid(
      words.thinkingBudget,
      `must be smaller than the output limit of ${String(most)} tokens, which holds thinking and answer`,
    );
  }
  if (by === 'effort_changes')
    return invalid(words.input, 'the effort of this model cannot be changed in mid-conversation');
  if (by === 'stored_prompts')
    return invalid('prompt', 'stored prompts are not supported by this model');
  return undefined;
}

function providersOf({ last }: Emptied): readonly string[] {
  return [...new Set(last.map(({ endpoint }) => endpoint.endpoint.provider))];
}

function outputsOf({ last }: Emptied): string {
  return [...new Set(last.flatMap(({ endpoint }) => endpoint.outputModalities))].join(', ');
}

/** Returns the names that no candidate has, or all names if each has a candidate but none has all. */
function lacking(asked: readonly string[], having: ReadonlySet<string>): string {
  const missing = asked.filter((one) => !having.has(one));
  return (missing.length > 0 ? missing : asked).join(', ');
}

/** Returns the kinds that no candidate runs, or all kinds if each has a candidate but none runs all. */
function unrunOf({ request, last }: Emptied): string {
  const kinds = [...new Set(hostedKinds(request.tools))];
  const runs = (kind: string) => last.some(({ endpoint }) => hasToolKind(endpoint.endpoint, kind));
  const missing = kinds.filter((kind) => !runs(kind));
  return missing.length > 0 ? missing.join(', ') : `all of ${kinds.join(', ')}`;
}

function mostOf({ last }: Emptied): string {
  return `${String(Math.max(...last.map(outputTokensMaxOf)))} at most`;
}

/** Returns the words of Anthropic's API: agents read them and compact, or ask for less output. */
function excessOf({ last, contextTokens, request }: Emptied): string {
  const contextMax = Math.max(...last.map(contextTokensMaxOf));
  const outputTokens = request.maxOutputTokens ?? 0;
  const promptMax = Math.max(...last.map(promptTokensMaxOf));
  return contextTokens > promptMax || outputTokens === 0
    ? `prompt is too long: ${contextTokens} tokens > ${promptMax} maximum`
    : `input length and \`max_tokens\` exceed context limit: ${contextTokens} + ${outputTokens} > ${contextMax}`;
}

/** Returns a sentence about the plugin that shortens conversations, unless it is on or cannot help. */
function remedyOf({ compression, request, last }: Emptied): string {
  const isConversation = !request.embedding && !request.ranking;
  const makesText = last.some(({ endpoint }) => endpoint.outputModalities.includes('text'));
  return compression !== 'on' && isConversation && makesText
    ? '. The plugin context-compression shortens conversations'
    : '';
}

function detailOf(emptied: Emptied): string {
  const { by, modalities, request } = emptied;
  if (by === 'output_limit') return mostOf(emptied);
  if (by === 'input_modalities') return modalities.join(', ');
  return by === 'output_modalities' ? (request.options?.modalities ?? []).join(', ') : by;
}

/** The request itself asks for what none of its models can do. */
export function invalid(path: string, message: string): Rejection {
  return {
    rejected: 'invalid_request',
    message: `Invalid request: ${path}: ${message}`,
    metadata: { issues: [{ path, message }] },
  };
}

/** Describes an administrator's list to the client by its kind of entries. */
function publicWord(filter: string): string {
  if (filter === 'output_limit') return 'context_length';
  if (filter === 'guardrail_models') return 'allowed_models';
  return filter === 'guardrail_providers' ? 'allowed_providers' : filter;
}
