import { openAiChat, type Dialect } from '@sluice/providers';
import type { Model, OpenAuthor, Pricing } from './catalog.ts';
import { endpointRow, modelRow } from './rows.ts';

const author = 'sim';
/** Not free, so that limits and credits can be seen at work. */
const pricing: Pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  input_cache_read: '0.0000005',
};
const created = 1_700_000_000;

/** A model, and what each of its endpoints calls it and speaks. */
interface SimulatedModel {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly (readonly [upstreamModel: string, dialect: Dialect])[];
  readonly isReasoning?: true;
  readonly isHidden?: true;
}

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
    name: 'reasoning',
    title: 'reasoning',
    description: 'Thinks aloud, then repeats what you said.',
    endpoints: [['echo-sim-reasoning', 'openai-responses']],
    isReasoning: true,
  },
  {
    name: 'fallback',
    title: 'fallback',
    description: 'Its first endpoint always fails.',
    endpoints: [
      ['sim-error-503', 'openai-responses'],
      ['echo', 'openai-chat'],
    ],
    isHidden: true,
  },
];

/** The simulator's models: the listed ones, and `sim/<anything>` for those that fail on request. */
export function simulatorModels(simulatorUrl: string): {
  readonly models: readonly Model[];
  readonly openAuthor: OpenAuthor;
} {
  const open = (name: string): SimulatedModel => ({
    name,
    title: name,
    description: 'Does what its name says.',
    endpoints: [[name, name.startsWith('chat') ? 'openai-chat' : 'openai-responses']],
    isHidden: true,
  });
  return {
    models: models.map((model) => modelOf(model, simulatorUrl)),
    openAuthor: { author, model: (name) => modelOf(open(name), simulatorUrl) },
  };
}

function modelOf(simulated: SimulatedModel, simulatorUrl: string): Model {
  const { name, title, description, endpoints, isReasoning = false, isHidden = false } = simulated;
  const id = `${author}/${name}`;
  const limits = { contextLength: 128_000, outputTokensMax: 16_384 };
  return modelRow({
    id,
    name: `Simulator: ${title}`,
    description,
    created,
    ...limits,
    isReasoning,
    isHidden,
    endpoints: endpoints.map(([upstreamModel, dialect]) => {
      const endpoint = {
        provider: 'simulator',
        dialect,
        baseUrl: simulatorUrl,
        apiKey: undefined,
        upstreamModel,
        keepsAnswers: true,
        chat: openAiChat,
      };
      return endpointRow(id, endpoint, pricing, { ...limits, providerName: 'Simulator' });
    }),
  });
}
