import type { CliError } from '../../errors.ts';
import type { Config, Setting } from '../config.ts';
import { configError, type Layer } from '../layer.ts';
import type { SecretKey } from '../options.ts';
import { isHigher } from './merge.ts';
import { isGiven } from './secret-rule.ts';

/** The APIs over HTTP that can have credentials of their own. */
export type HttpApi = 'admin' | 'registry';

/** How a client signs in to an API over HTTP. */
export interface SignIn {
  /** The setting of the user or of the token, which says where the credentials come from. */
  readonly by: Setting<unknown>;
  /** The user of basic authentication; undefined for a token. */
  readonly user: string | undefined;
  /** The option that has the password or the token. */
  readonly secret: SecretKey;
}

/**
 * Whose credentials an API over HTTP gets: its own token or user, from the highest source that sets one of them, or else
 * the user of the brokers. A user of its own never gets the password of the brokers: that would tell it to another server.
 * `none` if the highest source sets an empty one, which turns signing in off; undefined if there are no credentials.
 */
export function signInOf(api: HttpApi, get: Config['setting']): SignIn | 'none' | undefined {
  const [user, token, pass] = [get(`${api}.user`), get(`${api}.token`), get(`${api}.pass`)];
  const isByToken = isHigher(token.source, user.source) || (token.source === user.source && isGiven(token));
  const by = isByToken ? token : user;
  if (by.source !== 'default') {
    if (!isGiven(by)) return 'none';
    return isByToken
      ? { by, user: undefined, secret: `${api}.token` }
      : { by, user: user.value, secret: `${api}.pass` };
  }
  const common = get('user');
  if (common.value === '') return undefined;
  return { by: common, user: common.value, secret: isGiven(pass) ? `${api}.pass` : 'pass' };
}

/** The errors for sources that give an API a user and a token. */
export function findDoubleSignIns(layers: readonly Layer[]): readonly CliError[] {
  return layers.flatMap(({ entries }) =>
    (['admin', 'registry'] as const).flatMap((api) => {
      const user = entries.get(`${api}.user`);
      const token = [`${api}.token`, `${api}.token.command`, `${api}.token.file`, `${api}.token.keychain`] as const;
      const given = token.map((key) => entries.get(key)).find((entry) => entry !== undefined && entry.value !== '');
      if (user === undefined || user.value === '' || given === undefined) return [];
      return [
        configError(`${api}.user (${user.origin}) and ${api}.token (${given.origin}) exclude each other`, {
          target: `${api}.token`,
          hints: ['keep one of them'],
        }),
      ];
    }),
  );
}
