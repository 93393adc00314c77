import { event, type EventOf, instant, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const unsupportedFeaturesMode = Type.Enum(['lenient', 'strict'], {
  description:
    'lenient: features that nothing serves are left out of requests and named; strict: the requests are refused.',
});
export type UnsupportedFeaturesMode = Shape<typeof unsupportedFeaturesMode>;

/** The mode of an account for unsupported features. Names and shapes are the storage format. */
export const unsupportedFeaturesStream = {
  category: 'unsupportedFeatures',
  id: '<account id>',
  description: 'The mode of an account for unsupported features.',
  events: {
    UnsupportedFeaturesModeSet: event(
      'Requests of the account that do not name a mode have this one from now on.',
      { accountId: Type.String(), mode: unsupportedFeaturesMode, setAt: instant },
    ),
  },
};
export type UnsupportedFeaturesEvent = EventOf<typeof unsupportedFeaturesStream>;
export type UnsupportedFeaturesModeSet = EventOf<
  typeof unsupportedFeaturesStream,
  'UnsupportedFeaturesModeSet'
>;
