import { catalogProperties } from './catalog-properties.ts';
import { embeddingProperties } from './embedding-properties.ts';
import { pluginProperties } from './plugin-properties.ts';
import { chatProperties } from './chat-properties.ts';
import { inferenceProperties } from './inference-properties.ts';
import { managementProperties } from './management-properties.ts';
import { messagesProperties } from './messages-properties.ts';
import { requestProperties } from './request-properties.ts';
import type { PropertyText } from './property-text.ts';

/** By the name of the property, or of the path or query parameter, wherever it stands. */
export const propertyTexts: ReadonlyMap<string, PropertyText> = new Map([
  ...Object.entries(requestProperties),
  ...Object.entries(catalogProperties),
  ...Object.entries(embeddingProperties),
  ...Object.entries(pluginProperties),
  ...Object.entries(chatProperties),
  ...Object.entries(inferenceProperties),
  ...Object.entries(managementProperties),
  ...Object.entries(messagesProperties),
]);
