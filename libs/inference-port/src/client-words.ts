/** The purposes of an application (`X-Service-Categories`). */
export const applicationCategories: ReadonlySet<string> = new Set([
  'audio-gen',
  'cli-agent',
  'cloud-agent',
  'creative-writing',
  'game',
  'general-chat',
  'ide-extension',
  'image-gen',
  'legal',
  'native-app-builder',
  'personal-agent',
  'programming-app',
  'roleplay',
  'translation',
  'video-gen',
  'writing-assistant',
]);

/**
 * Features of Anthropic's protocol that a client may ask for (`x-anthropic-beta`). They change how tokens are read
 * or written. A feature that costs something besides tokens, or runs code, is none of them: no hold covers it.
 */
export const anthropicBetas: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'extended-cache-ttl-2025-04-11',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'prompt-caching-2024-07-31',
  'token-efficient-tools-2025-02-19',
]);
