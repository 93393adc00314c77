import { type Agent, versioned } from './agent.ts';

/** OpenAI's Codex CLI. */
export const codex: Agent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  licence: 'Apache-2.0',
  door: 'responses',
  program: '@openai/codex/bin/codex.js',
  isScript: true,
  searches: true,
  settings: (seat) => ({
    '.codex/config.toml': `model = "${seat.model}"
model_provider = "sluice"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

# They ask github.com and chatgpt.com.
[features]
plugins = false
apps = false

[model_providers.sluice]
name = "Sluice"
base_url = "${versioned(seat)}"
env_key = "SLUICE_API_KEY"
wire_api = "responses"
`,
  }),
  environment: ({ key }) => ({ SLUICE_API_KEY: key }),
  job: (_seat, prompt) => [
    'exec',
    '--skip-git-repo-check',
    // The sandbox of Codex needs rights that a container does not have.
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
};
