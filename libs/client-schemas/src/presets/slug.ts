const slugLengthMax = 64;
const slugPattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Completes the sentence "slug: …" for a slug that no preset may have. */
export const presetSlugRule = `must be 1 to ${slugLengthMax} of a-z, 0-9 and single - or _`;

export function isPresetSlug(text: string): boolean {
  return text.length <= slugLengthMax && slugPattern.test(text);
}
