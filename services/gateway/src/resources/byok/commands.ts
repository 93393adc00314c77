import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type {
  AddCredentialRequest,
  Entries,
  UpdateCredentialRequest,
} from '@sluice/protos/sluice/key/v1/byok';
import type { AddCredentialBody, UpdateCredentialBody } from './schema.ts';

/** `POST /byok` → the command. */
export function addCredentialRequest(
  body: AddCredentialBody,
  context: CommandContext,
): AddCredentialRequest {
  return {
    context,
    provider: body.provider,
    secret: body.key,
    workspaceId: body.workspace_id ?? '',
    settings: {
      name: body.name ?? undefined,
      disabled: body.disabled ?? false,
      isFallback: body.is_fallback ?? false,
      isRequired: body.is_required ?? false,
      isByokOnly: body.is_byok_only ?? false,
      declaredZdr: body.declared_zdr ?? undefined,
      allowedModels: entries(body.allowed_models),
      allowedApiKeyHashes: entries(body.allowed_api_key_hashes),
      allowedUserIds: entries(body.allowed_user_ids),
    },
  };
}

/** `PATCH /byok/{id}` → the command: a field that is left out stays as it is. */
export function updateCredentialRequest(
  body: UpdateCredentialBody,
  credentialId: string,
  context: CommandContext,
): UpdateCredentialRequest {
  const { declared_zdr: declaredZdr } = body;
  return {
    context,
    credentialId,
    secret: body.key,
    name: body.name === undefined ? undefined : { name: body.name ?? undefined },
    disabled: body.disabled,
    isFallback: body.is_fallback,
    isRequired: body.is_required,
    isByokOnly: body.is_byok_only,
    declaredZdr: declaredZdr === undefined ? undefined : { declaredZdr: declaredZdr ?? undefined },
    allowedModels: change(body.allowed_models),
    allowedApiKeyHashes: change(body.allowed_api_key_hashes),
    allowedUserIds: change(body.allowed_user_ids),
  };
}

type List = readonly string[] | null | undefined;

function entries(list: List): Entries | undefined {
  return list ? { values: [...list] } : undefined;
}

function change(list: List) {
  return list === undefined ? undefined : { entries: entries(list) };
}
