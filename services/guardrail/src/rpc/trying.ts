import { type Filter, type FilterSet, filtersOf, isBuiltinSlug } from '@sluice/content-filter';
import {
  type GroupVerdict,
  redactGroup,
  type ScanFailure,
  type ScannedTexts,
  type Scanner,
} from '@sluice/content-scanner';
import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import { filterActionOf } from '@sluice/policy';
import type { Rules } from '@sluice/protos/sluice/guardrail/v1/policy';
import { guardrailIdFrom } from '../commands/configured-guardrail.ts';
import { allowedPhrases } from '../queries/allowed-phrases.ts';
import { findGuardrail } from '../queries/find-guardrail.ts';
import type { AskingDependencies, Handlers } from './dependencies.ts';
import { fromRow } from './guardrail-message.ts';

const textCharactersMax = 100_000;
const detectionsMax = 1_000;
const entitiesMs = 500;

/** Scans a text with the content filters of a guardrail, in a thread of its own. */
export function trying({
  readModel,
  scanner,
}: Pick<AskingDependencies, 'readModel'> & { readonly scanner: Scanner }) {
  return {
    async testGuardrail({ accountId, guardrailId: sent, text, isNotUserText }) {
      if (text.length > textCharactersMax) throw rejectionToFault(tooLong);
      const guardrailId = guardrailIdFrom(sent);
      const { values } = fromRow(await findGuardrail(readModel, { accountId, guardrailId }));
      const allowed = await allowedPhrases(readModel, accountId);
      const set: FilterSet = { ...filterSetOf(values?.rules), allowedPhrases: allowed };
      const filters = filtersOf(set);
      if (filters.length === 0)
        return { detections: [], omitted: 0n, redactedText: text, isCut: false };
      const isUserOnly = values?.rules?.builtinFilters?.filters.some(
        ({ scanScope }) => scanScope === 'user_only',
      );
      const group: ScannedTexts = { texts: [text], form: 'text' };
      const groups = [{ ...group, scansInjection: !(isNotUserText && isUserOnly) }];
      const revision = JSON.stringify(set);
      const job = { account: accountId, revision, set, groups, entitiesMs };
      const verdict = verdictOf(await scanner.scan(job));
      return {
        detections: verdict.detections.slice(0, detectionsMax).map(({ filter, ...place }) => ({
          ...place,
          ...named(filters[filter]),
        })),
        omitted: BigInt(Math.max(0, verdict.detections.length - detectionsMax)),
        redactedText: redactGroup(group, verdict).join(''),
        isCut: verdict.isCut,
      };
    },
  } satisfies Partial<Handlers>;
}

function verdictOf(scanned: readonly GroupVerdict[] | ScanFailure): GroupVerdict {
  if (scanned === 'late')
    throw new Fault('timeout', { message: 'The text could not be scanned in time' });
  const [verdict] = scanned === 'broken' ? [] : scanned;
  if (!verdict) throw rejectionToFault(unscannable);
  return verdict;
}

const unscannable = invalidRequest([
  { path: 'text', message: 'cannot be scanned: a filter failed, or finds too much in it' },
]);
const tooLong = invalidRequest([
  { path: 'text', message: `must have at most ${textCharactersMax} characters` },
]);

function named(filter: Filter | undefined) {
  if (!filter) throw new Error('invariant: a detection has a filter');
  return { filter: filter.slug, label: filter.name, action: filter.action };
}

function filterSetOf(rules: Rules | undefined): FilterSet {
  return {
    builtin: (rules?.builtinFilters?.filters ?? []).flatMap(({ slug, action }) =>
      isBuiltinSlug(slug) ? [{ slug, action: filterActionOf(action) }] : [],
    ),
    custom: (rules?.customFilters?.filters ?? []).map(({ pattern, action, label }) => ({
      pattern,
      action: filterActionOf(action),
      label: label ?? null,
    })),
  };
}
