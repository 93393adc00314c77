import { segmentWords, type Vocabulary } from './vocabulary.ts';

/** The words of a text as a person reads them, each with its place. The end of a sentence takes places as well. */
export interface ReadWords {
  readonly words: readonly string[];
  readonly places: readonly number[];
}

/** Letters of other alphabets in pairs with the Latin ones that they look like. */
const lookAlikes =
  'аaеeоoсcрpхxуyіiјjѕsԁdһhӏlԛqԝwкkмmтtвbнhαaοoρpνvιiκkτtυuεeηnχxɡgɑaɩiıiʏyʟlʀrɴnʜhᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢz';
const latin: ReadonlyMap<string, string> = new Map(
  Array.from({ length: lookAlikes.length / 2 }, (_, at) => [
    lookAlikes.charAt(2 * at),
    lookAlikes.charAt(2 * at + 1),
  ]),
);
const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '+': 't',
};

const tokens = /[\p{L}\p{N}@$*]+(?:['’!|+][\p{L}\p{N}@$*]+)*|[.!?](?=\s|$)/gu;
const sentenceEnd = /^[.!?]$/u;
/** A sentence has this many words at least: a stop behind each word separates nothing. */
const sentenceWordsMin = 4;
const sentencePlaces = 3;
/** A word whose letters stand apart has this many at least. */
const lettersMin = 4;
const lettersMax = 512;
const wordCharactersMax = 64;

/** They have no Latin letter, and one of them may become 18 characters. */
const ligatures = /[\u3300-\u33ff\ufb50-\ufdff\ufe70-\ufefc]+/gu;

/** Returns a text in lower case and plain Latin letters, without characters that are not seen. */
export function fold(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/u.test(text)) return text.toLowerCase();
  return text
    .replaceAll(ligatures, ' ')
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]+/gu, '')
    .toLowerCase()
    .replaceAll(/[\u0131-\u058f\u1d00-\u1d7f]/gu, (letter) => latin.get(letter) ?? letter);
}

/**
 * Reads the words of a folded text. Letters that stand apart, digits and signs in place of letters, repeated and
 * masked letters are read as the word of the vocabulary that they stand for. The work grows with the text.
 */
export function readWords(text: string, vocabulary: Vocabulary): ReadWords {
  const words: string[] = [];
  const places: number[] = [];
  let place = 0;
  let inSentence = 0;
  let letters: string[] = [];
  const add = (word: string) => {
    words.push(word);
    places.push(place);
    place += 1;
    inSentence += 1;
  };
  const endLetters = () => {
    if (letters.length >= lettersMin)
      for (const word of segmentWords(decoded(letters.join('')), vocabulary)) add(word);
    else for (const letter of letters) add(letter);
    letters = [];
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token.length === 1 && /[\p{L}\p{N}@$!]/u.test(token) && !sentenceEnd.test(token)) {
      letters.push(token);
      if (letters.length >= lettersMax) endLetters();
      continue;
    }
    endLetters();
    if (!sentenceEnd.test(token)) for (const word of wordsOfToken(token, vocabulary)) add(word);
    else if (inSentence >= sentenceWordsMin) {
      place += sentencePlaces;
      inSentence = 0;
    }
  }
  endLetters();
  return { words, places };
}

function decoded(token: string): string {
  return token.replaceAll(/[0-9@$!|+]/gu, (sign) => leet[sign] ?? sign);
}

function wordsOfToken(token: string, vocabulary: Vocabulary): readonly string[] {
  const glued = token.replaceAll(/['’]/gu, '');
  if (vocabulary.has(glued)) return [glued];
  if (glued.length > wordCharactersMax) return splitAtSigns(glued);
  const plain = token.replace(/['’]s$/u, '').replaceAll(/['’]/gu, '');
  if (vocabulary.has(plain)) return [plain];
  for (const reading of readingsOf(plain)) if (vocabulary.has(reading)) return [reading];
  return splitAtSigns(plain);
}

function splitAtSigns(token: string): readonly string[] {
  return token.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function* readingsOf(token: string): Generator<string> {
  const isDisguised = /[0-9@$!|+]/u.test(token) && /\p{L}/u.test(token);
  if (isDisguised) {
    yield decoded(token);
    yield decoded(token.replaceAll('1', 'l'));
  }
  const word = isDisguised ? decoded(token) : token;
  if (/(.)\1/u.test(word)) {
    yield word.replaceAll(/(.)\1{2,}/gu, '$1$1');
    yield word.replaceAll(/(.)\1{2,}/gu, '$1');
    yield word.replaceAll(/(.)\1+/gu, '$1');
  }
  if (word.includes('*') && word.length >= lettersMin)
    for (const vowel of 'aeiou') yield word.replaceAll(/\*+/gu, vowel);
}
