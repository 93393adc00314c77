const atEnd = (...parts: readonly string[]) => new RegExp(`${parts.join('')}$`, 'iu');
/** Finds a number in groups at the end of a text, with an extension or a sign that makes it another number. */
export const numberAtEnd = atEnd(
  String.raw`[+(\d][\d\s().,:/_+\u2010-\u2015-]*`,
  String.raw`(?:(?:e|ex|ext|exte|exten|extens|extensi|extensio|extension|x)\.?\s{0,2}\.?\d{0,6})?`,
);
const atSign = String.raw`[([]\s?at\s?[)\]]`;
const dot = String.raw`\s{0,2}(?:[([]\s?dot\s?[)\]]|\.)\s{0,2}`;
const dotBegun = String.raw`(?:[([]\s?(?:d|do|dot)?\s?[)\]]?|\.)?`;
const label = String.raw`[^\s()[\].]{1,64}`;
/** Finds `name (at) host (dot) tld`, as far as it is there, at the end of a text. */
export const writtenEmailAtEnd = atEnd(
  String.raw`[^\s()[\]]{1,64}\s{0,2}(?:[([]\s?(?:a|at)?\s?|${atSign}\s{0,2}`,
  String.raw`(?:${label}(?:${dot}${label}){0,4}\s{0,2}${dotBegun}\s{0,2})?)?`,
);
