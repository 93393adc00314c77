import { type Agent, limits, platform } from './agent.ts';

/** Anthropic's Claude Code. Its licence allows use, not distribution: nothing of it is kept here. */
export const claude: Agent = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  licence: "Anthropic's commercial terms",
  door: 'messages',
  program: `@anthropic-ai/claude-code-${platform}/claude`,
  isScript: false,
  searches: true,
  settings: () => ({}),
  environment: ({ rootUrl, key, model }) => ({
    ANTHROPIC_BASE_URL: rootUrl,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    // Ten, after minutes, are its own choice: also for a key that is refused.
    CLAUDE_CODE_MAX_RETRIES: '3',
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(limits.context),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.output),
    // Updates, telemetry, reports of errors and surveys.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  job: (_seat, prompt) => [
    '--print',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools=Bash,Read,Edit,Write,WebSearch',
    prompt,
  ],
};
