import type { Recognizer } from '../../recognizer.ts';
import type { Finding } from '../../span.ts';
import { classify, type WordClass } from './name-words.ts';

const word = String.raw`\p{Lu}(?:\.(?:\p{Lu}\.)?|[\p{L}\p{M}]{0,24}(?:['’-]\p{L}[\p{L}\p{M}]{0,24}){0,2})`;
const particle =
  'de|da|do|dos|das|del|della|di|la|le|van|von|der|den|ter|ten|bin|binti|ibn|al|el|af|av|zu|y|e|du|des|dela|ap|ben';
const sequence = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_@/.#$\\-])${word}(?:\.?[ ](?:(?:${particle})[ ]){0,2}(?:d['’])?${word}){0,5}`,
    String.raw`(?![\p{N}_@/(])`,
  ].join(''),
  'gu',
);
const token = new RegExp(String.raw`(?:d['’])?${word}`, 'gu');

/** Words in front of a name, in text, forms and records. */
const introduction = new RegExp(
  [
    String.raw`(?:\b(?:my name is|name(?:'s| is)?|i am|i['’]m|this is|it is|call me|called|named|meet|met|`,
    String.raw`reach|hir(?:e|ed|ing)|interviewed|`,
    String.raw`with|ask(?:ed)? for|tell|told|cc|from|to|by|for|and|dear|hi|hello|hey|thanks|thank you|`,
    String.raw`regards|best|cheers|sincerely|yours|love|signed|attn|contact(?:ed)?|customer|client|patient|`,
    String.raw`employee|user|member|guest|tenant|taxpayer|passenger|applicant|candidate|colleague|friend|boss|`,
    String.raw`manager|nurse|wife|husband|brother|sister|mother|father|son|daughter|uncle|aunt|neighbou?r|`,
    String.raw`holder|owner|author|assignee|assigned to|reporter|reported by|approved by|written by|sender|`,
    String.raw`recipient|beneficiary|payee|contacto|nombre|nome|naam|imię|namn|jina|adı|heiße|bin|appelle|`,
    String.raw`llamo|chiamo|chamo|mr|mrs|ms|dr)\b["']?[,:=]?[\s"'“‘([-]{0,4}|["'](?:\w{0,24}[_-]?name|name|`,
    String.raw`customer|author|owner|contact|assignee|patient)["']?\s?[:=]\s?["']?)$`,
  ].join(''),
  'iu',
);
const strongIntroduction = new RegExp(
  [
    String.raw`(?:\b(?:my name is|name is|name:|i am|i['’]m|this is|dear|regards|sincerely|cheers|signed|`,
    String.raw`attn|patient|customer|client|employee|tenant|passenger|applicant|assigned to|written by|`,
    String.raw`approved by|reported by|ask for|contact|llamo|chiamo|chamo|appelle|heiße|holder|recipient|`,
    String.raw`beneficiary)\b[,:]?[\s"'“‘(-]{0,4}|name["']?\s?[:=]\s?["']?)$`,
  ].join(''),
  'iu',
);
const personAfter = new RegExp(
  [
    String.raw`^(?:['’]s\b|,? (?:who|said|says|called|calls|asked|asks|wrote|writes|told|lives|lived|works|`,
    String.raw`worked|joined|left|signed|phoned|emailed|requested|reported|complained|wants|wanted|needs|`,
    String.raw`thinks|is|was|has|had|will|can|born|aged|died|moved|paid|ordered|booked|and I|et|und)\b|`,
    String.raw`,? \(?(?:\d{2}|age|aged|born|DOB|CEO|CTO|CFO|MD|PhD|Esq|Jr|Sr)\b| ?[(<]\S{1,64}@)`,
  ].join(''),
  'u',
);

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: WordClass;
}

