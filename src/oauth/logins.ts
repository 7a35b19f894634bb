import { CliError, usageError } from '../errors.ts';
import { isTime, readClaims } from '../net/jwt.ts';
import type { LoginPrompt } from './login.ts';
import type { OAuthOptions, TokenPlace } from './options.ts';
import type { SignIn } from './sign-in-rows.ts';
import { type IssuedParts, isPerson } from './source.ts';
import { placeId, type TokenRecord } from './token-files.ts';

/** The calls about the tokens that are stored on this machine. */
export interface Logins {
  /** Requests a new token, through a browser or as a program, and stores it. */
  login(onPrompt: (prompt: LoginPrompt) => void): Promise<SignIn>;
  /** Removes the stored token of this cluster, or all of them; returns those that were removed. */
  logout(all: boolean): Promise<readonly SignIn[]>;
  /** Which tokens `logout` would remove. */
  stored(all: boolean): Promise<readonly SignIn[]>;
  /** How weir signs in to this cluster. No token is requested. */
  status(): Promise<SignIn>;
}

/** Creates the calls about stored tokens. */
export function createLogins(parts: IssuedParts): Logins {
  const { options, files } = parts;
  const { place, deadline } = options;
  const id = placeId(place);
  const records = async (all: boolean): Promise<readonly TokenRecord[]> =>
    (await files.list()).filter((record) => all || record.id === id);
  return {
    async login(onPrompt) {
      if (options.token !== undefined) {
        throw usageError('unable to log in: oauth.token is set, and is used as it is', {
          code: 'CONFIG_INVALID',
          target: 'oauth.token',
          hints: ['see where it comes from: weir config show oauth.token'],
        });
      }
      if (place.grant === 'aws') throw nothingToLogIn();
      const issuer = await parts.issuer();
      const granted = isPerson(place.grant)
        ? await (await import('./login.ts')).logIn(issuer, parts, onPrompt)
        : await (await import('./grants.ts')).requestToken(issuer, parts);
      const record = { id, place, ...granted };
      await files.locked(id, deadline.signal, () => files.write(record));
      return rowOf(record);
    },
    async logout(all) {
      const removed: TokenRecord[] = [];
      for (const one of all ? await files.ids() : [id]) {
        // A renewal under way would store its token afterwards.
        await files.locked(one, deadline.signal, async () => {
          const record = await files.read(one).catch(() => undefined);
          await files.remove(one);
          if (record !== undefined) removed.push(record);
        });
      }
      await revokeAll(parts, removed);
      return removed.map(rowOf);
    },
    stored: async (all) => (await records(all)).map(rowOf),
    async status() {
      if (options.token !== undefined) return await givenRow(options, options.token.read);
      return rowOf((await files.read(id)) ?? { id, place });
    },
  };
}

/** Ends logins at the issuer that is configured; others may need another client, with a secret of its own. */
async function revokeAll({ options, issuer }: IssuedParts, records: readonly TokenRecord[]): Promise<void> {
  const { place, deadline, warn } = options;
  for (const { refreshToken, place: of } of records) {
    // The issuer, the client and the way there must be those that the login is bound to; it is not sent to the cluster.
    const isBound = placeId({ ...of, addresses: place.addresses }) === placeId(place);
    if (refreshToken === undefined || of.issuer === '' || !isBound) continue;
    try {
      await (await import('./grants.ts')).revoke(await issuer(), refreshToken);
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (!(error instanceof CliError)) throw error;
      warn(`the issuer may still accept the login, which is only removed here: ${error.message}`);
    }
  }
}

/** A cloud identity is looked up by each command. */
function nothingToLogIn(): Error {
  return usageError(
    'there is nothing to log in to: weir signs in with an AWS identity, which it looks up for each command',
    {
      code: 'NO_LOGIN',
      target: 'oauth.grant',
      hints: [
        'see whose identity it is, and where it comes from: weir doctor',
        'log in to the cloud with: aws sso login',
      ],
    },
  );
}

function rowOf({ place, token, refreshToken }: TokenRecord): SignIn {
  const { issuer, tokenUrl, grant, clientId } = place;
  return {
    issuer: issuer || tokenUrl,
    grant,
    client_id: clientId,
    brokers: place.addresses.brokers,
    ...claimsOf(token?.text, place.scope),
    expires_at: token === undefined ? null : new Date(token.expiresAt).toISOString(),
    has_token: token !== undefined,
    renewable: !isPerson(grant) || refreshToken !== undefined,
  };
}

async function givenRow({ place }: OAuthOptions, read: () => Promise<string>): Promise<SignIn> {
  const token = (await read()).trim();
  const exp = readClaims(token)?.expiresAt;
  const expiresAt = exp !== undefined && isTime(exp) ? exp : undefined;
  return {
    issuer: '',
    grant: null,
    client_id: '',
    brokers: place.addresses.brokers,
    ...claimsOf(token, ''),
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    has_token: true,
    renewable: false,
  };
}

function claimsOf(token: string | undefined, asked: TokenPlace['scope']) {
  const { subject, audience = [], scope } = (token === undefined ? undefined : readClaims(token)) ?? {};
  return { subject: subject ?? null, audience: [...audience], scope: scope ?? (asked || null) };
}
