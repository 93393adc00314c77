import { asArray, asObject, asString, type JsonObject } from './json-reader.ts';

/** Returns the object with the code, the type and the message of a failure, whatever form the server gives it. */
export function errorObject(body: unknown): JsonObject {
  // A page of a proxy says nothing about the request.
  if (typeof body === 'string') return body.trimStart().startsWith('<') ? {} : { message: body };
  const object = asObject(body) ?? {};
  const { error, errors, detail } = object;
  if (typeof error === 'string') return { ...object, message: error };
  const said = asObject(error) ?? firstError(errors) ?? statusOf(object);
  if (said) return withText(said);
  if (detail !== undefined) return { message: detailText(detail) };
  return withText(object);
}

function withText(said: JsonObject): JsonObject {
  const { message, n_prompt_tokens: tokens, n_ctx: room } = said;
  // Mistral sends an object as the message about a bad field.
  const inner = asObject(message)?.['detail'];
  if (inner !== undefined) return { ...said, message: detailText(inner) };
  // llama.cpp sends the numbers beside the message.
  const isCounted = Number.isSafeInteger(tokens) && Number.isSafeInteger(room);
  if (!isCounted || typeof message !== 'string' || /\d/.test(message)) return said;
  return { ...said, message: `${message}: ${String(tokens)} tokens > ${String(room)} maximum` };
}

function firstError(errors: unknown): JsonObject | undefined {
  const [first] = asArray(errors);
  return typeof first === 'string' ? { message: first } : asObject(first);
}

/** Returns the failure that MiniMax reports beside an answer, or undefined. */
function statusOf({ base_resp: status }: JsonObject): JsonObject | undefined {
  const told = asObject(status);
  if (!told) return undefined;
  const { status_code: code, status_msg: message } = told;
  return code === undefined || code === null || code === 0 ? undefined : { code, message };
}

/** Returns true if an object says that the call failed, in a form that none of the dialects has. */
export function declaresFailure(body: JsonObject): boolean {
  return body['object'] === 'error' || asArray(body['errors']).length > 0 || !!statusOf(body);
}

/**
 * Returns the failure that an object with status 200 reports, or undefined. A `type` or a `code` alone reports
 * none: an answer of another dialect has them too, and its provider charges it.
 */
export function toldFailure(body: JsonObject): JsonObject | undefined {
  const { error, detail, message, type } = body;
  const tells =
    declaresFailure(body) ||
    (error !== undefined && error !== null && error !== false) ||
    (detail !== undefined && detail !== null) ||
    typeof message === 'string' ||
    asObject(message)?.['detail'] !== undefined ||
    type === 'error';
  return tells ? errorObject(body) : undefined;
}

/** Reads `detail` of Python servers: a text, or a list of field paths with a message each. */
function detailText(detail: unknown): string | undefined {
  if (!Array.isArray(detail)) return asString(detail) ?? asString(asObject(detail)?.['message']);
  const [first] = detail.map(asObject);
  const place = asArray(first?.['loc']).map(String).join('.');
  const said = asString(first?.['msg']);
  return said === undefined || place === '' ? said : `${place}: ${said}`;
}
