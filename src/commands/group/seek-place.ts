import { parseOffsetRange } from '../../kafka/consume/offset-range.ts';
import type { SeekTarget } from '../../kafka/group-admin/seek-rows.ts';
import type { Kind } from '../../kinds.ts';

/** A place in time or at an end of the log; `back` is a number of milliseconds before now. */
export type SeekPlace =
  | Extract<SeekTarget, { readonly to: 'start' | 'end' | 'time' }>
  | { readonly to: 'back'; readonly milliseconds: number };

const forms =
  'use start, end, a time (10, 13 or 19 digits, 2024-01-31, 2024-01-31T15:04:05Z) or a duration back such as -1h30m';

/** The value of `group seek --to`. */
export const seekPlace: Kind<SeekPlace> = {
  name: 'place',
  hint: 'start|end|TIME',
  parse(value) {
    if (value === 'start' || value === 'end') return { to: value };
    // 19 digits are nanoseconds, as in rpk.
    if (/^\d{19}$/.test(value)) return { to: 'time', timestamp: Number(BigInt(value) / 1_000_000n) };
    // A time in topic consume begins with @.
    const time = value.replace(/^@/, '');
    const timestamp = timeOf(time);
    if (timestamp === undefined) throw new Error(`not a place (${forms})`);
    return time.startsWith('-') ? { to: 'back', milliseconds: -timestamp } : { to: 'time', timestamp };
  },
  show: (place) => (place.to === 'time' ? new Date(place.timestamp).toISOString() : place.to),
};

/** Milliseconds since the epoch, or a negative number of milliseconds for a duration back. */
function timeOf(value: string): number | undefined {
  try {
    const { start, end } = parseOffsetRange(`@${value}`, 0);
    return start.at === 'time' && end === undefined && !value.includes(' ') ? start.timestamp : undefined;
  } catch {
    return undefined;
  }
}
