import { isRejection, type Rejection } from '@sluice/errors';
import { parseResponsesRequest, type ResponsesRequest } from '../read/parse-request.ts';

/** Fields of a request body. */
export type Body = Readonly<Record<string, unknown>>;

export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Parses a body with a model and an input, and these fields. */
const parse = (fields: Body): ResponsesRequest | Rejection =>
  parseResponsesRequest(bytes(JSON.stringify({ model: 'm', input: 'hi', ...fields })));

export const accepted = (fields: Body): ResponsesRequest => {
  const request = parse(fields);
  if (isRejection(request)) throw new Error(request.message);
  return request;
};

export const refused = (fields: Body): Rejection => {
  const request = parse(fields);
  if (!isRejection(request)) throw new Error('the request was accepted');
  return request;
};

/** Returns the paths of a refused body's problems, in their order. */
export const issuePaths = (fields: Body): readonly string[] => {
  const { metadata = {} } = refused(fields);
  return (metadata['issues'] as readonly { readonly path: string }[]).map(({ path }) => path);
};

export const message = (content: unknown, role = 'user'): Body => ({ role, content });
export const call = (callId: string): Body => ({
  type: 'function_call',
  call_id: callId,
  name: 'f',
  arguments: '{}',
});
export const output = (callId: string, text: unknown = 'out'): Body => ({
  type: 'function_call_output',
  call_id: callId,
  output: text,
});
export const tool = (name: string, fields: Body = {}): Body => ({
  type: 'function',
  name,
  ...fields,
});
