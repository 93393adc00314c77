import { type Static, Type } from 'typebox';
import { flag, kind, optional } from '../fields.ts';
import { innerModel, instanceSettings } from './inner-model.ts';

/** `service:advisor`: asks a model for advice. */
export const advisorTool = Type.Object({
  type: kind('service:advisor'),
  parameters: optional(
    Type.Object({
      ...instanceSettings,
      model: innerModel('The model that advises. Absent: the one that the call names, or itself.'),
      forward_transcript: optional(flag, 'The whole conversation goes to the advisor.', false),
      stream: optional(flag, 'The advice is sent while it is written.', false),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type AdvisorSettings = NonNullable<Static<typeof advisorTool>['parameters']>;
