import { patternTest, type PatternTest } from '@sluice/content-filter';
import { isObject } from '@sluice/client-schemas';
import type { Tool } from '@sluice/inference';
import MiniSearch from 'minisearch';

type Named = Exclude<Tool, { type: 'native' }>;

export interface FoundTools {
  /** The best ones first, if there are more than were asked for. */
  readonly tools: readonly Named[];
  readonly total: number;
}

const textCharactersMax = 4_000;
/** The instructions of a pattern times the characters of all texts. The search then takes well below a second. */
const stepsMax = 20_000_000;

/** Finds the tools that a regular expression matches. Returns a problem for a pattern that is invalid or too slow. */
export function findTools(
  tools: readonly Tool[],
  pattern: string,
  max: number,
): FoundTools | { readonly problem: string } {
  let matches: PatternTest;
  try {
    matches = patternTest(pattern, { ignoresCase: true });
  } catch {
    return { problem: 'the regular expression is invalid' };
  }
  const named = tools.filter((tool) => tool.type !== 'native');
  const texts = named.map(textsOf);
  const characters = texts.reduce((sum, parts) => sum + parts.join(' ').length, 0);
  if (matches.instructions * characters > stepsMax)
    return { problem: 'the regular expression is too slow: use a simpler one' };
  const found = named.filter((_tool, index) =>
    (texts[index] ?? []).some((text) => matches.isIn(text)),
  );
  const ranked = found.length > max ? rank(found, pattern) : found;
  return { tools: ranked.slice(0, max), total: found.length };
}

/** Returns the name, the description, and the names and descriptions of the arguments. */
function textsOf(tool: Named): readonly string[] {
  const { name, namespace, description = '' } = tool;
  const texts = [namespace ? `${namespace.name}.${name}` : name, description];
  if (tool.type === 'function') addArguments(tool.parameters?.['properties'], texts);
  let left = textCharactersMax;
  return texts.map((text) => {
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept;
  });
}

function addArguments(properties: unknown, texts: string[]): void {
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    texts.push(name);
    const description = isObject(property) ? property['description'] : undefined;
    if (typeof description === 'string') texts.push(description);
  }
}

/** Orders tools by the words of the pattern, those that have none of them last. */
function rank(tools: readonly Named[], pattern: string): readonly Named[] {
  const index = new MiniSearch<{ id: number; name: string; text: string }>({
    fields: ['name', 'text'],
    tokenize: (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u),
    searchOptions: { boost: { name: 3 }, prefix: true },
  });
  index.addAll(
    tools.map((tool, id) => {
      const [name = '', ...others] = textsOf(tool);
      return { id, name, text: others.join(' ') };
    }),
  );
  const best = index.search(pattern).map(({ id }) => tools[Number(id)]);
  return [...new Set([...best.filter((tool) => tool !== undefined), ...tools])];
}
