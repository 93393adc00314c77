import type { Issue } from '@sluice/errors';
import type { FastifySchemaValidationError } from 'fastify';

const issuesMax = 20;
const pathLengthMax = 100;

/** A finding of the validator, with its schema. */
export interface Finding extends FastifySchemaValidationError {
  readonly parentSchema?: { readonly mustBe?: string };
}

/** The validator's findings in our words: where and why, never the value. */
export function issuesOf(findings: readonly Finding[]): readonly Issue[] {
  const issues = findings.filter((finding) => !isAboutAlternatives(finding)).map(toIssue);
  const seen = new Set<string>();
  const distinct = issues.filter(({ path, message }) => {
    const text = `${path} ${message}`;
    return !seen.has(text) && seen.add(text);
  });
  return distinct.slice(0, issuesMax);
}

/** True for a finding that only says that the value may also be null. */
function isAboutAlternatives({ keyword, params }: Finding): boolean {
  return keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null');
}

function toIssue({ keyword, instancePath, params, message, parentSchema }: Finding): Issue {
  const at = (member?: unknown) => {
    const members = instancePath.split('/').slice(1);
    if (typeof member === 'string') members.push(member);
    return members.join('.').slice(0, pathLengthMax) || 'body';
  };
  switch (keyword) {
    case 'additionalProperties':
      return { path: at(params['additionalProperty']), message: 'is not a known field' };
    case 'required':
      return { path: at(params['missingProperty']), message: 'is required' };
    case 'enum':
      return { path: at(), message: 'is none of the allowed values' };
    default: {
      const wanted = parentSchema?.mustBe;
      return {
        path: at(),
        message: wanted === undefined ? (message ?? 'is not valid') : `must be ${wanted}`,
      };
    }
  }
}
