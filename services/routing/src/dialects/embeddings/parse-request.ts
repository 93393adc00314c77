import {
  type EmbeddingEntry,
  embeddingInputsMax,
  type EmbeddingsBody,
  embeddingsBody,
  isEmbeddingsBody,
  knownFieldsOf,
} from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import type { JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { Issues } from '../body/issues.ts';
import { type IsFine, parseBody } from '../body/parse-body.ts';
import { joinWarnings } from '../body/join-warnings.ts';
import { unknownFieldsWarning } from '../body/unknown-fields.ts';
import { checkServiceFields } from '../service-fields/check-service-fields.ts';
import { readMeasured } from '../service-fields/read-measured.ts';
import { readInputs } from './read-inputs.ts';

/** A call of this dialect, with the form of the vectors in its answer. */
export interface EmbeddingsRequest extends CanonicalCall {
  readonly isBase64: boolean;
}

const knownFields = knownFieldsOf(embeddingsBody, ['input']);

/**
 * Parses a body of `POST /embeddings`. Returns the request, or the reason why it is invalid. Keys outside the contract
 * are skipped and named in a warning. The default model of a workspace does not apply: vectors of different models do
 * not go together.
 */
export function parseEmbeddingsRequest(
  body: Uint8Array,
  { model: _model, ...defaults }: RequestDefaults = {},
  shape?: JsonShape,
): EmbeddingsRequest | Rejection {
  return parseBody(body, shape, {
    schema: embeddingsBody,
    isBody: isEmbeddingsBody,
    exact: [],
    check: (object, issues, isFine) => checkBody(object, issues, isFine),
    read: readRequest,
    door: 'embeddings',
    defaults,
  });
}

function checkBody(body: EmbeddingsBody, issues: Issues, isFine: IsFine<EmbeddingsBody>): void {
  checkServiceFields(body, {}, issues, (...names) => isFine(...(names as 'model'[])));
  if (isFine('input') && Array.isArray(body.input)) checkInputs(body.input, issues);
}

/** All entries of a list are texts, tokens, lists of tokens, or objects. */
function checkInputs(input: readonly EmbeddingEntry[], issues: Issues): void {
  const [first] = input;
  const kind = kindOf(first);
  const other = input.findIndex((entry) => kindOf(entry) !== kind);
  if (other > 0) issues.add(`input[${String(other)}]`, 'must be of the same kind as input[0]');
  else if (kind !== 'number' && input.length > embeddingInputsMax)
    issues.add('input', `must have at most ${String(embeddingInputsMax)} inputs`);
}

function kindOf(entry: EmbeddingEntry | undefined): string {
  return Array.isArray(entry) ? 'array' : typeof entry;
}

function readRequest(body: EmbeddingsBody, defaults: RequestDefaults): EmbeddingsRequest {
  const { items, tokens } = readInputs(body.input);
  return {
    ...readMeasured(body, defaults, {
      items,
      embedding: {
        dimensions: body.dimensions ?? undefined,
        inputType: body.input_type ?? undefined,
        ...(tokens && { tokens }),
      },
    }),
    ...joinWarnings(unknownFieldsWarning(body, knownFields)),
    isBase64: body.encoding_format === 'base64',
  };
}
