/** Parameters that follow each other are one argument: a model is `author/slug`. */
const groupPattern = /\{\w+\}(?:\/\{\w+\})*/g;

/** Returns the names of the parameters of a path, by the argument that they are written in. */
export function parameterGroups(path: string): readonly (readonly string[])[] {
  return [...path.matchAll(groupPattern)].map(([group]) =>
    [...group.matchAll(/\w+/g)].map(([name]) => name),
  );
}

/** Puts the arguments, percent-encoded, in the place of the parameters. Returns a path below the base URL. */
export function filledPath(path: string, words: readonly string[]): string {
  let index = 0;
  const filled = path.replaceAll(groupPattern, (group) => {
    const word = encodeURIComponent(words[index++] ?? '');
    return group.includes('/') ? word.replaceAll('%2F', '/') : word;
  });
  // The base URL ends in `/v1`.
  return filled.startsWith('/v1/') ? filled.slice('/v1'.length) : `/..${filled}`;
}
