import nlp from 'compromise/two';
import { commonNouns, givenNames } from './more-words.ts';

/** The part that a capitalized word may have in a person's name. */
export type WordClass =
  | 'title'
  | 'given'
  | 'surname'
  | 'initial'
  | 'particle'
  | 'word'
  | 'shout'
  | 'other'
  | 'unknown';

/** Tags of words that are surnames as well: behind a given name they may be one. */
const surnameTags = new Set(
  [
    'City Place Region Country Noun Singular Plural Adjective Actor ProperNoun Infinitive',
    'PresentTense Demonym Comparative Uncountable Unit SportsTeam Organization Gerund PastTense',
  ]
    .join(' ')
    .split(' '),
);

const titles = new Set(
  [
    'mr mrs ms miss mx dr prof professor sir madam mister herr frau hr fr mme mlle monsieur ',
    'madame sr sra srta señor señora don doña sig signor signora dott ing rev reverend judge ',
    'justice captain capt lt sgt officer nurse dhr mevr pan pani sri smt shri chief alhaji ',
    'mwalimu bay hanım',
  ]
    .join('')
    .split(' '),
);
const surnameEnding = new RegExp(
  [
    String.raw`.{2}(?:wski|wska|cki|cka|czyk|wicz|owicz|ewski|oğlu|oglu|sson|sdotter|qvist|enko|chuk|ovich|`,
    String.raw`yan|poulos|akis|idis|escu|eanu|stein|mann|meier|meyer|bauer|hofer|huber|berg|strom|ström|`,
    String.raw`lund|gren|ález|alez|ínez|inez|ández|andez|íguez|iguez|érez|erez|ópez|opez|elli|etti|ucci|`,
    String.raw`acci|ossi|ini|aldi|ardo|eira|inho|ães|ções|kowski|moto|mura|yama|gawa|kawa|shita|nakul|`,
    String.raw`walla|wala|kumar|singh|prasad|nath|aswamy|mwangi|ngugi|kamau)$`,
  ].join(''),
  'u',
);
const surnameStart = /^(?:mc\p{L}{3,}|mac\p{L}{4,}|o['’]\p{L}{3,}|d['’]\p{L}{4,}|fitz\p{L}{3,})$/u;

const particles = new Set(
  'de del della di da do dos das du la le les van von der den ter ten el al bin'.split(' '),
);

let known: ReadonlyMap<string, WordClass> | undefined;

/** Classifies a word as it is written. A text in capitals is no evidence: it counts only if the word is known. */
export function classify(word: string): WordClass {
  if (/^\p{Lu}\.?$/u.test(word)) return 'initial';
  const lower = word.toLowerCase().replace(/[.’']s$|\.$/u, '');
  if (titles.has(lower)) return 'title';
  if (particles.has(lower)) return 'particle';
  known ??= loadWords();
  const found = known.get(lower) ?? hyphenated(known, lower);
  if (found !== undefined) return found;
  if (surnameEnding.test(lower) || surnameStart.test(lower)) return 'surname';
  if (word.length > 1 && word === word.toUpperCase()) return 'shout';
  return /\d|[^Mc'’-]\p{Lu}/u.test(word.slice(1)) ? 'other' : 'unknown';
}

function hyphenated(words: ReadonlyMap<string, WordClass>, lower: string): WordClass | undefined {
  const first = /^([^-]+)-/u.exec(lower)?.[1];
  return first === undefined ? undefined : words.get(first);
}

function loadWords(): ReadonlyMap<string, WordClass> {
  const words = new Map<string, WordClass>();
  const { one } = nlp.model() as {
    readonly one: { readonly lexicon: Readonly<Record<string, string | readonly string[]>> };
  };
  for (const [word, tags] of Object.entries(one.lexicon)) {
    if (word.includes(' ')) continue;
    const tag = typeof tags === 'string' ? tags : (tags[0] ?? '');
    words.set(word, classOfTag(tag));
  }
  for (const word of commonNouns) words.set(word, 'other');
  for (const name of givenNames) words.set(name, 'given');
  return words;
}

function classOfTag(tag: string): WordClass {
  if (tag === 'MaleName' || tag === 'FemaleName' || tag === 'FirstName') return 'given';
  if (tag === 'LastName' || tag === 'Person') return 'surname';
  return surnameTags.has(tag) ? 'word' : 'other';
}
