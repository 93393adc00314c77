import {
  createScanner,
  type GroupVerdict,
  redactGroup,
  scanGroup,
  type Scanner,
} from '@sluice/content-scanner';
import type { Stage, StageContext, StageResult } from '../stage.ts';
import { compiledFor, filtersOfPolicy, type PolicyFilters } from './policy-filters.ts';
import { rewriteTexts, type TextGroup, textGroups } from './request-texts.ts';
import { summarize } from './summarize.ts';
import { createVerdicts, type Verdicts, verdictKey } from './verdicts.ts';

/** New text up to here is scanned where the request is; more goes to a thread of its own. */
const inlineCharactersMax = 32_768;
/** Time to look for entities in one request. */
const entitiesMs = 500;

export interface ContentFilterOptions {
  readonly scanner?: Scanner;
  readonly verdicts?: Verdicts;
}

/**
 * Applies the content filters of a policy's guardrails to the texts of a request (management.md, section 12): all
 * detections are collected before the strongest action is taken. A text that cannot be scanned in time is blocked.
 */
export function contentFilterStage({
  scanner = createScanner(),
  verdicts = createVerdicts(),
}: ContentFilterOptions = {}): Stage {
  return {
    name: 'content-filter',
    async run(request, context) {
      const filters = filtersOfPolicy(context.policy);
      if (filters === null) return { request };
      const groups = textGroups(request);
      const found = await verdictsOf(groups, { filters, context, scanner, verdicts });
      const summary = summarize(filters, groups, found);
      if ('rejected' in summary) return summary;
      const result: StageResult = { request, ...summary };
      if (found.every((verdict) => verdict?.redactions.length === 0)) return result;
      const next = found.values();
      const rewritten = new Map<string, string>();
      const changed = rewriteTexts(request, (group) => {
        const verdict = next.next().value;
        const texts = verdict ? redactGroup(group, verdict) : group.texts;
        texts.forEach((text, index) => {
          const before = group.texts[index] ?? '';
          if (text !== before) rewritten.set(before, text);
        });
        return texts;
      });
      return { ...result, request: changed, rewritten };
    },
  };
}

interface Scan {
  readonly filters: PolicyFilters;
  readonly context: StageContext;
  readonly scanner: Scanner;
  readonly verdicts: Verdicts;
}

interface NewGroup extends TextGroup {
  readonly index: number;
  readonly key: string;
  readonly scansInjection: boolean;
}

/** A verdict per group; undefined for one that was not scanned in time. */
async function verdictsOf(
  groups: readonly TextGroup[],
  scan: Scan,
): Promise<readonly (GroupVerdict | undefined)[]> {
  const { filters, verdicts } = scan;
  const { accountId } = scan.context.call.principal;
  const found: (GroupVerdict | undefined)[] = [];
  const unknown: NewGroup[] = [];
  groups.forEach((group, index) => {
    const scansInjection = group.isUserText || !filters.scansUsersAlone;
    const key = verdictKey({ accountId, revision: filters.revision, scansInjection }, group);
    found[index] = verdicts.find(key);
    if (!found[index]) unknown.push({ ...group, index, key, scansInjection });
  });
  const scanned = await scanAll(unknown, scan);
  unknown.forEach(({ index, key }, place) => {
    const verdict = scanned?.[place];
    found[index] = verdict;
    if (verdict) verdicts.keep(key, verdict);
  });
  return found;
}

async function scanAll(
  groups: readonly NewGroup[],
  { filters, scanner }: Scan,
): Promise<readonly GroupVerdict[] | undefined> {
  const characters = groups.reduce(
    (sum, { texts }) => texts.reduce((total, { length }) => total + length, sum),
    0,
  );
  const { revision, set, isLarge } = filters;
  if (groups.length === 0) return [];
  if (isLarge || characters > inlineCharactersMax) {
    const sent = groups.map(({ texts, form, scansInjection }) => ({ texts, form, scansInjection }));
    return scanner.scan({ revision, set, groups: sent, entitiesMs });
  }
  const compiled = await compiledFor(filters);
  const lateMs = performance.now() + entitiesMs;
  const isLate = () => performance.now() > lateMs;
  try {
    return groups.map((group) =>
      scanGroup(group, compiled, { scansInjection: group.scansInjection, isLate }),
    );
  } catch {
    // A filter that breaks lets nothing through.
    return undefined;
  }
}