/** A field, a row or a line that has nothing else. */
const fieldBefore = /(?:^|[\n;,:|"'(<>]\s{0,2})$/u;
const fieldAfter = /^\s{0,2}(?:$|[\n\r,;|"')<(])/u;
const familyBefore = new RegExp(
  [
    String.raw`(?:^|[\n;"|])(?<family>(?:(?:de|van|von|la|da|di) ){0,2}`,
    String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,24}(?: \p{Lu}[\p{L}'’-]{1,24})?), $`,
  ].join(''),
  'u',
);
const clauseWord = 'and|i|but|from|with|so';
const lowerWord = String.raw`(?!(?:${clauseWord})\b)\p{Ll}[\p{L}\p{M}'’-]{1,24}`;
const lowerName = new RegExp(
  [
    String.raw`\bmy name is (?<name>${lowerWord}(?: ${lowerWord}){0,3}?)`,
    String.raw`(?= (?:${clauseWord})\b|[.,;!?\n]|$)`,
  ].join(''),
  'dgu',
);

/** Guesses names of people from the words themselves and from those around them. */
export const personName: Recognizer = {
  find(text) {
    const findings: Finding[] = [];
    for (const match of text.matchAll(sequence)) {
      const words = wordsOf(match[0], match.index);
      for (let index = 0; index < words.length;) {
        const name = nameAt(text, words, index);
        if (name) findings.push(name.finding);
        index = name?.next ?? index + 1;
      }
    }
    return findings.concat(lowerNames(text));
  },
};

/** Names in lower case are found where somebody says their own. */
function lowerNames(text: string): readonly Finding[] {
  if (!/my name is/iu.test(text)) return [];
  return Array.from(text.matchAll(lowerName), ({ groups, indices }) => {
    const [start = 0, end = 0] = indices?.groups?.['name'] ?? [];
    const isKnown = classify(groups?.['name']?.split(' ')[0] ?? '') === 'given';
    return { start, end, score: isKnown ? 0.7 : 0.55, rule: 'person_name' };
  });
}

function wordsOf(text: string, offset: number): readonly Word[] {
  return Array.from(text.matchAll(token), ({ 0: found, index }) => {
    const possessive = /['’]s$/u.exec(found)?.[0].length ?? 0;
    const kept = found.slice(0, found.length - possessive);
    const start = offset + index;
    return { text: kept, start, end: start + kept.length, kind: classify(kept) };
  });
}

interface Name {
  readonly finding: Finding;
  readonly next: number;
}

const wordsMax = 5;

function nameAt(text: string, words: readonly Word[], index: number): Name | undefined {
  const first = words[index];
  if (!first) return undefined;
  if (first.kind === 'title') return titled(words, index);
  if (first.kind === 'word') return wordAndSurname(text, first, words[index + 1], index);
  if (first.kind === 'other' || first.kind === 'shout' || first.kind === 'particle')
    return undefined;
  const end = endOfName(words, index);
  const part = words.slice(index, end);
  const last = part.at(-1);
  const score = last ? scoreOf(text, part, first, last) : 0;
  if (score === 0 || !last) return undefined;
  const start = startOfFamily(text, part, first);
  return { finding: { start, end: last.end, score, rule: 'person_name' }, next: end };
}

/** Some given names are words: "Autumn Smith". They count in front of a surname where a name is expected. */
function wordAndSurname(
  text: string,
  first: Word,
  second: Word | undefined,
  index: number,
): Name | undefined {
  if (second?.kind !== 'surname') return undefined;
  const before = text.slice(Math.max(0, first.start - 40), first.start);
  const after = text.slice(second.end, second.end + 24);
  const isExpected = introduction.test(before) || personAfter.test(after) || isField(before, after);
  if (!isExpected) return undefined;
  const finding = { start: first.start, end: second.end, score: 0.6, rule: 'person_name' };
  return { finding, next: index + 2 };
}

function isField(before: string, after: string): boolean {
  return fieldBefore.test(before) && fieldAfter.test(after);
}

/** In lists the family name may come first: "Nowak, Anna". */
function startOfFamily(text: string, part: readonly Word[], first: Word): number {
  if (part.length > 2 || first.kind !== 'given') return first.start;
  const before = text.slice(Math.max(0, first.start - 64), first.start);
  const family = familyBefore.exec(before)?.groups?.['family'];
  const after = text.slice(part.at(-1)?.end ?? 0, (part.at(-1)?.end ?? 0) + 4);
  if (family === undefined || !fieldAfter.test(after)) return first.start;
  const isWord = family.split(' ').some((one) => classify(one) === 'other');
  return isWord ? first.start : first.start - 2 - family.length;
}

/** A title makes any word behind it a name. */
function titled(words: readonly Word[], index: number): Name | undefined {
  let begin = index + 1;
  while (words[begin]?.kind === 'title') begin++;
  const first = words[begin];
  if (!first) return undefined;
  const end = Math.max(endOfName(words, begin), begin + 1);
  const last = words[end - 1];
  if (!last || (first.kind === 'other' && end === begin + 1 && first.text.length < 3))
    return undefined;
  return {
    finding: { start: first.start, end: last.end, score: 0.85, rule: 'person_name' },
    next: end,
  };
}

function endOfName(words: readonly Word[], begin: number): number {
  let end = begin;
  while (end < words.length && end - begin < wordsMax) {
    const kind = words[end]?.kind;
    if (kind === 'other' || kind === 'title') break;
    if (kind === 'shout' && (end === begin || end - begin > 2 || !isShouted(words[begin]))) break;
    if (kind === 'word') {
      // A word of the language is a surname right behind given names alone.
      const areGiven = words.slice(begin, end).every((one) => isGivenPart(one));
      return areGiven && end > begin ? end + 1 : end;
    }
    end++;
  }
  while (end > begin && words[end - 1]?.kind === 'particle') end--;
  // An initial ends a name only as the first of two words: "Maria K."
  while (end - begin > 2 && words[end - 1]?.kind === 'initial') end--;
  return end;
}

function isShouted(word: Word | undefined): boolean {
  return word?.kind === 'given' && word.text === word.text.toUpperCase();
}

function isGivenPart({ kind }: Word): boolean {
  return kind === 'given' || kind === 'initial' || kind === 'particle';
}

function scoreOf(text: string, part: readonly Word[], first: Word, last: Word): number {
  const kinds = part.map(({ kind }) => kind);
  const hasGiven = kinds.includes('given');
  const hasSurname = kinds.includes('surname');
  const before = text.slice(Math.max(0, first.start - 40), first.start);
  const after = text.slice(last.end, last.end + 24);
  const isWhole = part.some(({ kind, text: { length } }) => kind !== 'initial' && length > 1);
  if (!isWhole) return 0;
  if (part.length === 1) {
    if (first.kind === 'given') return 0.65;
    const isNamed = first.kind === 'surname' ? introduction : strongIntroduction;
    return isNamed.test(before) && first.text.length > 2 ? 0.5 : 0;
  }
  if (hasGiven) return 0.8;
  if (hasSurname) return 0.7;
  if (introduction.test(before)) return 0.6;
  return personAfter.test(after) || isField(before, after) ? 0.55 : 0;
}
