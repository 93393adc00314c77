import { redactGroup, type ScanFailure, type Scanner } from '@sluice/content-scanner';
import { isRejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type {
  InputStage,
  OutputStage,
  ResponseStage,
  StageContext,
  StageEvidence,
  StageRefusal,
  TurnStage,
} from '../stage.ts';
import { openOutputFilter } from './open-output-filter.ts';
import { entitiesMs, filtersOfPolicy, type PolicyFilters } from './policy-filters.ts';
import { rewriteTexts, type TextGroup, textGroups } from './request-texts.ts';
import { summarize } from './summarize.ts';
import { failureOf, type GroupOutcome, unreadableTokens } from './unscanned.ts';
import { createVerdicts, type Verdicts, verdictKey } from './verdicts.ts';

export interface ContentFilterOptions {
  readonly scanner: Scanner;
  /** Receives the number of groups of texts that were not scanned to the end. */
  readonly onUnscanned?: ((reason: ScanFailure, groups: number) => void) | undefined;
}

/**
 * Applies the content filters of a policy's guardrails to the texts of a request (management.md, section 12): all
 * detections are collected before the strongest action is taken. The fail mode of the guardrails says whether a text
 * that cannot be scanned is blocked. Throws the Fault `overloaded` if other texts have kept the scanner: a text that
 * was not read for that reason never passes.
 */
export function contentFilterStage(options: ContentFilterOptions): InputStage {
  const filtering = { ...options, verdicts: createVerdicts() };
  return {
    at: 'input',
    name: 'content-filter',
    concerns: (_call, { policy }) => filtersOfPolicy(policy) !== null,
    async run(call, context) {
      const { inference: request } = call;
      const filters = filtersOfPolicy(context.policy);
      if (filters === null) return { call };
      if (request.embedding?.tokens) {
        const unread = unreadableTokens(filters);
        return isRejection(unread) ? unread : { call, ...unread };
      }
      const filtered = await filterRequest(request, { ...filtering, filters, context });
      if ('rejected' in filtered) return filtered;
      const { request: inference, ...evidence } = filtered;
      return { ...evidence, call: inference === request ? call : { ...call, inference } };
    },
  };
}

/** Applies the same filters to the items that a loop of server tools adds: the results of tools above all. */
export function addedFilterStage(options: ContentFilterOptions): ResponseStage<'turn', TurnStage> {
  const filtering = { ...options, verdicts: createVerdicts() };
  return {
    at: 'turn',
    name: 'content-filter',
    open({ inference }, context) {
      const filters = filtersOfPolicy(context.policy);
      if (filters === null) return undefined;
      const { prompt: _prompt, options: _options, ...plain } = inference;
      return {
        async runAdded(items) {
          const scan = { ...filtering, filters, context };
          const filtered = await filterRequest({ ...plain, items }, scan);
          if ('rejected' in filtered) return filtered;
          const { request, ...evidence } = filtered;
          return { ...evidence, items: request.items };
        },
      };
    },
  };
}

interface Filtered extends Required<StageEvidence> {
  readonly request: InferenceRequest;
}

type Filtering = Scan & Pick<ContentFilterOptions, 'onUnscanned'>;

/** Returns the request with the redactions of the filters, or their refusal. */
async function filterRequest(
  request: InferenceRequest,
  { onUnscanned, ...scan }: Filtering,
): Promise<Filtered | StageRefusal> {
  const groups = textGroups(request);
  const found = await outcomesOf(groups, scan);
  countUnscanned(found, onUnscanned);
  const summary = summarize(scan.filters, groups, found);
  if ('rejected' in summary) return summary;
  if (!found.some((outcome) => typeof outcome !== 'string' && outcome.redactions.length > 0))
    return { ...summary, request };
  const next = found.values();
  const redacted = rewriteTexts(request, (group) => {
    const outcome = next.next().value;
    const isScanned = outcome !== undefined && typeof outcome !== 'string';
    return isScanned ? redactGroup(group, outcome) : group.texts;
  });
  return { ...summary, request: redacted };
}

/** Applies the content filters of the guardrails that ask for a scan of the output to the answer. */
export function outputFilterStage({
  scanner,
  onUnscanned,
}: ContentFilterOptions): ResponseStage<'output', OutputStage> {
  return {
    at: 'output',
    name: 'content-filter',
    open: ({ inference: request }, context) =>
      openOutputFilter({
        request,
        context,
        scanner,
        onUnscanned: (failure) => countUnscanned([failure], onUnscanned),
      }),
  };
}

function countUnscanned(
  outcomes: readonly GroupOutcome[],
  onUnscanned: ContentFilterOptions['onUnscanned'],
): void {
  for (const reason of ['late', 'broken'] as const) {
    const groups = outcomes.filter((outcome) => failureOf(outcome) === reason).length;
    if (groups > 0) onUnscanned?.(reason, groups);
  }
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

async function outcomesOf(
  groups: readonly TextGroup[],
  scan: Scan,
): Promise<readonly GroupOutcome[]> {
  const { filters, scanner, verdicts } = scan;
  const { accountId } = scan.context.principal;
  const found: GroupOutcome[] = [];
  const unknown: NewGroup[] = [];
  groups.forEach((group, index) => {
    const scansInjection = group.isUserText || !filters.scansUsersAlone;
    const key = verdictKey({ accountId, revision: filters.revision, scansInjection }, group);
    const known = verdicts.find(key);
    if (known) found[index] = known;
    else unknown.push({ ...group, index, key, scansInjection });
  });
  const { revision, set } = filters;
  const signal = abortSignalOf(scan.context.signal);
  const groupsToScan = { account: accountId, revision, set, groups: unknown, entitiesMs, signal };
  const scanned = await scanner.scan(groupsToScan);
  unknown.forEach(({ index, key }, place) => {
    const verdict = typeof scanned === 'string' ? undefined : scanned[place];
    if (verdict) verdicts.keep(key, verdict);
    found[index] = verdict ?? (scanned === 'late' ? 'late' : 'broken');
  });
  return found;
}
