import { nativeToolKinds, openAiChat, type Dialect, type Endpoint } from '@sluice/providers';
import type { Model, OpenAuthor, Pricing, ReasoningAbility } from './catalog.ts';
import { type EndpointFacts, endpointRow, modelRow } from './rows.ts';

const author = 'sim';
/** Not free, so that limits and credits can be seen at work. */
const pricing: Pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  input_cache_read: '0.0000005',
};
const free: Pricing = { prompt: '0', completion: '0' };
const freeMark = ':free';
const created = 1_700_000_000;
const keepsNothing = { retains: false, trains: false, publishes: false };

type SimulatedEndpoint = readonly [
  upstreamModel: string,
  dialect: Dialect,
  differs?: {
    readonly provider?: string;
    readonly pricing?: Pricing;
    readonly nativeTools?: Endpoint['nativeTools'];
  } & EndpointFacts,
];

const alwaysThinks: ReasoningAbility = {
  isMandatory: true,
  efforts: undefined,
  defaultEffort: undefined,
  isDefaultOn: true,
  takesBudget: false,
};

/** A model, and what each of its endpoints calls it and speaks. */
interface SimulatedModel {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly isReasoning?: true;
  readonly isHidden?: true;
}

const answerLimits = { contextLength: 128_000, outputTokensMax: 16_384 };
const vectorLimits = { contextLength: 8_192, outputTokensMax: undefined };

/** Facts of an endpoint that makes vectors. */
const vectors = {
  pricing: { prompt: '0.000001', completion: '0' },
  inputModalities: ['text'],
  outputModalities: ['embeddings'],
} as const satisfies SimulatedEndpoint[2];

/** Facts of an endpoint that ranks documents. */
const ranks = {
  pricing: { prompt: '0.000001', completion: '0' },
  inputModalities: ['text', 'image'],
  outputModalities: ['rerank'],
} as const satisfies SimulatedEndpoint[2];

/** Facts of an endpoint that ranks documents and is paid by search units. */
const unitRanks = {
  ...ranks,
  pricing: { prompt: '0', completion: '0', search_unit: '0.002' },
  inputModalities: ['text'],
} as const satisfies SimulatedEndpoint[2];

/** Facts of an endpoint that draws. */
const pictures = { outputModalities: ['text', 'image'] } as const satisfies SimulatedEndpoint[2];

/** Facts of an endpoint that has tools of its own, a search of the web among them. */
const natives = {
  pricing: { ...pricing, web_search: '0.01' },
  nativeTools: nativeToolKinds,
} as const satisfies SimulatedEndpoint[2];

const models: readonly SimulatedModel[] = [
  {
    name: 'echo',
    title: 'echo',
    description: 'Repeats what you said. Speaks the responses dialect.',
    endpoints: [['echo', 'openai-responses']],
  },
  {
    name: 'chat',
    title: 'chat',
    description: 'Repeats what you said. Speaks chat completions.',
    endpoints: [['echo', 'openai-chat']],
  },
  {
    name: 'messages',
    title: 'messages',
    description: "Repeats what you said. Speaks Anthropic's messages.",
    endpoints: [['echo', 'anthropic-messages']],
  },
  {
    name: 'gemini',
    title: 'gemini',
    description: "Repeats what you said. Speaks Google's generateContent.",
    endpoints: [['echo', 'google-gemini']],
  },
  {
    name: 'agent',
    title: 'agent',
    description: 'Calls tools as you say: `call f {"a":1} then call g then say done`.',
    // A dialect whose API runs no tool itself: each loop runs in Sluice.
    endpoints: [['agent', 'openai-chat']],
  },
  {
    name: 'reasoning',
    title: 'reasoning',
    description: 'Thinks aloud, then repeats what you said.',
    endpoints: [['echo-sim-reasoning', 'openai-responses']],
    isReasoning: true,
  },
  {
    name: 'embedding',
    title: 'embedding',
    description: "Makes vectors. Speaks OpenAI's embeddings.",
    endpoints: [['embedding', 'openai-chat', vectors]],
  },
  {
    name: 'gemini-embedding',
    title: 'gemini embedding',
    description: "Makes vectors. Speaks Google's batchEmbedContents.",
    endpoints: [['embedding', 'google-gemini', vectors]],
  },
  {
    name: 'rerank',
    title: 'rerank',
    description: 'Ranks documents. Speaks the rerank calls of Jina and vLLM.',
    endpoints: [['rerank', 'openai-chat', ranks]],
  },
  {
    name: 'cohere-rerank',
    title: 'cohere rerank',
    description: "Ranks documents. Speaks Cohere's rerank calls.",
    endpoints: [['cohere-rerank', 'openai-chat', unitRanks]],
  },
  {
    name: 'fallback',
    title: 'fallback',
    description: 'Its first endpoint always fails.',
    endpoints: [
      // Free, so that it is always tried first.
      ['sim-error-503', 'openai-responses', { pricing: { prompt: '0', completion: '0' } }],
      ['echo', 'openai-chat'],
    ],
    isHidden: true,
  },
  {
    name: 'trio',
    title: 'trio',
    description: 'Three providers at prices of 1 to 2 to 3; the last one keeps nothing.',
    endpoints: [
      ['echo', 'openai-chat', trio('a', 1, { quantization: 'fp8', tag: 'sim-a/us-east' })],
      ['echo', 'openai-responses', trio('b', 2, { quantization: 'bf16', dataRegion: 'europe' })],
      ['echo', 'anthropic-messages', trio('c', 3, { dataPolicy: keepsNothing })],
    ],
    isHidden: true,
  },
  {
    name: 'tiers',
    title: 'tiers',
    description: 'One provider in three service tiers.',
    endpoints: [
      ['echo', 'openai-responses', trio('t', 2, {})],
      ['echo', 'openai-responses', trio('t', 4, { tier: 'priority', tag: 'sim-t/priority' })],
      ['echo', 'openai-responses', trio('t', 1, { tier: 'flex', tag: 'sim-t/flex' })],
    ],
    isHidden: true,
  },
];

