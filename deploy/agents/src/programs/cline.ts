import { type Agent, platform, versioned } from './agent.ts';

const provider = 'openai-compatible';

/** Cline's command line. */
export const cline: Agent = {
  name: 'cline',
  package: 'cline',
  version: '3.0.65',
  licence: 'Apache-2.0',
  door: 'chat/completions',
  program: `@cline/cli-${platform}/bin/cline`,
  isScript: false,
  refused: { 'data.cline.bot:443': 'its feature flags have no switch; it works without an answer' },
  settings: (seat) => ({
    '.cline/data/settings/global-settings.json': JSON.stringify({
      telemetryOptOut: true,
      autoUpdateEnabled: false,
    }),
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: provider,
      modes: {},
      providers: {
        [provider]: {
          settings: { provider, apiKey: seat.key, model: seat.model, baseUrl: versioned(seat) },
          updatedAt: new Date(0).toISOString(),
          tokenSource: 'manual',
        },
      },
    }),
  }),
  environment: () => ({
    CLINE_NO_AUTO_UPDATE: '1',
    // Without the daemon that would stay after the job.
    CLINE_SESSION_BACKEND_MODE: 'local',
  }),
  job: ({ model }, prompt) => [
    '--provider',
    provider,
    '--model',
    model,
    '--auto-approve',
    'true',
    prompt,
  ],
};
