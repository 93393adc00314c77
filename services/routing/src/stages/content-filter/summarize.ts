import type { Filter } from '@sluice/content-filter';
import type { Guardrail } from '../../policy/policy.ts';
import type { GuardrailDetection, StageRefusal, StageReport } from '../stage.ts';
import { type PolicyFilters, scopeOf } from './policy-filters.ts';
import type { TextGroup } from './request-texts.ts';
import { type GroupOutcome, refusals, refusingFailure, unscannedReports } from './unscanned.ts';

interface Summary {
  readonly reports: readonly StageReport[];
  readonly detections: readonly GuardrailDetection[];
}

interface Found extends GuardrailDetection {
  readonly filter: Filter;
  readonly guardrail: Guardrail;
}

const reportedMax = 100;
const actionWords = { block: 'blocked', redact: 'redacted', flag: 'flagged' } as const;
const strength = { flag: 0, redact: 1, block: 2 } as const;

/** Returns the reports and the detections of a request, or its refusal if a filter or a failed scan blocks it. */
export function summarize(
  filters: PolicyFilters,
  groups: readonly Pick<TextGroup, 'place'>[],
  outcomes: readonly GroupOutcome[],
): Summary | StageRefusal {
  const found = foundOf(filters, groups, outcomes);
  const reports = [...reportsOf(found), ...unscannedReports(filters, outcomes)];
  const detections = found.map(({ filter: _filter, guardrail: _guardrail, ...one }) => one);
  const failure = refusingFailure(filters, outcomes);
  const blocking = found.filter(({ action }) => action === 'block');
  if (blocking.length === 0 && !failure) return { reports, detections };
  const failed = failure ? refusals[failure] : undefined;
  const patterns = distinct([...(failed ? [failed.pattern] : []), ...found.map(patternOf)]);
  return {
    rejected: 'guardrail_blocked',
    message:
      blocking.length === 0 && failed
        ? failed.message
        : messageFor(blocking.map(({ filter }) => filter)),
    metadata: { patterns, reason: 'guardrail_blocked' },
    reports,
    detections,
  };
}

function foundOf(
  { filters, owners }: PolicyFilters,
  groups: readonly Pick<TextGroup, 'place'>[],
  outcomes: readonly GroupOutcome[],
): readonly Found[] {
  const counts = new Map<string, Found & { count: number }>();
  outcomes.forEach((outcome, index) => {
    if (typeof outcome === 'string') return;
    for (const { filter: number, rule } of outcome.detections) {
      const filter = filters[number];
      const guardrail = owners[number];
      const place = groups[index]?.place ?? '';
      if (!filter || !guardrail) throw new Error('invariant: a detection has a filter');
      const key = `${number} ${rule} ${place}`;
      const known = counts.get(key);
      if (known) known.count++;
      else {
        const { slug, action } = filter;
        const { id: guardrailId } = guardrail;
        const guardrailScope = scopeOf(guardrail);
        const names = { guardrailId, guardrailScope, slug, label: filter.name };
        counts.set(key, { ...names, action, rule, place, count: 1, filter, guardrail });
      }
    }
  });
  return [...counts.values()];
}

function isInjection({ filter }: Found): boolean {
  return filter.slug === 'regex-prompt-injection';
}

function patternOf({ filter, rule }: Found): string {
  return filter.slug === 'regex-prompt-injection' ? rule : nameOf(filter);
}

/** Entities are named by their type, all else by its label. */
function nameOf({ engine, name }: Filter): string {
  return engine === 'entities' ? name.replaceAll(/[[\]]/gu, '') : name;
}

function messageFor(blocking: readonly Filter[]): string {
  if (blocking.some(({ slug }) => slug === 'regex-prompt-injection'))
    return 'Request blocked: prompt injection patterns detected';
  return `Request blocked by content filter: ${distinct(blocking.map(nameOf)).join(', ')}`;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].slice(0, reportedMax);
}

/** One report per guardrail and kind of filter. */
function reportsOf(found: readonly Found[]): readonly StageReport[] {
  const groups = Map.groupBy(found, (one) => `${one.guardrailId} ${isInjection(one)}`);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first ? [reportOf(first, all)] : [];
  });
}

function reportOf(first: Found, all: readonly Found[]): StageReport {
  const { action } = all.toSorted((a, b) => strength[b.action] - strength[a.action])[0] ?? first;
  const patterns = distinct(all.map(patternOf));
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const data = {
    action: actionWords[action],
    detected: true,
    ...(!isInjection(first) && { flagged: true }),
    engines: distinct(all.map(({ filter }) => filter.engine)),
    patterns,
    ...(!isInjection(first) && {
      matched_entity_types: distinct(
        all.map(({ filter }) => filter.name.replaceAll(/[[\]]/gu, '')),
      ),
    }),
    detections: count,
  };
  return {
    type: 'guardrail',
    name: isInjection(first) ? 'regex_pi_detection' : 'content-filter',
    guardrail_id: first.guardrailId,
    guardrail_scope: first.guardrailScope,
    summary: `${actionWords[action]}: ${patterns.join(', ')}`,
    data,
  };
}
