import {
  type Queryable,
  type SqlValue,
  type Statement,
  streamProjection,
} from '@sluice/read-model';
import type { DestinationEvent, DestinationSettings } from '../domain/destinations/events.ts';
import { destinationEvents } from '../store/destination-events.ts';

/** Keeps the table `destinations`: one row per destination that is not deleted. No secret. */
export const destinationsProjection = streamProjection(
  destinationEvents,
  { projection: 'workspace.destinations', version: 2, tables: ['destinations'] },
  async (transaction: Queryable, event) => void (await transaction.query(statementOf(event))),
);

/** Each statement has the same outcome when it runs again. */
function statementOf(event: DestinationEvent): Statement {
  switch (event.type) {
    case 'DestinationCreated': {
      const { destinationId, accountId, workspaceId, destinationType, secretId } = event.data;
      const { config, createdAt, settings } = event.data;
      const place = [destinationId, accountId, workspaceId, destinationType, secretId];
      return {
        name: 'create-destination',
        text: `INSERT INTO destinations
                 (destination_id, account_id, workspace_id, type, secret_id, masked_config,
                  created_at, updated_at, name, enabled, privacy_mode, sampling_rate,
                  api_key_hashes, filter_rules, broadcast_generation_cost,
                  broadcast_generation_identity, broadcast_generation_request_context, regions,
                  enabled_since)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 CASE WHEN $9::boolean THEN $7::timestamptz END)
               ON CONFLICT (destination_id) DO NOTHING`,
        values: [...place, config, createdAt, ...valuesOf(settings)],
      };
    }
    case 'DestinationUpdated': {
      const { destinationId, settings, changedAt } = event.data;
      return {
        name: 'update-destination',
        text: `UPDATE destinations SET
                 enabled_since = CASE WHEN enabled AND $4::boolean THEN enabled_since
                   WHEN $4::boolean THEN $2::timestamptz END,
                 updated_at = $2, name = $3, enabled = $4, privacy_mode = $5, sampling_rate = $6,
                 api_key_hashes = $7, filter_rules = $8, broadcast_generation_cost = $9,
                 broadcast_generation_identity = $10, broadcast_generation_request_context = $11,
                 regions = $12
               WHERE destination_id = $1`,
        values: [destinationId, changedAt, ...valuesOf(settings)],
      };
    }
    case 'DestinationConfigured': {
      const { destinationId, secretId, config, changedAt } = event.data;
      return {
        name: 'configure-destination',
        text: `UPDATE destinations SET updated_at = $2, secret_id = $3, masked_config = $4
               WHERE destination_id = $1`,
        values: [destinationId, changedAt, secretId, config],
      };
    }
    case 'DestinationDeleted':
      return {
        name: 'delete-destination',
        text: 'DELETE FROM destinations WHERE destination_id = $1',
        values: [event.data.destinationId],
      };
  }
}

/** In the order of both statements. */
function valuesOf(settings: DestinationSettings): readonly SqlValue[] {
  return [
    settings.name,
    settings.enabled,
    settings.privacyMode,
    settings.samplingRate,
    settings.apiKeyHashes,
    settings.filterRules,
    settings.broadcastGenerationCost,
    settings.broadcastGenerationIdentity,
    settings.broadcastGenerationRequestContext,
    settings.regions,
  ];
}
