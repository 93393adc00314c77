import { type Agent, limits, platform, versioned } from './agent.ts';

/** opencode, by its OpenAI package. */
export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  licence: 'MIT',
  door: 'responses',
  program: `opencode-${platform}/bin/opencode`,
  isScript: false,
  settings: (seat) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      model: `sluice/${seat.model}`,
      small_model: `sluice/${seat.model}`,
      autoupdate: false,
      share: 'disabled',
      enabled_providers: ['sluice'],
      permission: { '*': 'allow' },
      provider: {
        sluice: {
          name: 'Sluice',
          npm: '@ai-sdk/openai',
          options: { baseURL: versioned(seat), apiKey: '{env:SLUICE_API_KEY}' },
          models: { [seat.model]: { name: seat.model, limit: limits } },
        },
      },
    }),
    // The files make its package for plugins look installed. Otherwise it asks the registry of npm at each start.
    '.config/opencode/node_modules/.keep': '',
    '.config/opencode/package-lock.json': JSON.stringify({
      packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } },
    }),
  }),
  environment: ({ key }) => ({
    SLUICE_API_KEY: key,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  job: (_seat, prompt) => ['run', prompt],
};
