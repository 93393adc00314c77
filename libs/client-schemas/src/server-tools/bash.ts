import { Type } from 'typebox';
import { kind, optional } from '../fields.ts';
import { sandboxSettings } from './sandbox-settings.ts';

/** `service:bash`: runs commands in a sandbox, or returns them to the client. */
export const bashTool = Type.Object({
  type: kind('service:bash'),
  parameters: optional(sandboxSettings('auto', 'native', 'service'), 'Settings of the tool.', {}),
});
