const textsMax = 10_000;

/** Answers equal texts with the same one, so that what many have in common is in memory once. */
export function sharedTexts(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    // Who still has one keeps it; only later ones do not share it any more.
    if (known.size >= textsMax) known.clear();
    known.set(text, text);
    return text;
  };
}
