import { type DatetimeSettings, isTimeZone } from '@sluice/client-schemas';
import type { Clock } from '@sluice/clock-and-ids';
import { Type } from 'typebox';
import { errorResult, type ServerTool } from '../tool.ts';
import { isoTime } from './iso-time.ts';

/** Returns the tool that says the time in the zone of the settings, or in one that the model names. */
export function datetimeTool({ clock }: { readonly clock: Clock }): ServerTool {
  return {
    type: 'service:datetime',
    asFunction: (settings) => ({
      description: 'Returns the current date and time.',
      parameters: Type.Object({
        timezone: Type.Optional(
          Type.String({ description: 'IANA name of a time zone.', default: zoneOf(settings) }),
        ),
      }),
    }),
    worstCost: () => 0n,
    async run({ timezone: asked }, { settings }) {
      const zone = typeof asked === 'string' ? asked : zoneOf(settings);
      if (!isTimeZone(zone)) return errorResult('there is no time zone of this name');
      const told = { datetime: isoTime(clock.now(), zone), timezone: zone };
      return { output: JSON.stringify(told), item: told };
    },
    replay: ({ datetime, timezone }) => ({
      arguments: '{}',
      output: JSON.stringify({ datetime, timezone }),
    }),
  };
}

function zoneOf({ timezone }: DatetimeSettings): string {
  return timezone ?? 'UTC';
}
