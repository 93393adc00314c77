import { byok } from './byok.ts';
import {
  guardrailAssignments,
  guardrailPhrases,
  guardrails,
  unsupportedFeatures,
} from './guardrails.ts';
import { keys } from './keys.ts';
import { models, providers } from './models.ts';
import { endUsers, organization } from './organization.ts';
import type { Resource } from './resource.ts';
import { scimGroups, scimJobs, scimMappings } from './scim.ts';
import { activity, credits, currentKey, generation, proofs, responses } from './usage.ts';
import { workspaceBudgets, workspaceMembers, workspaces } from './workspaces.ts';

/** The resources of the API that have commands, in the order of the help. */
export const resources: readonly Resource[] = [
  keys,
  byok,
  workspaces,
  workspaceMembers,
  workspaceBudgets,
  guardrails,
  guardrailAssignments,
  guardrailPhrases,
  unsupportedFeatures,
  organization,
  endUsers,
  scimGroups,
  scimMappings,
  scimJobs,
  models,
  providers,
  responses,
  generation,
  activity,
  credits,
  currentKey,
  proofs,
];
