const textsMax = 10_000;

/** Answers equal texts with the same one, so that what many have in common is in memory once. */
export function sharedTexts(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    // A holder of a text keeps it. Only later holders no longer share it.
    if (known.size >= textsMax) known.clear();
    known.set(text, text);
    return text;
  };
}
