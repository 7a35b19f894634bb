import type { TimeOptions } from '../deadline.ts';

/** The keys of the time options. */
export type TimeKey =
  | 'globals.dial_timeout'
  | 'globals.request_timeout_overhead'
  | 'globals.retry_timeout'
  | 'globals.command_timeout'
  | 'globals.fetch_max_wait';

/** Reads the time options from a source of values. */
export function timesOf(get: (key: TimeKey) => bigint): TimeOptions {
  return {
    dial: get('globals.dial_timeout'),
    requestOverhead: get('globals.request_timeout_overhead'),
    retry: get('globals.retry_timeout'),
    command: get('globals.command_timeout'),
    fetchMaxWait: get('globals.fetch_max_wait'),
  };
}
