import type { Recognizer } from '../../recognizer.ts';
import type { Finding } from '../../span.ts';
import { aiSecrets } from './ai-secrets.ts';
import { businessSecrets } from './business-secrets.ts';
import { cloudSecrets } from './cloud-secrets.ts';
import { developerSecrets } from './developer-secrets.ts';
import { genericSecrets } from './generic-secrets.ts';
import type { SecretRule } from './secret-rules.ts';

/** All kinds of credentials that are known. */
export const secretRules: readonly SecretRule[] = [
  ...aiSecrets,
  ...cloudSecrets,
  ...developerSecrets,
  ...businessSecrets,
  ...genericSecrets,
];

/** Each rule's number behind the literals that open it. */
const rulesOf = new Map<string, readonly number[]>();
const gates = gatesOf(secretRules, rulesOf);

/** Finds credentials. One pass looks for the marks of all kinds; a rule runs only at its mark. */
export const secrets: Recognizer = {
  find(text, pause) {
    const findings: Finding[] = [];
    const lowered = lowerOf(text);
    /** The places where the next search of each rule may begin. */
    const nextOf = new Map<number, number>();
    const openings = new Map<number, (place: number) => boolean>();
    gates.lastIndex = 0;
    for (let gate = gates.exec(lowered); gate; gate = gates.exec(lowered)) {
      for (const number of rulesOf.get(gate[0]) ?? []) {
        const rule = secretRules[number];
        if (!rule || (nextOf.get(number) ?? 0) > gate.index) continue;
        if (rule.opensIn) {
          const opens = openings.get(number) ?? rule.opensIn(text);
          openings.set(number, opens);
          if (!opens(gate.index)) continue;
        }
        pause?.();
        rule.pattern.lastIndex = gate.index;
        const match = rule.pattern.exec(text);
        const finding = match ? findingOf(rule, match) : undefined;
        if (!finding) continue;
        findings.push(finding);
        nextOf.set(number, finding.end);
      }
      gates.lastIndex = gate.index + 1;
    }
    return findings;
  },
};

/** Fills the map, and returns the pattern of all gates. Of two that begin alike it meets the longer. */
function gatesOf(rules: readonly SecretRule[], numbers: Map<string, readonly number[]>): RegExp {
  const literals = [...new Set(rules.flatMap(({ gate }) => gate))];
  for (const literal of literals)
    numbers.set(
      literal,
      rules.flatMap(({ gate }, number) =>
        gate.some((one) => literal.startsWith(one)) ? [number] : [],
      ),
    );
  const source = literals
    .toSorted((one, other) => other.length - one.length)
    .map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`))
    .join('|');
  return new RegExp(source, 'gu');
}

/** In lower case, and as long as the text: one letter alone becomes two. */
function lowerOf(text: string): string {
  const lowered = text.toLowerCase();
  return lowered.length === text.length ? lowered : text.replaceAll('İ', 'I').toLowerCase();
}

function findingOf(
  { kind, score, isValid }: SecretRule,
  match: RegExpExecArray,
): Finding | undefined {
  const { groups = {}, index, 0: found } = match;
  const { left = '', secret = groups['quoted'] ?? groups['bare'] ?? found } = groups;
  if (isValid?.(left + secret, groups) === false) return undefined;
  const end = index + found.length;
  return { start: end - secret.length - left.length, end, score, rule: kind };
}
