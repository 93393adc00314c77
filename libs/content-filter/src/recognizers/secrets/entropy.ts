/** Returns the Shannon entropy of a text in bits for each character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return text.length === 0 ? 0 : bits / text.length;
}

const shortLength = 24;
const longSample = 400;

/** Says whether a text has enough different characters to be drawn by chance. */
export function isVaried(text: string): boolean {
  const least = text.length < 12 ? 2.2 : text.length < shortLength ? 2.5 : 3;
  return (
    entropyOf(text.slice(0, longSample)) >= least && !/(.)\1{5}/u.test(text.slice(0, longSample))
  );
}

const placeholderWords = new RegExp(
  [
    String.raw`x{4}|\*{3}|\.{3}|…|_{4}|<[^>]{0,80}>|[$#]\{|\$\(|\{\{|\}\}|%\(|%[sdv]\b`,
    'example|sample|placeholder|change[-_ ]?(?:me|this|it)|your[-_ ]?|my[-_]|dummy|redacted|insert',
    String.raw`replace|todo|undefined|function|process\.env|import\.meta|environ|getenv`,
    'foobar|deadbeef|lorem',
  ].join('|'),
  'iu',
);

/** Says whether a text stands for a credential and is none, as `your-token` or `${TOKEN}`. */
export function isPlaceholder(text: string): boolean {
  return placeholderWords.test(text) || /^[$%@{<[(]/u.test(text) || isRunOf(text);
}

/** Says whether one to three characters are all there is. */
function isRunOf(text: string): boolean {
  return new Set(text).size <= 3;
}

/** Says whether a value looks drawn by chance: no word, no placeholder, with letters and digits. */
export function isRandom(text: string): boolean {
  return /\p{L}/u.test(text) && /[0-9]/u.test(text) && isVaried(text) && !isPlaceholder(text);
}
