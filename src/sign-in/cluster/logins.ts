import { CliError, usageError } from '../../errors.ts';
import { describeToken, isTime, readClaims } from '../../net/jwt.ts';
import type { ClusterPrompt } from './browser-login.ts';
import { clouds, type GivenToken, missingKeys, type TokenPlace } from './options.ts';
import type { SignIn } from './sign-in-rows.ts';
import { placeId, type TokenRecord } from './token-files.ts';
import { type IssuedParts, isPerson, loggedOut, recordOf } from './token-source.ts';

/** The calls about the tokens that are stored on this machine. */
export interface Logins {
  /** Requests a new token, through a browser or as a program, and stores it. */
  login(onPrompt: (prompt: ClusterPrompt) => void): Promise<SignIn>;
  /** Removes the stored token of this cluster, or all of them; returns those that were removed. */
  logout(all: boolean): Promise<readonly SignIn[]>;
  /** Which tokens `logout` would remove. */
  stored(all: boolean): Promise<readonly SignIn[]>;
  /** How weir signs in to this cluster. No token is requested, and no program is run. */
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
      const cloud = clouds[place.grant];
      if (cloud !== undefined) throw nothingToLogIn(cloud.login);
      const issuer = await parts.issuer();
      const granted = isPerson(place.grant)
        ? await (await import('./browser-login.ts')).logIn(issuer, parts, onPrompt)
        : await (await import('./grants.ts')).requestToken(issuer, parts);
      const record = await recordOf(options, granted);
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
      const now = deadline.clock.wallTime();
      if (options.token !== undefined) return await givenRow(place, options.token, now);
      const record = (await files.read(id)) ?? { id, place };
      return { ...rowOf(record), problem: await problemOf(parts, record, now) };
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

function nothingToLogIn(command: string): Error {
  return usageError('there is nothing to log in to: weir looks up the identity of this cloud for each command', {
    code: 'NO_LOGIN',
    target: 'oauth.grant',
    hints: [`log in to the cloud with: ${command}`, 'see whose identity it is, and where it comes from: weir doctor'],
  });
}

function rowOf({ place, token, refreshToken }: TokenRecord): SignIn {
  const { issuer, tokenUrl, grant, clientId } = place;
  const isIncomplete = missingKeys(place).length > 0;
  const cloud = clouds[grant];
  return {
    issuer: issuer || tokenUrl,
    grant: isIncomplete ? null : grant,
    client_id: clientId,
    brokers: place.addresses.brokers,
    ...claimsOf(token?.text, place.scope),
    expires_at: token === undefined ? null : timeText(token.expiresAt),
    has_token: token !== undefined,
    token_from: cloud === undefined ? null : `an identity of ${cloud.name}`,
    kept_since: token === undefined ? null : timeText(token.issuedAt),
    renewable: !isIncomplete && (!isPerson(grant) || refreshToken !== undefined),
    problem: null,
  };
}

/** What keeps the next command from signing in, as far as that is known without asking the issuer. */
async function problemOf(parts: IssuedParts, record: TokenRecord, now: number): Promise<string | null> {
  const { place, token, refreshToken } = record;
  const missing = missingKeys(place);
  if (missing.length > 0) return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
  const needsLogin = isPerson(place.grant) && refreshToken === undefined;
  if (!needsLogin || (token !== undefined && now < token.expiresAt)) return null;
  const { message, hints } = await loggedOut(parts, record);
  return [message.replace('unable to get a token: ', ''), ...hints].join('; ');
}

async function givenRow(place: TokenPlace, given: GivenToken, now: number): Promise<SignIn> {
  const token = given.isAsked ? undefined : (await given.read()).trim();
  const exp = token === undefined ? undefined : readClaims(token)?.expiresAt;
  const expiresAt = exp !== undefined && isTime(exp) ? exp : undefined;
  const [fault] = token === undefined ? [] : describeToken(token, now).faults;
  return {
    issuer: '',
    grant: null,
    client_id: '',
    brokers: place.addresses.brokers,
    ...claimsOf(token, ''),
    expires_at: expiresAt === undefined ? null : timeText(expiresAt),
    has_token: true,
    token_from: given.origin,
    kept_since: null,
    renewable: false,
    problem: fault === undefined ? null : `${fault}; ${given.whenExpired}`,
  };
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function claimsOf(token: string | undefined, asked: TokenPlace['scope']) {
  const { subject, audience = [], scope } = (token === undefined ? undefined : readClaims(token)) ?? {};
  return { subject: subject ?? null, audience: [...audience], scope: scope ?? (asked || null) };
}
