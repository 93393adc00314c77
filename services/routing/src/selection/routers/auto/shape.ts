export const shapeNames = [
  'tiny',
  'brief',
  'medium',
  'long',
  'lines',
  'digits',
  'many_digits',
  'commas',
  'system',
  'code_question',
  'code_statement',
  'code_alone',
  'opens_with_why',
  'opens_with_how',
  'opens_with_what',
  'opens_with_who',
  'opens_with_i',
  'opens_with_you',
  'opens_with_verb',
  'opens_with_write',
  'one_tool',
  'four_tools',
  'tools_medium',
  'tools_long',
  'tools_question',
  'tools_then',
] as const;

/** The length, the opening and the punctuation of a request. */
export type ShapeFeatures = { readonly [Name in (typeof shapeNames)[number]]: boolean };

interface Shaped {
  readonly text: string;
  readonly prose: string;
  readonly system: string;
  readonly tools: number;
  readonly features: { readonly code: boolean; readonly question: boolean };
}

const tinyMax = 25;
const briefMax = 60;
const mediumMin = 160;
const longMin = 500;
const toolsMediumMin = 100;
const toolsLongMin = 200;
const fourTools = 4;
const digitsMany = 8;
const commasMany = 3;
const firstWordMax = 20;

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const digit = /\d/g;
const comma = /[,;、，]/g;
const sequel = /[,.;:] ?(?:then|and|und|dann|book|send|tell|y |et )/i;

type Opening = Extract<(typeof shapeNames)[number], `opens_${string}`>;

const openings: Readonly<Record<Opening, readonly string[]>> = {
  opens_with_why: ['why', 'warum', 'pourquoi', 'wieso'],
  opens_with_how: ['how', 'wie', 'comment', 'cómo'],
  opens_with_what: "what what's whats which was welche welcher welches qué quel quelle que".split(
    ' ',
  ),
  opens_with_who: 'who when where wer wann wo qui quand quién cuándo dónde'.split(' '),
  opens_with_i: "i i'm im my ich je mein yo estoy we it's it".split(' '),
  opens_with_you: ['you', "you're", 'du', 'tu', "let's", 'lets'],
  opens_with_verb: 'is are can do does am should ist kann est-ce puis-je darf muss'.split(' '),
  opens_with_write:
    'write create make build draft schreib schreibe escribe écris generate give design'.split(' '),
};
const openingOf = new Map(
  Object.entries(openings).flatMap(([name, words]) => words.map((word) => [word, name] as const)),
);

/** Returns the shape of a request. A letter of a script without spaces counts three times. */
export function shapeOf({ text, prose, system, tools, features }: Shaped): ShapeFeatures {
  const length = text.length + 2 * count(text, unspaced);
  const digits = count(prose, digit);
  const opening = openingOf.get(firstWord(prose));
  const { code, question } = features;
  const opens = (name: Opening) => opening === name;
  return {
    tiny: length < tinyMax,
    brief: length < briefMax,
    medium: length >= mediumMin,
    long: length >= longMin,
    lines: text.trim().includes('\n'),
    digits: digits > 0,
    many_digits: digits > digitsMany,
    commas: count(prose, comma) >= commasMany,
    system: system !== '',
    code_question: code && question,
    code_statement: code && !question,
    code_alone: code && prose.length < tinyMax,
    opens_with_why: opens('opens_with_why'),
    opens_with_how: opens('opens_with_how'),
    opens_with_what: opens('opens_with_what'),
    opens_with_who: opens('opens_with_who'),
    opens_with_i: opens('opens_with_i'),
    opens_with_you: opens('opens_with_you'),
    opens_with_verb: opens('opens_with_verb'),
    opens_with_write: opens('opens_with_write'),
    one_tool: tools === 1,
    four_tools: tools >= fourTools,
    tools_medium: tools > 0 && length > toolsMediumMin,
    tools_long: tools > 0 && length > toolsLongMin,
    tools_question: tools > 0 && question,
    tools_then: tools > 0 && sequel.test(text),
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns the first word of a text in lower case, if it is a short one. */
function firstWord(prose: string): string {
  const [word = ''] = prose
    .slice(0, firstWordMax)
    .toLowerCase()
    .replace('\u2019', "'")
    .split(/[\s,:!?]/, 1);
  return word;
}
