import { isRejection, type Rejection } from '@sluice/errors';
import type { StageReport } from '../../stages/stage.ts';
import type { Candidate } from '../candidate.ts';
import type { Exclusion } from '../plan.ts';
import type { Expansion } from './router.ts';

/** The endpoints that one router named. */
export interface OfRouter {
  readonly candidates: ReadonlySet<Candidate>;
  readonly expansion: Expansion;
  /** The first name of the request stands for this router. */
  readonly isFirst: boolean;
}

/** The endpoints that passed the filters, without those that routers did not choose. */
export interface Left {
  readonly candidates: readonly Candidate[];
  readonly excluded: readonly Exclusion[];
  /** The report of the router that the first name stands for. */
  readonly report?: StageReport | undefined;
}

/** Lets each router choose among its endpoints that can serve the request. The other endpoints stay. */
export function narrow(
  able: readonly Candidate[],
  ofRouters: readonly OfRouter[],
): Left | Rejection {
  let left: Left = { candidates: able, excluded: [] };
  let refused: Rejection | undefined;
  for (const { candidates: named, expansion, isFirst } of ofRouters) {
    if (!expansion.narrow) continue;
    const own = left.candidates.filter((candidate) => named.has(candidate));
    if (own.length === 0) continue;
    const chosen = expansion.narrow(own);
    const isRefused = isRejection(chosen);
    if (isRefused) refused ??= chosen;
    const kept = isRefused ? [] : chosen.candidates;
    const ids = new Set(kept.map(({ endpoint }) => endpoint.id));
    const at = left.candidates.findIndex((candidate) => named.has(candidate));
    const others = left.candidates.filter((candidate) => !named.has(candidate));
    left = {
      candidates: [...others.slice(0, at), ...kept, ...others.slice(at)],
      excluded: [...left.excluded, ...exclusionsOf(own, ids)],
      report: isFirst && !isRefused ? chosen.report : left.report,
    };
  }
  return refused && left.candidates.length === 0 ? refused : left;
}

function exclusionsOf(own: readonly Candidate[], kept: ReadonlySet<string>): readonly Exclusion[] {
  return own
    .filter(({ endpoint }) => !kept.has(endpoint.id))
    .map(({ endpoint, model }) => ({
      endpointId: endpoint.id,
      filter: 'router',
      detail: model.id,
    }));
}