/** An endpoint of a provider of its own, at a multiple of a price. */
function trio(
  letter: string,
  factor: number,
  facts: NonNullable<SimulatedEndpoint[2]>,
): NonNullable<SimulatedEndpoint[2]> {
  const price = `0.00000${String(factor)}`;
  return {
    provider: `sim-${letter}`,
    providerName: `Simulator ${letter.toUpperCase()}`,
    pricing: { prompt: price, completion: price },
    ...facts,
  };
}

/** The simulator's models: the listed ones, and `sim/<anything>` for those that fail on request. */
export function simulatorModels(simulatorUrl: string): {
  readonly models: readonly Model[];
  readonly openAuthor: OpenAuthor;
} {
  const open = (name: string): SimulatedModel => {
    if (name.endsWith(freeMark)) return freeVariant(name.slice(0, -freeMark.length));
    return {
      name,
      title: name,
      description: 'Does what its name says.',
      endpoints: [[name, dialectOf(name), factsOf(name)]],
      isHidden: true,
    };
  };
  /** The same for nothing, within the quota of requests to free models. */
  const freeVariant = (name: string): SimulatedModel => {
    const paid = models.find((model) => model.name === name) ?? open(name);
    return {
      ...paid,
      name: `${name}${freeMark}`,
      title: `${paid.title} (free)`,
      endpoints: paid.endpoints.map(([upstreamModel, dialect, differs]) => [
        upstreamModel,
        dialect,
        { ...differs, pricing: free },
      ]),
      isHidden: true,
    };
  };
  return {
    models: models.map((model) => modelOf(model, simulatorUrl)),
    openAuthor: {
      author,
      model: (name) => (hasOwnRow(name) ? modelOf(open(name), simulatorUrl) : undefined),
    },
  };
}

/** A suffix of a slug names another model. Of those, the simulator has the free ones. */
function hasOwnRow(name: string): boolean {
  const base = name.endsWith(freeMark) ? name.slice(0, -freeMark.length) : name;
  return !base.includes(':');
}

function factsOf(name: string): NonNullable<SimulatedEndpoint[2]> {
  if (isOfVectors(name)) return vectors;
  if (name.startsWith('rerank')) return ranks;
  if (name.startsWith('cohere-rerank')) return unitRanks;
  if (hasNativeTools(name)) return natives;
  return name.startsWith('gemini-image') ? pictures : {};
}

function hasNativeTools(name: string): boolean {
  return name.startsWith('native') || name.startsWith('messages-native');
}

function isOfVectors(name: string): boolean {
  return name.startsWith('embedding') || name.startsWith('gemini-embedding');
}

const chatNames = /^(?:chat|agent|embedding|rerank|cohere-rerank)/;

function isOfRanks(name: string): boolean {
  return name.startsWith('rerank') || name.startsWith('cohere-rerank');
}

/** Returns the dialect of a model that is in no list: the name begins with it, else it is that of responses. */
function dialectOf(name: string): Dialect {
  if (chatNames.test(name)) return 'openai-chat';
  if (name.startsWith('messages')) return 'anthropic-messages';
  return name.startsWith('gemini') ? 'google-gemini' : 'openai-responses';
}

function modelOf(simulated: SimulatedModel, simulatorUrl: string): Model {
  const { name, title, description, endpoints, isReasoning = false, isHidden = false } = simulated;
  const id = `${author}/${name}`;
  const limits = isOfVectors(name) || isOfRanks(name) ? vectorLimits : answerLimits;
  return modelRow({
    id,
    name: `Simulator: ${title}`,
    description,
    created,
    ...limits,
    isReasoning,
    ...(isReasoning && { reasoning: alwaysThinks }),
    isHidden,
    endpoints: endpoints.map(([upstreamModel, dialect, differs = {}]) => {
      const { provider = 'simulator', pricing: own = pricing, nativeTools, ...facts } = differs;
      const endpoint = {
        provider,
        dialect,
        baseUrl: simulatorUrl,
        apiKey: undefined,
        upstreamModel,
        keepsAnswers: true,
        countsTextsOnly: true,
        chat: openAiChat,
        ...(nativeTools && { nativeTools }),
      };
      return endpointRow(id, endpoint, own, { ...limits, providerName: 'Simulator', ...facts });
    }),
  });
}
