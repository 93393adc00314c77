import {
  isRerankBody,
  knownFieldsOf,
  type RerankBody,
  rerankBody,
  type RerankDocument,
} from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import type { ContentPart, InputItem, JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { Issues } from '../body/issues.ts';
import { type IsFine, parseBody } from '../body/parse-body.ts';
import { joinWarnings } from '../body/join-warnings.ts';
import { unknownFieldsWarning } from '../body/unknown-fields.ts';
import { checkServiceFields } from '../service-fields/check-service-fields.ts';
import { urlSource } from '../service-fields/read-media.ts';
import { readMeasured } from '../service-fields/read-measured.ts';

/** A call of this dialect, with the documents that its answer repeats. */
export interface RerankRequest extends CanonicalCall {
  readonly documents: readonly RerankDocument[];
}

const knownFields = knownFieldsOf(rerankBody, ['documents']);

/**
 * Parses a body of `POST /rerank` (inference.md, section 29). Returns the request, or the reason why it is invalid.
 * Keys outside the contract are skipped and named in a warning. The default model of a workspace does not apply: it
 * answers with text.
 */
export function parseRerankRequest(
  body: Uint8Array,
  { model: _model, ...defaults }: RequestDefaults = {},
  shape?: JsonShape,
): RerankRequest | Rejection {
  return parseBody(body, shape, {
    schema: rerankBody,
    isBody: isRerankBody,
    exact: [],
    check: (object, issues, isFine) => checkBody(object, issues, isFine),
    read: readRequest,
    door: 'rerank',
    defaults,
  });
}

function checkBody(body: RerankBody, issues: Issues, isFine: IsFine<RerankBody>): void {
  checkServiceFields(body, {}, issues, (...names) => isFine(...(names as 'model'[])));
  if (!isFine('documents')) return;
  const empty = body.documents.findIndex((document) => contentOf(document).length === 0);
  if (empty >= 0) issues.add(`documents[${String(empty)}]`, 'must have a text or an image');
}

function readRequest(body: RerankBody, defaults: RequestDefaults): RerankRequest {
  const { query, documents } = body;
  return {
    ...readMeasured(body, defaults, {
      items: [messageOf([{ type: 'text', text: query }]), ...documents.map(documentItem)],
      ranking: { topN: body.top_n ?? undefined },
    }),
    ...joinWarnings(unknownFieldsWarning(body, knownFields)),
    documents,
  };
}

function documentItem(document: RerankDocument): InputItem {
  return messageOf(contentOf(document));
}

function messageOf(content: readonly ContentPart[]): InputItem {
  return { type: 'message', role: 'user', content };
}

function contentOf(document: RerankDocument): readonly ContentPart[] {
  if (typeof document === 'string') return [{ type: 'text', text: document }];
  const { text, image } = document;
  const parts: ContentPart[] = [];
  if (typeof text === 'string') parts.push({ type: 'text', text });
  if (typeof image === 'string')
    parts.push({ type: 'image', source: urlSource(image), detail: 'auto' });
  return parts;
}
