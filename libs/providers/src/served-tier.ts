/** The tiers that can serve a generation. */
export type ServedTier = 'default' | 'flex' | 'priority' | 'ultrafast';

/** `fast` is Anthropic's fast speed, `on_demand` is Groq's default tier, and `scale` is prepaid default capacity. */
const tiers: ReadonlyMap<unknown, ServedTier> = new Map([
  ['default', 'default'],
  ['standard', 'default'],
  ['on_demand', 'default'],
  ['scale', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
  ['ultrafast', 'ultrafast'],
]);

/** Maps an upstream's name of a tier. Returns undefined for an unknown or absent name. */
export function servedTier(word: unknown): ServedTier | undefined {
  return tiers.get(word);
}
