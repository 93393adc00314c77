/** Applications by how their user agent, or `originator`, begins. The first that fits counts. */
const applications: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^codex(?:_[a-z]| (?:desktop|app|cli)\b|\/|$)/i, 'Codex'],
  [/^claude-(?:cli|code)\//i, 'Claude Code'],
  [/^opencode\//i, 'opencode'],
  [/^qwencode\//i, 'Qwen Code'],
  [/^cline\//i, 'Cline'],
  [/^roo-?code\//i, 'Roo Code'],
  [/^kilo-?code\//i, 'Kilo Code'],
  [/^aider\//i, 'aider'],
  [/^(?:geminicli|gemini-cli)\b/i, 'Gemini CLI'],
  [/^cursor\//i, 'Cursor'],
  [/^zed\//i, 'Zed'],
  [/^(?:github)?copilot/i, 'GitHub Copilot'],
  [/^(?:async)?openai\//i, 'OpenAI SDK'],
  [/^(?:async)?anthropic\//i, 'Anthropic SDK'],
  [/^ai-sdk\/|^ai\/\d/i, 'AI SDK'],
  [/^langchain/i, 'LangChain'],
  [/^litellm\//i, 'LiteLLM'],
  [/^curl\//i, 'curl'],
];

const names: ReadonlySet<string> = new Set(applications.map(([, name]) => name));

/**
 * Returns the name of a well-known application: that of its `originator`, or else of its user agent. There are few
 * names, because usage is summed up by them.
 */
export function applicationName(
  originator: string | undefined,
  userAgent: string | undefined,
): string | undefined {
  return nameOf(originator) ?? nameOf(userAgent);
}

/** Returns the text if it is a name that `applicationName` gives. */
export function knownApplication(name: string | undefined): string | undefined {
  return name !== undefined && names.has(name) ? name : undefined;
}

function nameOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return applications.find(([pattern]) => pattern.test(text))?.[1];
}
