/** The limits of a request. Characters are Unicode code points. */
export const limits = {
  inputItemsMax: 10_000,
  contentPartsMax: 10_000,
  toolsMax: 128,
  namesMax: 100,
  promptVariablesMax: 256,
  pluginsMax: 32,
  stopConditionsMax: 32,
  includesMax: 32,
  modelCharactersMax: 256,
  providerCharactersMax: 128,
  identifierCharactersMax: 256,
  safetyIdentifierCharactersMax: 512,
  descriptionCharactersMax: 65_536,
  metadataPairsMax: 16,
  metadataKeyCharactersMax: 64,
  metadataValueCharactersMax: 512,
  filenameCharactersMax: 1_024,
  urlCharactersMax: 8_192,
  /** The greatest size of one medium inside a request. */
  mediaBytesMax: 20 * 1024 * 1024,
  reasoningTokensMax: 1_000_000,
} as const;
