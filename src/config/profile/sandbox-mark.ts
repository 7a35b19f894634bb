import type { Config } from '../config.ts';

/** The description of the profiles that `sandbox start` creates, by which other commands recognise them. */
export const sandboxMark = 'created by weir sandbox start';

/** The name of the sandbox that the brokers of the configuration belong to; its profile has the same. Undefined for others. */
export function sandboxOf(config: Config): string | undefined {
  const { profile } = config;
  const isSandbox = profile?.description === sandboxMark && config.setting('brokers').source === 'profile';
  return isSandbox ? profile.name : undefined;
}

/** The description of a copy of a profile: a copy of the sandbox's is none of its own. */
export function withoutMark(description: string | undefined): string | undefined {
  return description === sandboxMark ? undefined : description;
}
