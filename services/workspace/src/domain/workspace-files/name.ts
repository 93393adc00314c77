import { type Issue, invalidRequest, type Rejection } from '@sluice/errors';

export const nameCharactersMax = 255;
const mediaTypeForm = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/;

/** Control characters and halves of surrogate pairs have no place in a name; a slash would make it a path. */
const nameForm = /^[^\p{Cc}\p{Cs}/\\]+$/u;

/** The type of a content whose sender gives none. */
export const anyMediaType = 'application/octet-stream';

/** Returns a rejection for a name that no file may have, or a type that is none. */
export function nameRejection({
  name,
  mediaType,
}: {
  readonly name: string;
  readonly mediaType: string;
}): Rejection<'invalid_request'> | undefined {
  const issues: Issue[] = [];
  const isName = name.length <= nameCharactersMax && nameForm.test(name);
  if (!isName || name === '.' || name === '..')
    issues.push({
      path: 'filename',
      message: `must be 1 to ${nameCharactersMax} characters without slashes and control characters`,
    });
  if (!mediaTypeForm.test(mediaType))
    issues.push({ path: 'media_type', message: 'must be a media type, such as text/plain' });
  return issues.length === 0 ? undefined : invalidRequest(issues);
}
