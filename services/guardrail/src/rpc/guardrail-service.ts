import { invalidRequest, rejectionToFault } from '@sluice/errors';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { implement, type RpcService } from '@sluice/rpc';

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

export function guardrailRpc(): RpcService {
  return implement(GuardrailServiceService, {
    async getEffectivePolicy({ accountId }) {
      if (!idPattern.test(accountId))
        throw rejectionToFault(
          invalidRequest([{ path: 'account_id', message: 'must be an account id' }]),
        );
      return { guardrails: [] };
    },
  });
}
