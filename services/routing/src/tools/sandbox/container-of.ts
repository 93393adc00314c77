import { createHash } from 'node:crypto';
import type { SandboxSettings } from '@sluice/client-schemas';
import type { ToolContext } from '../tool.ts';

const idCharactersMax = 40;

/**
 * Returns the id of the container of a call: the client's name, or one of the session, or one of the response. All
 * tools of a response that name none share it.
 */
export function containerIdOf(
  { environment }: SandboxSettings,
  { generationId, sessionId }: Pick<ToolContext, 'generationId' | 'sessionId'>,
): string {
  if (environment?.type === 'container_reference') return environment.container_id;
  if (sessionId === '') return named('gen', generationId.replace(/^gen-/, ''));
  return named('sess', createHash('sha256').update(sessionId).digest('base64url'));
}

function named(prefix: string, text: string): string {
  return `${prefix}_${text.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, idCharactersMax);
}

/** Returns the hosts that commands of the container may reach. */
export function allowedDomainsOf({ environment }: SandboxSettings): string[] {
  const policy = environment?.network_policy;
  return policy?.type === 'allowlist' ? [...policy.allowed_domains] : [];
}

/** Returns the ids of the files of the workspace that belong into the home directory. */
export function fileIdsOf({ environment }: SandboxSettings): readonly string[] {
  return environment?.file_ids ?? [];
}
