/** A way in which models break JSON. */
export interface Damage {
  readonly name: string;
  /** `layout`: a change of the JSON itself. `around`: text around it. */
  readonly at: 'layout' | 'around';
  readonly damage: (json: string) => string;
}

const layout = (name: string, damage: Damage['damage']): Damage => ({ name, at: 'layout', damage });
const around = (name: string, damage: Damage['damage']): Damage => ({ name, at: 'around', damage });

/** Changes what stands outside of texts. The name of a member stays a text. */
const outside = (json: string, change: (part: string) => string) =>
  json.replaceAll(/("(?:[^"\\]|\\.)*")|([^"]+)/g, (all, text: string | undefined) =>
    text === undefined ? change(all) : all,
  );
const last = (json: string, word: string, by: string) => {
  const at = json.lastIndexOf(word);
  return at < 0 ? json : json.slice(0, at) + by + json.slice(at + word.length);
};

export const damages: readonly Damage[] = [
  layout('a trailing comma in an object', (json) => last(json, '}', ',}')),
  layout('a trailing comma in a list', (json) => json.replace(/\](?=[^"]*(?:"|$))/, ',]')),
  layout('no last brace', (json) => json.slice(0, json.lastIndexOf('}'))),
  layout('names without quotes', (json) => json.replaceAll(/"(\w+)":/g, '$1:')),
  layout('single quotes', (json) =>
    json.replaceAll(
      /"((?:[^"\\]|\\.)*)"/g,
      (_all, text: string) => `'${text.replaceAll("'", String.raw`\'`)}'`,
    ),
  ),
  layout('curly quotes around names', (json) => json.replaceAll(/"(\w+)":/g, '“$1”:')),
  layout('words of Python', (json) =>
    outside(json, (part) =>
      part.replaceAll('true', 'True').replaceAll('false', 'False').replaceAll('null', 'None'),
    ),
  ),
  layout('no comma between members', (json) => json.replace(/,(?="age")/, '\n')),
  layout('a comment of a line', (json) => json.replace('{', '{ // the answer\n')),
  layout('a comment of a block', (json) => json.replace('{', '{ /* the answer */ ')),
  layout('a text in two pieces', (json) => json.replace('Ada Lovelace', 'Ada" + " Lovelace')),
  layout('escaped quotes', (json) => json.replaceAll('"', String.raw`\"`)),
  around('a code block', (json) => `\`\`\`json\n${json}\n\`\`\``),
  around('a code block without a language', (json) => `\`\`\`\n${json}\n\`\`\``),
  around('a code block without an end', (json) => `\`\`\`json\n${json}\n`),
  around('a sentence before', (json) => `Here is the JSON you asked for:\n\n${json}`),
  around('a sentence after', (json) => `${json}\n\nLet me know if you need more!`),
  around('sentences around', (json) => `Sure! ${json} Done.`),
  around('a link before', (json) => `See [1] and [the docs](https://example.com).\n${json}`),
  around('a mark of a byte order', (json) => `\uFEFF${json}`),
  around('a name of a variable', (json) => `answer = ${json};`),
];

/** Returns the JSON of a value with these damages, those of the layout first. */
export function damaged(value: unknown, all: readonly Damage[]): string {
  return all
    .toSorted((one, other) => Number(one.at === 'around') - Number(other.at === 'around'))
    .reduce((json, { damage }) => damage(json), JSON.stringify(value));
}
