import type { Rejection } from '@sluice/errors';
import type { InferenceRequest, Tool } from '@sluice/inference';
import { type Candidate, outputTokensMaxOf, outputTokensUnasked } from './candidate.ts';
import type { FilterName } from './filters.ts';
import type { Exclusion } from './plan.ts';

const docsUrl = '/docs#model-availability';

/** What is told of a model that cannot be served, beside the error itself. */
export interface Availability {
  readonly code: string;
  readonly retryable: boolean;
  readonly requested_models: readonly string[];
  readonly docs_url: string;
  readonly retry_after?: number;
  readonly affected_providers?: readonly string[];
  readonly excluded_by?: readonly string[];
  readonly constraint?: { readonly field: string; readonly detail: string };
  readonly fallback_models?: readonly string[];
}

export function availability(
  code: string,
  requested: readonly string[],
  more: Partial<Availability> = {},
): Availability {
  const [, ...fallbacks] = requested;
  return {
    code,
    retryable: false,
    requested_models: requested,
    docs_url: docsUrl,
    ...(fallbacks.length > 0 && { fallback_models: fallbacks }),
    ...more,
  };
}

/** None of the models exists. */
export function modelNotFound(requested: readonly string[]): Rejection {
  const [first = ''] = requested;
  return {
    rejected: 'model_not_found',
    message: `${first} is not a valid model ID`,
    metadata: { availability: availability('model_not_found', requested) },
  };
}

/** Nothing that is listed costs nothing. */
export function noFreeModel(requested: readonly string[]): Rejection {
  return no('not_found', 'There is no free model', availability('no_endpoints', requested));
}

interface Emptied {
  readonly requested: readonly string[];
  readonly by: FilterName;
  /** What there was before the filter that left nobody. */
  readonly last: readonly Candidate[];
  readonly excluded: readonly Exclusion[];
  readonly request: Pick<InferenceRequest, 'tools' | 'maxOutputTokens'>;
  /** Of the request: providers that it permits. */
  readonly only: readonly string[] | undefined;
}

const fieldOf: Readonly<Partial<Record<FilterName, string>>> = {
  service_tier: 'service_tier',
  allowed_providers: 'provider',
  distillable: 'provider.enforce_distillable_text',
  modalities: 'input',
  native_tools: 'tools',
  output_limit: 'max_output_tokens',
  require_parameters: 'provider.require_parameters',
  quantization: 'provider.quantizations',
  max_price: 'provider.max_price',
  data_region: 'allowed_data_regions',
};

const shellOfService = 'that of the service is known, but not available yet';

/** Every endpoint was filtered out: the filter that left nobody says why. */
export function nobodyLeft(emptied: Emptied): Rejection {
  return impossible(emptied) ?? wrongEndpoint(emptied) ?? filteredOut(emptied);
}

/** The request asks for what no endpoint of its model can do at all: then it is the request that is wrong. */
function impossible(emptied: Emptied): Rejection | undefined {
  const {
    by,
    requested: [model = ''],
    request,
    last,
  } = emptied;
  if (by === 'thinking_room') {
    const most =
      request.maxOutputTokens ?? Math.max(...last.map((one) => outputTokensUnasked(one) ?? 0));
    return invalid(
      'reasoning.max_tokens',
      `must be smaller than the output limit of ${String(most)} tokens, which holds thinking and answer`,
    );
  }
  if (by === 'effort_changes')
    return invalid('input', 'the effort of this model cannot be changed in mid-conversation');
  if (by === 'stored_prompts')
    return invalid('prompt', 'stored prompts are not supported by this model');
  if (by === 'native_tools' && request.tools.some(isShell))
    return invalid('tools', `${model} has no shell, and ${shellOfService}`);
  return undefined;
}

/** Embeddings and their like are asked for at another address. */
function wrongEndpoint({ by, requested, last }: Emptied): Rejection | undefined {
  if (by !== 'endpoint_kind') return undefined;
  const [model = ''] = requested;
  const kinds = new Set(last.flatMap(({ endpoint }) => endpoint.outputModalities));
  const message = `${model} cannot be used with /responses: it answers with ${[...kinds].join(', ')}`;
  return no('invalid_request', message, availability('wrong_endpoint', requested));
}

