import { type ToolPrices, toolCostNanoUsd, toolWorstNanoUsd } from '@sluice/catalog';
import { isRejection, type Rejection } from '@sluice/errors';
import { type InputItem, nanoUsdToNumber, textOf } from '@sluice/inference';
import type { SearchEngines, SearchOutcome, SearchResult } from '@sluice/web-search';
import { settingsOf, type PluginSettings } from '../../request/plugins.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { readSettings } from '../../tools/web-search/settings.ts';
import type { InputStage, ResponseStage, StageRefusal, StageReport, TurnStage } from '../stage.ts';
import type { StageWork, WorkEnd } from '../stage-work.ts';
import { resultsMessage } from './results-message.ts';

export interface WebOptions {
  readonly searchEngines: SearchEngines;
  readonly catalog: { readonly toolPrices: ToolPrices };
  readonly clock: { now(): Date };
}

const tool = 'service:web_search';
const queryCharactersMax = 4_000;
/** Deep modes of engines search for up to a minute. */
const timeoutMs = 75_000;

type Found = SearchOutcome & { readonly isFound: true };

/**
 * Searches the web once, before the model is asked, for the last message of the user (contract inference.md 7.2). The
 * results stand before that message. `added` scans them like all that comes from outside. A search that fails does not
 * end the request.
 */
export function webStage(options: WebOptions, added: ResponseStage<'turn', TurnStage>): InputStage {
  return {
    at: 'input',
    name: 'web',
    concerns: (call) => settingsOf(call, 'web') !== undefined,
    async run(call, context) {
      const settings = settingsOf(call, 'web');
      const { embedding, ranking, items } = call.inference;
      if (!settings || embedding || ranking || settings.engine === 'native' || !context.work)
        return { call };
      if (context.policy.disabledServerTools.includes(tool)) return disabled;
      const place = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
      const query = queryOf(items[place]);
      if (query === '') return { call };
      const ended = await search(options, { call, query, settings, work: context.work });
      if (ended && isRejection(ended)) return ended;
      const cost_usd = nanoUsdToNumber(ended?.costNanoUsd ?? 0n);
      const results = ended?.result?.results;
      const report = reportOf(results, cost_usd);
      if (!results) return { call, reports: [report] };
      const told = { prompt: settings.search_prompt, now: options.clock.now() };
      const found = [resultsMessage(results, told)];
      const scan = await added.open(call, context);
      const scanned = (await scan?.runAdded?.(found)) ?? { items: found };
      if (isRejection(scanned)) return scanned;
      const { reports = [], detections = [] } = scanned;
      const searched = withResults(call, { place, added: scanned.items, results });
      return { call: searched, reports: [report, ...reports], detections };
    },
  };
}

const disabled: StageRefusal = {
  rejected: 'permission_denied',
  message: 'The workspace does not allow the plugin web',
};

interface Search {
  readonly call: CanonicalCall;
  readonly query: string;
  readonly settings: PluginSettings<'web'>;
  readonly work: StageWork;
}

/** Returns the end of a search. undefined: no engine is set up. */
async function search(
  { searchEngines, catalog }: WebOptions,
  { call, query, settings, work }: Search,
): Promise<WorkEnd<Found | undefined> | Rejection | undefined> {
  const { engine: asked, search: wanted } = readSettings({
    ...settings,
    allowed_domains: settings.include_domains ?? null,
    excluded_domains: settings.exclude_domains ?? null,
  });
  const engine = searchEngines.choose(asked);
  const price = engine && catalog.toolPrices.find({ tool, engine: engine.name, mode: wanted.mode });
  if (!engine || !price) return undefined;
  const worstNanoUsd = toolWorstNanoUsd(price, { results: wanted.maxResults });
  const paid = { type: tool, engine: engine.name, worstNanoUsd, timeoutMs, call } as const;
  return work.run<Found | undefined>(paid, async ({ usageId, signal }) => {
    const outcome = await engine.search(query, wanted, { signal, requestId: usageId });
    if (!outcome.isFound) {
      const costNanoUsd = outcome.mayBeBilled ? ('unknown' as const) : 0n;
      return { result: undefined, isFailed: true, charge: { costNanoUsd } };
    }
    const { billedResults, upstreamId } = outcome;
    const counts = { searches: 1, searchResults: billedResults };
    const charge = { costNanoUsd: toolCostNanoUsd(price, counts), counts, upstreamId };
    return { result: outcome, isFailed: false, charge };
  });
}

function reportOf(results: readonly SearchResult[] | undefined, cost_usd: number): StageReport {
  const named = { type: 'plugin', name: 'web-search', cost_usd } as const;
  if (!results) return { ...named, summary: 'no search engine answered' };
  const count = results.length;
  return { ...named, summary: `found ${String(count)} results`, data: { results: count } };
}

function queryOf(item: InputItem | undefined): string {
  if (item?.type !== 'message') return '';
  return textOf(item.content).trim().slice(0, queryCharactersMax).toWellFormed();
}

interface Searched {
  readonly place: number;
  readonly added: readonly InputItem[];
  readonly results: readonly SearchResult[];
}

function withResults(call: CanonicalCall, { place, added, results }: Searched): CanonicalCall {
  const { inference } = call;
  const items = inference.items.toSpliced(place, 0, ...added);
  return { ...call, inference: { ...inference, items }, sources: results };
}
