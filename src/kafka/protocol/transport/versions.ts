import { CliError, exitCodes } from '../../../errors.ts';
import type { ResponseOf } from '../wire/api.ts';
import type { apiVersions } from '../wire/apis/api-versions.ts';

/** The versions of one API that the broker supports, both ends included. */
type ApiVersionRange = ResponseOf<typeof apiVersions>['apiKeys'][number];

import type { Api } from '../wire/api.ts';

/** The fields of an API that are needed to choose a version. */
export type ApiName = Pick<Api<never, unknown>, 'name' | 'key' | 'min' | 'max'>;

/** The versions of the APIs to use with one broker. */
export interface Versions {
  /** Returns the highest version that both sides support. @throws CliError when there is none */
  choose(api: ApiName): number;
  /** Whether the broker reported any version of the API. */
  offers(api: Pick<ApiName, 'key'>): boolean;
}

/**
 * Negotiates versions from the ranges that the broker reported. Its lowest versions matter as well, because brokers
 * drop old versions (KIP-896).
 * @param broker the name of the broker, for messages
 * @param isSimulated whether it is one of the sandbox's simulated brokers, which lack many APIs
 */
export function negotiate(ranges: readonly ApiVersionRange[], broker: string, isSimulated = false): Versions {
  const byKey = new Map(ranges.map((range) => [range.apiKey, range]));
  return {
    offers: ({ key }) => byKey.has(key),
    choose(api) {
      const theirs = byKey.get(api.key);
      const highest = Math.min(api.max, theirs?.maxVersion ?? -1);
      if (theirs !== undefined && highest >= Math.max(api.min, theirs.minVersion)) return highest;
      throw theirs === undefined && isSimulated ? notSimulated(api, broker) : unsupported(api, theirs, broker);
    },
  };
}

function unsupported(api: ApiName, theirs: ApiVersionRange | undefined, broker: string): CliError {
  const message =
    theirs === undefined
      ? `${broker} does not support ${api.name}`
      : `${broker} supports ${api.name} ${range(theirs.minVersion, theirs.maxVersion)}, weir supports ${range(api.min, api.max)}`;
  return new CliError(exitCodes.failure, message, {
    code: 'UNSUPPORTED_VERSION',
    hints: theirs === undefined ? [] : ['use a version of weir that supports this broker, or upgrade the broker'],
  });
}

function notSimulated({ name }: ApiName, broker: string): CliError {
  return new CliError(exitCodes.failure, `${broker} does not support ${name}, as it is simulated`, {
    code: 'UNSUPPORTED_VERSION',
    hints: ['a sandbox with a real Kafka does: weir sandbox start --name real --engine java (or docker, podman)'],
  });
}

function range(min: number, max: number): string {
  return min === max ? `version ${min}` : `versions ${min} to ${max}`;
}
