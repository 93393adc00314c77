import type { RoutingDeps } from '@sluice/routing/service';
import { openAiChat } from '@sluice/providers';

type Catalog = RoutingDeps['catalog'];
type Model = NonNullable<ReturnType<Catalog['find']>>;

/** What the models of the simulation cost, in nano-USD. */
export const prices = { inputNanoUsd: 1_000n, cachedNanoUsd: 500n, outputNanoUsd: 2_000n };

const attoPerNano = 1_000_000_000n;

/** `sim/one` has one endpoint, `sim/two` another one to fall back to. */
export const catalog: Catalog = { find, listed: [] };

function find(id: string): Model | undefined {
  const endpoints = [endpoint('first'), endpoint('second')];
  const common = {
    id,
    name: id,
    description: '',
    created: 0,
    contextLength: undefined,
    outputTokensMax: 1_000,
    isReasoning: false,
    isHidden: false,
  };
  if (id === 'sim/one') return { ...common, endpoints: endpoints.slice(0, 1) };
  return id === 'sim/two' ? { ...common, endpoints } : undefined;
}

function endpoint(provider: string): Model['endpoints'][number] {
  return {
    endpoint: {
      provider,
      dialect: 'openai-chat',
      baseUrl: 'http://provider.invalid',
      apiKey: undefined,
      upstreamModel: 'model',
      chat: openAiChat,
      keepsAnswers: provider === 'first',
    },
    prices: {
      inputTokenAttoUsd: prices.inputNanoUsd * attoPerNano,
      cachedTokenAttoUsd: prices.cachedNanoUsd * attoPerNano,
      outputTokenAttoUsd: prices.outputNanoUsd * attoPerNano,
      requestAttoUsd: 0n,
    },
    pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000005' },
  };
}
