import type {
  Guardrail,
  ListGuardrailsRequest,
  ListGuardrailsResponse,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { GuardrailCalls } from '../../clients/calls.ts';

/** Returns the whole page, in as many calls as it takes. */
export async function wholePage(
  calls: Pick<GuardrailCalls, 'listGuardrails'>,
  request: ListGuardrailsRequest,
): Promise<ListGuardrailsResponse> {
  const guardrails: Guardrail[] = [];
  for (;;) {
    const offset = request.offset + guardrails.length;
    const limit = request.limit - guardrails.length;
    const page = await calls.listGuardrails({ ...request, offset, limit });
    guardrails.push(...page.guardrails);
    const isWhole = guardrails.length >= request.limit || page.guardrails.length === 0;
    const isEnd = request.offset + guardrails.length >= page.totalCount;
    if (isWhole || isEnd) return { guardrails, totalCount: page.totalCount };
  }
}
