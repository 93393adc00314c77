import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { applicationName, knownApplication } from './index.ts';

test.each([
  ['codex_exec', 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) dumb (codex_exec; 0.169.0)', 'Codex'],
  [undefined, 'codex_cli_rs/0.169.0 (Mac OS 15.1; arm64) iTerm', 'Codex'],
  ['Codex Desktop', 'Electron/40', 'Codex'],
  [undefined, 'claude-cli/2.1.330 (external, sdk-cli)', 'Claude Code'],
  [undefined, 'opencode/1.18.33 ai-sdk/provider-utils/4.0.40 runtime/bun/1.3.14', 'opencode'],
  [undefined, 'QwenCode/0.24.4 (linux; x64)', 'Qwen Code'],
  [undefined, 'Cline/3.0.65', 'Cline'],
  [undefined, 'ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30', 'AI SDK'],
  [undefined, 'OpenAI/JS 6.9.0', 'OpenAI SDK'],
  [undefined, 'AsyncOpenAI/Python 2.8.0', 'OpenAI SDK'],
  [undefined, 'Anthropic/JS 1.11.0', 'Anthropic SDK'],
  [undefined, 'curl/8.5.0', 'curl'],
  ['someone', 'codex-lookalike-tool', undefined],
  [undefined, 'node', undefined],
  [undefined, 'my claude-cli/2', undefined],
  ['', '', undefined],
])('%s and %s are %s', (originator, userAgent, name) => {
  equal(applicationName(originator, userAgent), name);
  equal(knownApplication(name), name);
});

test('another text is no known application', () => {
  equal(knownApplication('codex_exec/1'), undefined);
});
