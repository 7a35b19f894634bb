import { CliError, exitCodes } from '../../errors.ts';
import type { Api } from '../protocol/api.ts';
import type { ApiVersionRange } from '../protocol/api-versions.ts';

/** What choosing a version needs to know of an API. */
export type ApiName = Pick<Api<never, unknown>, 'name' | 'key' | 'min' | 'max'>;

/** The version of each API to speak with one broker. */
export interface Versions {
  /** The highest version that both sides know. @throws CliError when there is none */
  choose(api: ApiName): number;
}

/**
 * Negotiates with what the broker announced; its lowest version counts as much as its highest
 * (brokers drop old versions, KIP-896).
 * @param broker how the broker is called in messages
 */
export function negotiate(ranges: readonly ApiVersionRange[], broker: string): Versions {
  const byKey = new Map(ranges.map((range) => [range.key, range]));
  return {
    choose(api) {
      const theirs = byKey.get(api.key);
      const highest = Math.min(api.max, theirs?.max ?? -1);
      if (theirs !== undefined && highest >= Math.max(api.min, theirs.min)) return highest;
      throw unsupported(api, theirs, broker);
    },
  };
}

function unsupported(api: ApiName, theirs: ApiVersionRange | undefined, broker: string): CliError {
  const message =
    theirs === undefined
      ? `${broker} does not know ${api.name}`
      : `${broker} speaks ${api.name} ${range(theirs)}, weir speaks ${range(api)}`;
  return new CliError(exitCodes.failure, message, {
    code: 'UNSUPPORTED_VERSION',
    hints: ['this needs another version of the broker or of weir'],
  });
}

function range({ min, max }: { readonly min: number; readonly max: number }): string {
  return min === max ? `version ${min}` : `versions ${min} to ${max}`;
}
