/** The tiers that a generation can be served in. */
export type ServedTier = 'default' | 'flex' | 'priority' | 'ultrafast';

/** `fast` is a speed of Anthropic's, `on_demand` Groq's usual tier; what was bought in advance is the usual one too. */
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

/** An upstream's word for the tier that served, in ours; undefined: it says none that we know. */
export function servedTier(word: unknown): ServedTier | undefined {
  return tiers.get(word);
}
