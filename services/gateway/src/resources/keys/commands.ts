import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import {
  type IssueKeyRequest,
  KeyKind,
  type UpdateKeyRequest,
} from '@sluice/protos/sluice/key/v1/key';
import { numberText } from '../../http/request/json-body.ts';
import type { CreateKeyBody, UpdateKeyBody } from './schema.ts';
import { parseUsd } from '../../http/schemas/usd.ts';

/** `POST /keys` → the command. Throws invalid_request for what neither a schema nor a key can say. */
export function issueKeyRequest(body: CreateKeyBody, context: CommandContext): IssueKeyRequest {
  return {
    context,
    kind: KeyKind.KEY_KIND_REGULAR,
    name: body.name,
    workspaceId: body.workspace_id ?? '',
    limitNanoUsd: limitOf(body),
    limitReset: body.limit_reset ?? undefined,
    includeByokInLimit: body.include_byok_in_limit ?? false,
    expiresAt: body.expires_at ?? undefined,
    creatorUserId: body.creator_user_id ?? undefined,
    externalUser: body.external?.user,
    externalApiKey: body.external?.api_key,
  };
}

/** `PATCH /keys/{hash}` → the command: a field that is left out stays as it is. */
export function updateKeyRequest(
  body: UpdateKeyBody,
  hash: string,
  context: CommandContext,
): UpdateKeyRequest {
  return {
    context,
    hash,
    name: body.name,
    disabled: body.disabled,
    includeByokInLimit: body.include_byok_in_limit,
    limit: body.limit === undefined ? undefined : { limitNanoUsd: limitOf(body) },
    limitReset:
      body.limit_reset === undefined ? undefined : { limitReset: body.limit_reset ?? undefined },
  };
}

/** Returns undefined if there is no cap. */
function limitOf(body: { readonly limit?: number | null }): bigint | undefined {
  if (body.limit === undefined || body.limit === null) return undefined;
  return (
    parseUsd(numberText(body, 'limit') ?? '') ??
    wrong('limit', 'must have at most 9 decimal places')
  );
}

function wrong(path: string, message: string): never {
  throw rejectionToFault(invalidRequest([{ path, message }]));
}
