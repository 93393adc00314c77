import {
  type GroupVerdict,
  type ScanFailure,
  scanGroup,
  type ScannedTexts,
  type Scanner,
} from '@sluice/content-scanner';
import { compiledFor, type PolicyFilters } from './policy-filters.ts';

/** New text up to here is scanned where the request is; more goes to a thread of its own. */
const inlineCharactersMax = 32_768;
/** Time to look for entities in one request. */
const entitiesMs = 500;

interface Scan {
  readonly filters: PolicyFilters;
  readonly scanner: Scanner;
}

/** Resolves with a verdict per group, or with the reason why there is none. */
export async function scanGroups(
  groups: readonly (ScannedTexts & { readonly scansInjection: boolean })[],
  { filters, scanner }: Scan,
): Promise<readonly GroupVerdict[] | ScanFailure> {
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
  try {
    const compiled = await compiledFor(filters);
    const lateMs = performance.now() + entitiesMs;
    const isLate = () => performance.now() > lateMs;
    return groups.map((group) =>
      scanGroup(group, compiled, { scansInjection: group.scansInjection, isLate }),
    );
  } catch {
    // Its cause may have the text: it is neither logged nor told.
    return 'broken';
  }
}
