import { isBuiltinSlug } from '@sluice/content-filter';
import type { Buffering, FollowedStream, ScanFailure, Scanner } from '@sluice/content-scanner';
import type { InferenceRequest } from '@sluice/inference';
import { abortSignalOf } from '@sluice/inference-port';
import type { ScanOutput } from '@sluice/policy';
import { demandsOf } from '../../policy/demands-of.ts';
import type { Guardrail, Policy } from '../../policy/policy.ts';
import type { OutputReport, OutputStage, StageContext, StageReport } from '../stage.ts';
import { OutputFilter, type OutputFinding } from './output-filter.ts';
import { entitiesMs, filtersOfPolicy, type PolicyFilters, scopeOf } from './policy-filters.ts';
import { summarize } from './summarize.ts';

/** The filters of the guardrails that ask for a scan of the output. */
interface OutputFilters {
  readonly filters: PolicyFilters;
  readonly unit: ScanOutput;
}

interface Opening {
  readonly request: InferenceRequest;
  readonly context: StageContext;
  readonly scanner: Scanner;
  /** Receives the failure of each text that was not scanned. */
  readonly onUnscanned: (failure: ScanFailure) => void;
}

const ofPolicies = new WeakMap<Policy, OutputFilters | null>();

/** Returns the filter of one answer; undefined: no guardrail asks for one. */
export function openOutputFilter(opening: Opening): Promise<OutputStage> | undefined {
  const { policy } = opening.context;
  const known = ofPolicies.get(policy);
  const output = known === undefined ? outputFiltersOf(policy) : known;
  if (known === undefined) ofPolicies.set(policy, output);
  return output === null ? undefined : outputFilterOf(output, opening);
}

async function outputFilterOf(
  output: OutputFilters,
  { request, context: { principal, signal }, scanner, onUnscanned }: Opening,
): Promise<OutputStage> {
  const { filters, unit } = output;
  const { revision, set } = filters;
  const { accountId: account } = principal;
  const whose = { account, revision, set, signal: abortSignalOf(signal) };
  const stream = await scanner.follow(whose);
  const buffering = !request.stream ? 'end' : stream.buffered.length > 0 ? unit : 'incremental';
  const isTextJson = request.options?.format !== undefined;
  const { failMode } = filters;
  const hasPatterns = filters.filters.some(({ engine }) => engine === 'regex');
  return new OutputFilter({
    hold: stream.hold,
    buffering,
    isTextJson,
    isBlocking: (number) => filters.filters[number]?.action === 'block',
    blocks: {
      unscanned: failMode === 'block' || (failMode === null && hasPatterns),
      cut: failMode === 'block',
    },
    async scan(texts) {
      const groups = [{ ...texts, scansInjection: false }];
      const found = await scanner.scan({ ...whose, groups, entitiesMs });
      return typeof found === 'string' ? found : (found[0] ?? 'broken');
    },
    onUnscanned,
    report: (findings, isBlocked) =>
      reportOf(output, stream, {
        findings,
        isBlocked,
        buffering: !request.stream ? undefined : isTextJson ? 'end' : buffering,
      }),
  });
}

function outputFiltersOf(policy: Policy): OutputFilters | null {
  const guardrails = policy.guardrails.flatMap(forOutput);
  const scanning: Policy = { ...policy, guardrails };
  const filters = filtersOfPolicy(scanning);
  const { scanOutput } = demandsOf(scanning);
  if (filters === null || scanOutput === null) return null;
  return { filters, unit: scanOutput };
}

/** Returns a guardrail without its filter of injections, which looks at inputs alone. */
function forOutput(guardrail: Guardrail): readonly Guardrail[] {
  const { rules } = guardrail;
  if (rules?.scanOutput === undefined) return [];
  const filters = (rules.builtinFilters?.filters ?? []).filter(
    ({ slug }) => isBuiltinSlug(slug) && slug !== 'regex-prompt-injection',
  );
  return [{ ...guardrail, rules: { ...rules, builtinFilters: { filters } } }];
}

interface Scanned {
  readonly findings: readonly OutputFinding[];
  readonly isBlocked: boolean;
  /** The way in which the text of a stream was held back. If undefined, the answer is whole. */
  readonly buffering: Buffering | undefined;
}

/** Says what was found, and how the answer was held back, also if nothing was found. */
function reportOf(
  { filters }: OutputFilters,
  stream: FollowedStream,
  { findings, isBlocked, buffering }: Scanned,
): OutputReport {
  const groups = findings.map(({ place }) => ({ place }));
  const outcomes = findings.map(({ outcome }) => outcome);
  const { reports = [], detections = [] } = summarize(filters, groups, outcomes);
  const output = {
    direction: 'output',
    ...(buffering && { buffering, buffered_filters: stream.buffered }),
  };
  const found = reports.map((one) => ({ ...one, data: { ...one.data, ...output } }));
  return {
    detections,
    isBlocked,
    reports: found.length > 0 ? found : scanReports(filters, output),
  };
}

function scanReports(
  { owners }: PolicyFilters,
  output: Readonly<Record<string, unknown>>,
): readonly StageReport[] {
  return [...new Set(owners)].map((owner) => ({
    type: 'guardrail',
    name: 'content-filter',
    guardrail_id: owner.id,
    guardrail_scope: scopeOf(owner),
    summary: 'scanned the output: nothing found',
    data: { action: 'passed', detected: false, ...output },
  }));
}
