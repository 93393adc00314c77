import { type Static, Type } from 'typebox';
import { kind, optional } from '../fields.ts';
import { imageSetting } from '../service-fields/model-options.ts';
import { innerModel } from './inner-model.ts';

/** `service:image_generation`: lets a model of pictures draw. */
export const imageGenerationTool = Type.Object({
  type: kind('service:image_generation'),
  parameters: optional(
    Type.Object(
      { model: innerModel('The model that draws. Absent: that of the deployment.') },
      { additionalProperties: imageSetting },
    ),
    'Settings of the tool: the model, and any key of `image_config`.',
    { size: '1K' },
  ),
});

export type ImageGenerationSettings = NonNullable<Static<typeof imageGenerationTool>['parameters']>;
