import type { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import { identifierCharactersMax, safetyIdentifierCharactersMax } from './limits.ts';
import { parseTrace } from './parse-trace.ts';
import type { ResponsesRequest } from '../../request/call.ts';

export type Identifiers = Pick<
  ResponsesRequest,
  'user' | 'sessionId' | 'safetyIdentifier' | 'trace'
>;

/** Parses the identifiers of the user, the session and the trace. None of them goes upstream as it is. */
export function parseIdentifiers(body: Fields, issues: Issues): Identifiers {
  return {
    user: parseUser(body),
    sessionId: body.string('session_id', { charactersMax: identifierCharactersMax }),
    safetyIdentifier: body.string('safety_identifier', {
      charactersMax: safetyIdentifierCharactersMax,
    }),
    trace: parseTrace(body, issues),
  };
}

function parseUser(body: Fields): string | undefined {
  const user = body.string('user', { charactersMin: 1, charactersMax: identifierCharactersMax });
  if (user !== undefined && /\p{Cc}/u.test(user)) {
    return body.refuse('user', 'must not have control characters');
  }
  return user;
}
