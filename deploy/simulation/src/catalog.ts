import { createCatalog, endpointRow, modelRow } from '@sluice/catalog';
import { openAiChat } from '@sluice/providers';

/** The prices of the simulation's models, in nano-USD. */
export const prices = { inputNanoUsd: 1_000n, cachedNanoUsd: 500n, outputNanoUsd: 2_000n };

const pricing = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000005' };

/** The provider of accounts with a credential of their own. */
export const ownProvider = 'own';

/** `sim/one` has one endpoint, `sim/two` another one to fall back to; for `sim/own` some have a credential. */
export const catalog = createCatalog(
  [
    model('sim/one', ['first']),
    model('sim/two', ['first', 'second']),
    model('sim/own', [ownProvider]),
  ],
  [],
);

function model(id: string, providers: readonly string[]): ReturnType<typeof modelRow> {
  const endpoints = providers.map((provider) =>
    endpointRow(
      id,
      {
        provider,
        dialect: 'openai-chat',
        baseUrl: 'http://provider.invalid',
        apiKey: undefined,
        upstreamModel: 'model',
        chat: openAiChat,
        keepsAnswers: provider === 'first',
      },
      pricing,
    ),
  );
  return modelRow({ id, outputTokensMax: 1_000, endpoints });
}
