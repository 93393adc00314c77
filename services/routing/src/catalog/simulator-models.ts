import { openAiChat, type Dialect } from '@sluice/providers';
import type { Model, OpenAuthor, PricedEndpoint, Pricing } from './catalog.ts';
import { pricesOf } from './pricing.ts';

const author = 'sim';
/** Not free, so that limits and credits can be seen at work. */
const pricing: Pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  input_cache_read: '0.0000005',
};
const created = 1_700_000_000;

/** The simulator's models: the listed ones, and `sim/<anything>` for those that fail on request. */
export function simulatorModels(simulatorUrl: string): {
  readonly models: readonly Model[];
  readonly openAuthor: OpenAuthor;
} {
  const endpoint = (upstreamModel: string, dialect: Dialect): PricedEndpoint => ({
    endpoint: {
      provider: 'simulator',
      dialect,
      baseUrl: simulatorUrl,
      apiKey: undefined,
      upstreamModel,
      keepsAnswers: true,
      chat: openAiChat,
    },
    prices: pricesOf(pricing),
    pricing,
  });
  const model = (
    name: string,
    title: string,
    description: string,
    more: Pick<Model, 'endpoints'> & Partial<Model>,
  ): Model => ({
    id: `${author}/${name}`,
    name: title,
    description,
    created,
    contextLength: 128_000,
    outputTokensMax: 16_384,
    isReasoning: false,
    isHidden: false,
    ...more,
  });
  const failsOver = [
    endpoint('sim-error-503', 'openai-responses'),
    endpoint('echo', 'openai-chat'),
  ];
  return {
    models: [
      model('echo', 'Simulator: echo', 'Repeats what you said. Speaks the responses dialect.', {
        endpoints: [endpoint('echo', 'openai-responses')],
      }),
      model('chat', 'Simulator: chat', 'Repeats what you said. Speaks chat completions.', {
        endpoints: [endpoint('echo', 'openai-chat')],
      }),
      model('reasoning', 'Simulator: reasoning', 'Thinks aloud, then repeats what you said.', {
        endpoints: [endpoint('echo-sim-reasoning', 'openai-responses')],
        isReasoning: true,
      }),
      model('fallback', 'Simulator: fallback', 'Its first endpoint always fails.', {
        endpoints: failsOver,
        isHidden: true,
      }),
    ],
    openAuthor: {
      author,
      model: (name) =>
        model(name, `Simulator: ${name}`, 'Does what its name says.', {
          endpoints: [endpoint(name, name.startsWith('chat') ? 'openai-chat' : 'openai-responses')],
          isHidden: true,
        }),
    },
  };
}
