import type { Issue } from '@sluice/errors';
import type { FastifySchemaValidationError } from 'fastify';

const issuesMax = 20;
const pathLengthMax = 100;

/** The validator's findings in our words: where and why, never the value. */
export function issuesOf(findings: readonly FastifySchemaValidationError[]): readonly Issue[] {
  const issues = findings.map(toIssue);
  const seen = new Set<string>();
  const distinct = issues.filter(({ path, message }) => {
    const text = `${path} ${message}`;
    return !seen.has(text) && seen.add(text);
  });
  return distinct.slice(0, issuesMax);
}

function toIssue({ keyword, instancePath, params, message }: FastifySchemaValidationError): Issue {
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
    case 'const':
    case 'enum':
      return { path: at(), message: 'is none of the allowed values' };
    default:
      return { path: at(), message: message ?? 'is not valid' };
  }
}
