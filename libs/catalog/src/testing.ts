export {
  anyModel,
  sampleEndpoint,
  sampleModel,
  sampleParameters,
  sampleProviders,
} from './testing/sample-models.ts';
