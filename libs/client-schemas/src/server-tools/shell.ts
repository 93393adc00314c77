import { Type } from 'typebox';
import { kind, optional } from '../fields.ts';
import { sandboxSettings } from './sandbox-settings.ts';

/** `service:shell`: runs commands in a sandbox. */
export const shellTool = Type.Object({
  type: kind('service:shell'),
  parameters: optional(sandboxSettings('auto', 'service'), 'Settings of the tool.', {}),
});
