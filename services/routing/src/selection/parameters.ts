import type {
  InferenceRequest,
  InputItem,
  ModelOptions,
  StructuredFormat,
} from '@sluice/inference';
import type { CatalogEndpoint, ServiceTier } from '@sluice/catalog';

/** The parameters that a request sends, by the names that the catalog has for them. */
export function parametersOf(request: InferenceRequest): readonly string[] {
  const sent: string[] = [];
  for (const name of names) if (isSent[name](request)) sent.push(name);
  return sent;
}

type IsSent = (request: InferenceRequest) => boolean;

const hasTools: IsSent = ({ tools }) => tools.length > 0;

const isSent = {
  max_tokens: ({ maxOutputTokens, embedding, ranking }) =>
    maxOutputTokens !== undefined && !embedding && !ranking,
  temperature: ({ temperature }) => temperature !== undefined,
  top_p: ({ topP }) => topP !== undefined,
  top_k: ({ options }) => options?.topK !== undefined,
  frequency_penalty: ({ options }) => options?.frequencyPenalty !== undefined,
  presence_penalty: ({ options }) => options?.presencePenalty !== undefined,
  repetition_penalty: ({ options }) => options?.repetitionPenalty !== undefined,
  min_p: ({ options }) => options?.minP !== undefined,
  top_a: ({ options }) => options?.topA !== undefined,
  logit_bias: ({ options }) => options?.logitBias !== undefined,
  seed: ({ options }) => options?.seed !== undefined,
  stop: ({ options }) => options?.stop !== undefined,
  prediction: ({ options }) => options?.prediction !== undefined,
  top_logprobs: ({ options }) => options?.topLogprobs !== undefined,
  tools: hasTools,
  tool_choice: (request) => hasTools(request) && request.toolChoice.type !== 'auto',
  parallel_tool_calls: (request) => hasTools(request) && request.parallelToolCalls !== undefined,
  response_format: ({ options }) => options?.format !== undefined,
  structured_outputs: ({ options }) => options?.format?.type === 'json-schema',
  reasoning: ({ options }) => options?.reasoning !== undefined,
  verbosity: ({ options }) => options?.verbosity !== undefined,
} as const satisfies Readonly<Record<string, IsSent>>;

const names = Object.keys(isSent) as readonly (keyof typeof isSent)[];

/** Parameters that select among a model's endpoints, if some of them know the parameter. */
export const softParameters = [
  'tools',
  'structured_outputs',
  'response_format',
  'verbosity',
] as const;

/** Parameters that change the choice of endpoints or the prompt, or are reported elsewhere. */
const noticed: ReadonlySet<string> = new Set([
  ...softParameters,
  'max_tokens',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
]);

/** Parameters that an endpoint without them drops silently. */
const droppedSilently = names.filter((name) => !noticed.has(name));

/** Returns a warning about the parameters that none of the endpoints knows. Absent: there are none. */
export function unheardWarning(
  request: InferenceRequest,
  attempts: readonly { readonly endpoint: Pick<CatalogEndpoint, 'supportedParameters'> }[],
): string | undefined {
  const sent = droppedSilently.filter((name) => isSent[name](request));
  if (sent.length === 0) return undefined;
  const unheard = sent.filter(
    (name) => !attempts.some(({ endpoint }) => endpoint.supportedParameters.has(name)),
  );
  if (unheard.length === 0) return undefined;
  return `${unheard.join(', ')} without effect: no endpoint of the model takes it`;
}

/**
 * The request as an endpoint accepts it: unknown parameters are left out, a format is described in words. It asks
 * for the tier of the endpoint, whose prices hold, whatever the client would have liked.
 */
export function requestFor(
  endpoint: Pick<CatalogEndpoint, 'supportedParameters' | 'tier'>,
  asked: InferenceRequest,
): InferenceRequest {
  const { supportedParameters: knows } = endpoint;
  const request = inTier(endpoint.tier, asked);
  let unknown: Set<string> | undefined;
  for (const name of names)
    if (!knows.has(name) && isSent[name](request)) (unknown ??= new Set()).add(name);
  if (!unknown) return request;
  const keepsTools = !unknown.has('tools');
  const { format } = request.options ?? {};
  const items = format && tellsFormatInWords(endpoint, format);
  return {
    ...request,
    items: items ? [formatItem(format), ...request.items] : request.items,
    tools: keepsTools ? request.tools : [],
    toolChoice: keepsTools && !unknown.has('tool_choice') ? request.toolChoice : { type: 'auto' },
    parallelToolCalls: unknown.has('parallel_tool_calls') ? undefined : request.parallelToolCalls,
    temperature: unknown.has('temperature') ? undefined : request.temperature,
    topP: unknown.has('top_p') ? undefined : request.topP,
    ...(request.options && { options: optionsWithout(request.options, unknown) }),
  };
}

function inTier(tier: ServiceTier, request: InferenceRequest): InferenceRequest {
  const serviceTier = tier === 'default' ? undefined : tier;
  if (request.options?.serviceTier === serviceTier) return request;
  const { serviceTier: _asked, ...options } = request.options ?? {};
  return { ...request, options: serviceTier ? { ...options, serviceTier } : options };
}

const optionOf: Readonly<Record<string, keyof ModelOptions>> = {
  top_k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  repetition_penalty: 'repetitionPenalty',
  min_p: 'minP',
  top_a: 'topA',
  logit_bias: 'logitBias',
  seed: 'seed',
  stop: 'stop',
  prediction: 'prediction',
  top_logprobs: 'topLogprobs',
  response_format: 'format',
  structured_outputs: 'format',
  reasoning: 'reasoning',
  verbosity: 'verbosity',
};

function optionsWithout(options: ModelOptions, unknown: ReadonlySet<string>): ModelOptions {
  const dropped = new Set([...unknown].map((name) => optionOf[name]));
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !dropped.has(name as keyof ModelOptions)),
  );
}

/** Returns true if an endpoint cannot be given the form of an answer: the model is asked for it in words. */
export function tellsFormatInWords(
  { supportedParameters: knows }: Pick<CatalogEndpoint, 'supportedParameters'>,
  { type }: StructuredFormat,
): boolean {
  return (
    !knows.has('response_format') || (type === 'json-schema' && !knows.has('structured_outputs'))
  );
}

/** Returns the words that ask for the form of an answer. */
export function formatInWords(format: StructuredFormat): string {
  const schema =
    format.type === 'json-schema'
      ? ` that follows this schema: ${JSON.stringify(format.schema)}`
      : '';
  return `Answer with nothing but a JSON value${schema}`;
}

function formatItem(format: StructuredFormat): InputItem {
  const content = [{ type: 'text', text: formatInWords(format) }] as const;
  return { type: 'message', role: 'system', content };
}
