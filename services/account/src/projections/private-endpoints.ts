import { type Queryable, type Statement, streamProjection } from '@sluice/read-model';
import type { PrivateEndpointsEvent } from '../domain/private-endpoints/events.ts';
import { effectOnRequests } from '../domain/private-endpoints/effect-on-requests.ts';
import { privateEndpointsEvents } from '../store/private-endpoints-events.ts';

/**
 * Keeps the table `private_endpoints`, with one row per endpoint that is not deleted, and the last change of each
 * organization in `private_endpoint_changes`.
 */
export const privateEndpointsProjection = streamProjection(
  privateEndpointsEvents,
  {
    projection: 'account.private_endpoints',
    version: 1,
    tables: ['private_endpoints', 'private_endpoint_changes'],
  },
  async (transaction: Queryable, event, _stream, { position }) => {
    const statements = [statementOf(event), changeStatement(event, position.commit)];
    await Promise.all(
      statements.flatMap((statement) => (statement ? [transaction.query(statement)] : [])),
    );
  },
);

function changeStatement(event: PrivateEndpointsEvent, revision: bigint): Statement | undefined {
  const effect = effectOnRequests(event.type);
  if (effect === 'none') return undefined;
  return {
    name: 'note-private-endpoint-change',
    text: `INSERT INTO private_endpoint_changes AS known (account_id, revision, revoked_revision)
           VALUES ($1, $2, $3)
           ON CONFLICT (account_id) DO UPDATE SET
             revision = greatest(known.revision, excluded.revision),
             revoked_revision = greatest(known.revoked_revision, excluded.revoked_revision)`,
    values: [event.data.accountId, revision, effect === 'revokes' ? revision : 0n],
  };
}

/** Each statement has the same outcome when it runs again. Validations are not in the table. */
function statementOf(event: PrivateEndpointsEvent): Statement | undefined {
  const { endpointId } = event.data;
  switch (event.type) {
    case 'PrivateEndpointDrafted': {
      const { accountId, modelPermaslug, provider, providerName, upstreamModelId } = event.data;
      const { baseUrl, declaredZdr, declaredRegion, pricing, draftedAt } = event.data;
      return {
        name: 'draft-private-endpoint',
        text: `INSERT INTO private_endpoints (endpoint_id, account_id, status, model_permaslug,
                 provider, provider_name, upstream_model_id, base_url, declared_zdr,
                 declared_region, prompt_price, completion_price, created_at)
               VALUES ($1, $2, 'draft', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               ON CONFLICT (endpoint_id) DO NOTHING`,
        values: [
          endpointId,
          accountId,
          modelPermaslug,
          provider,
          providerName,
          upstreamModelId,
          baseUrl,
          declaredZdr,
          declaredRegion,
          pricing.prompt,
          pricing.completion,
          draftedAt,
        ],
      };
    }
    case 'PrivateEndpointReconfigured': {
      const { upstreamModelId, baseUrl, declaredZdr, declaredRegion } = event.data;
      return {
        name: 'reconfigure-private-endpoint',
        text: `UPDATE private_endpoints SET upstream_model_id = $2, base_url = $3,
                 declared_zdr = $4, declared_region = $5 WHERE endpoint_id = $1`,
        values: [endpointId, upstreamModelId, baseUrl, declaredZdr, declaredRegion],
      };
    }
    case 'PrivateEndpointValidated':
    case 'PrivateEndpointValidationFailed':
      return undefined;
    case 'PrivateEndpointActivated':
    case 'PrivateEndpointEnabled':
      return statusStatement(endpointId, 'active');
    case 'PrivateEndpointDisabled':
      return statusStatement(endpointId, 'disabled');
    case 'PrivateEndpointRepriced': {
      const { prompt, completion } = event.data.pricing;
      return {
        name: 'reprice-private-endpoint',
        text: `UPDATE private_endpoints SET prompt_price = $2, completion_price = $3
               WHERE endpoint_id = $1`,
        values: [endpointId, prompt, completion],
      };
    }
    case 'PrivateEndpointDeleted':
      return {
        name: 'delete-private-endpoint',
        text: 'DELETE FROM private_endpoints WHERE endpoint_id = $1',
        values: [endpointId],
      };
  }
}

function statusStatement(endpointId: string, status: string): Statement {
  return {
    name: 'set-private-endpoint-status',
    text: 'UPDATE private_endpoints SET status = $2 WHERE endpoint_id = $1',
    values: [endpointId, status],
  };
}