function filteredOut(emptied: Emptied): Rejection {
  const { requested, by, last, excluded } = emptied;
  const [model = ''] = requested;
  const providers = [...new Set(last.map(({ endpoint }) => endpoint.endpoint.provider))];
  const common = {
    affected_providers: providers,
    excluded_by: [...new Set(excluded.map(({ filter }) => vocabularyOf(filter as FilterName)))],
  };
  const told = (code: string, detail: string) =>
    availability(code, requested, {
      ...common,
      ...(fieldOf[by] !== undefined && { constraint: { field: fieldOf[by], detail } }),
    });
  const unmet = (demand: string) =>
    no('not_found', `No endpoint of ${model} meets ${demand}`, told('constraint_filtered', by));
  switch (by) {
    case 'endpoint_kind':
    case 'disabled':
    case 'service_tier':
      return no('not_found', `No endpoints found for ${model}`, told('no_endpoints', by));
    case 'data_region':
      return no(
        'permission_denied',
        `No endpoint of ${model} is permitted in this region by a guardrail`,
        told('region_restricted', 'by a guardrail'),
      );
    case 'guardrail_models':
      return no(
        'permission_denied',
        `${model} is not permitted by a guardrail`,
        told('no_endpoints', 'by a guardrail'),
      );
    case 'guardrail_providers':
      return no(
        'permission_denied',
        `No provider of ${model} (${providers.join(', ')}) is permitted by a guardrail`,
        told('no_endpoints', 'by a guardrail'),
      );
    case 'allowed_providers': {
      const permitted = emptied.only ? `; the request permits ${emptied.only.join(', ')}` : '';
      const text = `No allowed providers for ${model}: it is served by ${providers.join(', ')}${permitted}`;
      return no('not_found', text, told('no_endpoints', by));
    }
    case 'data_policy:zdr':
    case 'data_policy:training':
      return no(
        'not_found',
        `No endpoint of ${model} meets the data policy that is asked for (${by})`,
        told('privacy_restricted', by),
      );
    case 'context_length':
      return no(
        'context_length_exceeded',
        `The request is longer than the context of ${model}: shorten the input or max_output_tokens`,
        told('constraint_filtered', by),
      );
    case 'output_limit':
      return tooManyTokens(model, last, (detail) => told('constraint_filtered', detail));
    case 'native_tools':
    case 'thinking_room':
    case 'effort_changes':
    case 'stored_prompts':
    case 'distillable':
    case 'modalities':
    case 'require_parameters':
    case 'quantization':
    case 'max_price':
      return unmet(fieldOf[by] ?? by);
  }
}

function tooManyTokens(
  model: string,
  last: readonly Candidate[],
  told: (detail: string) => Availability,
): Rejection {
  const most = `${String(Math.max(...last.map(outputTokensMaxOf)))} at most`;
  const message = `No endpoint of ${model} gives so many output tokens: max_output_tokens is ${most}`;
  return no('not_found', message, told(most));
}

/** Where an endpoint has none, one of the service takes its place. */
function isShell(tool: Tool): boolean {
  const type = tool.type === 'native' ? tool.tool['type'] : undefined;
  return type === 'shell' || type === 'local_shell';
}

/** The request itself asks for what none of its models can do. */
export function invalid(path: string, message: string): Rejection {
  return {
    rejected: 'invalid_request',
    message: `Invalid request: ${path}: ${message}`,
    metadata: { issues: [{ path, message }] },
  };
}

function no(rejected: Rejection['rejected'], message: string, told: Availability): Rejection {
  return { rejected, message, metadata: { availability: told } };
}

/** Returns the public word for a filter: the public vocabulary has fewer. */
function vocabularyOf(filter: FilterName): string {
  if (filter === 'output_limit') return 'context_length';
  return filter === 'guardrail_providers' || filter === 'guardrail_models'
    ? 'allowed_providers'
    : filter;
}
