import { type Agent, limits, versioned } from './agent.ts';

/** Qwen Code. */
export const qwen: Agent = {
  name: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  licence: 'Apache-2.0',
  door: 'chat/completions',
  program: '@qwen-code/qwen-code/cli-entry.js',
  isScript: true,
  settings: ({ model }) => ({
    '.qwen/settings.json': JSON.stringify({
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      // A second agent that reads each conversation afterwards.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      model: {
        name: model,
        generationConfig: {
          contextWindowSize: limits.context,
          samplingParams: { max_tokens: limits.output },
        },
      },
    }),
  }),
  environment: (seat) => ({
    OPENAI_API_KEY: seat.key,
    OPENAI_BASE_URL: versioned(seat),
    OPENAI_MODEL: seat.model,
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  }),
  job: (_seat, prompt) => ['--auth-type', 'openai', '--approval-mode', 'yolo', '--prompt', prompt],
};
