import plain, { type SaslExchange } from 'kafkajs/src/broker/saslAuthenticator/plain.js';
import scram256 from 'kafkajs/src/broker/saslAuthenticator/scram256.js';
import scram512 from 'kafkajs/src/broker/saslAuthenticator/scram512.js';
import type { Logger } from 'kafkajs/src/loggers/index.js';
import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { isLocal } from '../../../net/address.ts';
import { secretText, withoutSent } from '../../../net/secret.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { PasswordSasl, SaslOptions } from '../options.ts';
import type { ResponseOf } from '../wire/api.ts';
import { saslAuthenticate } from '../wire/apis/sasl-authenticate.ts';
import { saslHandshake } from '../wire/apis/sasl-handshake.ts';
import { codes } from '../wire/error-codes.ts';
import type { Peer } from './connect-error.ts';
import type { Versions } from './versions.ts';
import type { Wire } from './wire.ts';

/** The connection to authenticate. */
export interface SaslTarget {
  readonly wire: Wire;
  readonly versions: Versions;
  readonly peer: Peer;
}

/** A broken exchange starts over on another connection, where repeating a message does no harm. */
export const message = { ...saslAuthenticate, repeatable: true };

/**
 * kafkajs has the messages and the arithmetic of PLAIN and SCRAM, and nothing else of it is used: it checks the nonce and
 * the signature of the broker. Its comparison of signatures takes a time that depends on them, which tells nothing about
 * the next login, because that has another nonce. Like Kafka's Java client and librdkafka, it escapes `=` and `,` in user
 * names and takes names and passwords as UTF-8, without SASLprep (RFC 4013): normalized ones would not match what
 * Kafka's tools have stored. Its version is pinned, and a contract test covers the parts in use.
 */
const mechanisms = { PLAIN: plain, 'SCRAM-SHA-256': scram256, 'SCRAM-SHA-512': scram512 } as const;
/** Discards the log of kafkajs; weir reports errors and traces itself. */
const silentLogger: Logger = { debug: () => undefined, error: () => undefined };

/** Brokers should answer a failed login; some, the fake cluster of franz-go among them, only close the connection. */
const cutHint = 'check the user and the password: a broker may close the connection instead of refusing a login';

/**
 * The least iterations of PBKDF2 that RFC 7677 and Kafka allow, and the most that weir computes. Node.js cannot cancel
 * the computation: billions of iterations would keep the process alive for minutes after its limits.
 */
const iterations = { min: 4096, max: 1_000_000 };

/** Far more than a message of SCRAM needs: each of its parts becomes several objects. */
const mostMessageBytes = 64 * 1024;
const invalidMessage = 'the broker sent an invalid SCRAM message';

/**
 * Authenticates a connection with a mechanism of kafkajs. Its messages are sent in weir's own requests, each limited by
 * the request timeout overhead.
 * @returns the lifetime of the session in milliseconds; 0: it does not expire (KIP-368)
 * @throws CliError (exit 4) naming mechanism and user, never the password
 */
export async function authenticate(target: SaslTarget, sasl: PasswordSasl): Promise<number> {
  await handshake(target, sasl);
  let lifetimeMs = 0;
  let failure: CliError | undefined;
  let isFirst = true;
  const version = target.versions.choose(message);
  const password = await secretText(sasl.password);
  const login = { ...sasl, isPadded: password.trim() !== password };
  const authenticator = mechanisms[sasl.mechanism]({ username: sasl.username, password })({
    host: target.peer.host,
    port: 0,
    logger: silentLogger,
    async saslAuthenticate({ request, response }) {
      try {
        // kafkajs prefixes the bytes with their length, for SASL without Kafka headers; the request has its own.
        const authBytes = (await request.encode()).subarray(4);
        const answer = await target.wire.send(message, { authBytes }, version);
        if (answer.errorCode !== 0)
          throw refused(target.peer, login, reasonOf(answer, [password, `\0${sasl.username}\0${password}`]));
        lifetimeMs = Number(answer.sessionLifetimeMs);
        const parsed = await parse(response, answer.authBytes);
        if (isFirst && sasl.mechanism !== 'PLAIN') checkFirstAnswer(parsed);
        isFirst = false;
        return parsed;
      } catch (error) {
        if (error instanceof CliError) failure = error.code === 'CONNECTION_LOST' ? withHints(error, [cutHint]) : error;
        throw error;
      }
    },
  });
  try {
    await authenticator.authenticate();
  } catch (error) {
    // kafkajs keeps only the message of an error thrown in the callback.
    throw failure ?? refused(target.peer, login, error instanceof Error ? error.message : String(error));
  }
  return lifetimeMs;
}

/** Enough for the reasons that brokers give, in characters. */
const mostReason = 600;

/** Why a broker refuses a login; nothing keeps it from repeating what it was sent. */
function reasonOf(
  { errorCode, errorMessage }: ResponseOf<typeof saslAuthenticate>,
  secrets: readonly string[],
): string {
  const serverText = errorMessage === undefined ? undefined : withoutSent(errorMessage, secrets, mostReason);
  return kafkaErrorText(errorCode, serverText);
}

/** Reads a message of the broker. */
async function parse({ decode, parse: read }: SaslExchange['response'], bytes: Buffer): Promise<unknown> {
  if (bytes.length > mostMessageBytes) throw new Error(`the broker sent a SASL message of ${bytes.length} bytes`);
  try {
    return await read(await decode(withLength(bytes)));
  } catch {
    // The error of kafkajs says only where its code stumbled.
    throw new Error(invalidMessage);
  }
}

/**
 * Checks the first message of a SCRAM server before the password is salted. kafkajs checks the nonce, and the signature
 * of the server at the end.
 */
function checkFirstAnswer(parsed: unknown): void {
  const { i = '', e, r, s } = parsed as Readonly<Record<string, string | undefined>>;
  if (e !== undefined) throw new Error(e);
  if (r === undefined || s === undefined) throw new Error(invalidMessage);
  const asked = /^\d+$/.test(i) ? Number(i) : Number.NaN;
  if (asked >= iterations.min && asked <= iterations.max) return;
  throw new Error(`the broker asks for ${i} iterations, not for ${iterations.min} to ${iterations.max}`);
}

/** Chooses the mechanism. @throws CliError (exit 4) if the listener does not offer it, or does not use SASL */
export async function handshake({ wire, versions, peer }: SaslTarget, sasl: SaslOptions): Promise<void> {
  const { mechanism } = sasl;
  if (!versions.offers(saslHandshake)) throw notUsed(peer, sasl, notUsedHere);
  const answer = await wire.send(saslHandshake, { mechanism }, versions.choose(saslHandshake));
  if (answer.errorCode === 0) return;
  if (answer.errorCode === codes.UNSUPPORTED_SASL_MECHANISM) {
    const offered = [...answer.mechanisms].sort();
    throw new CliError(exitCodes.auth, `${peer.broker} does not offer the SASL mechanism ${mechanism}`, {
      code: 'UNSUPPORTED_SASL_MECHANISM',
      hints: [mechanismHint(offered, peer)],
    });
  }
  if (answer.errorCode === codes.ILLEGAL_SASL_STATE)
    throw notUsed(peer, sasl, `SASL: ${kafkaErrorText(answer.errorCode, notUsedHere)}`);
  throw kafkaError(
    answer.errorCode,
    `unable to authenticate to ${peer.broker}: SASL: ${kafkaErrorText(answer.errorCode)}`,
  );
}

const notUsedHere = 'this listener does not use SASL';

/** The error for a listener without SASL: some brokers refuse the handshake there, others do not know it. */
function notUsed(
  peer: Peer,
  { turnOff = 'turn SASL off with "-X sasl.mechanism="' }: SaslOptions,
  why: string,
): CliError {
  return kafkaError(codes.ILLEGAL_SASL_STATE, `unable to authenticate to ${peer.broker}: ${why}`, {
    hints: [turnOff, 'or use the port of a listener that uses SASL'],
  });
}

/** The mechanisms in the order in which a hint prefers them: the first two do not send a secret. */
const preferred = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN', 'OAUTHBEARER'] as const;
/** The mechanism of one vendor comes last. */
const all = [...preferred, 'AWS_MSK_IAM'] as const;

/**
 * What to do about a mechanism that is not offered. Anyone on the path could have changed the offer of a connection
 * without TLS, so PLAIN is not suggested there: it would send them the password.
 */
function mechanismHint(offered: readonly string[], { tls, host }: Peer): string {
  if (offered.length === 0) return 'turn SASL off with "-X sasl.mechanism=" (the broker offers no mechanism)';
  const common = all.filter((name) => offered.includes(name));
  const usable = common.find((name) => name.startsWith('SCRAM') || tls || isLocal({ host }));
  const offer = `(the broker offers ${offered.join(', ')})`;
  if (usable !== undefined)
    return `use a mechanism that the broker offers (${offered.join(', ')}): -X sasl.mechanism=${usable}`;
  if (common[0] === 'PLAIN')
    return `use a listener with TLS or SCRAM: PLAIN would send the password unencrypted ${offer}`;
  if (common.length > 0) return `use a listener with TLS: ${common[0]} would send the token unencrypted ${offer}`;
  return `use a listener that offers ${preferred.toReversed().join(', ')} ${offer}`;
}

/** A user and a password, and whether a blank surrounds the password. */
type Login = PasswordSasl & { readonly isPadded: boolean };

function refused(peer: Peer, { mechanism, username, whose, isPadded }: Login, why: string): CliError {
  return new CliError(
    exitCodes.auth,
    `unable to authenticate to ${peer.broker}: SASL ${mechanism} as user "${username}": ${why}`,
    {
      code: 'SASL_AUTHENTICATION_FAILED',
      hints: [
        'check user, pass and sasl.mechanism',
        ...(isPadded ? ['the password begins or ends with a blank: remove it, unless it belongs to the password'] : []),
        ...nameHints(mechanism, username),
        ...(whose === undefined ? [] : [whose]),
      ],
      target: 'user',
    },
  );
}

/** Kafka's pattern for the names in SCRAM messages has ASCII only, so it refuses others whatever the password is. */
function nameHints(mechanism: SaslOptions['mechanism'], username: string): readonly string[] {
  const isAscii = Buffer.byteLength(username) === username.length;
  return mechanism === 'PLAIN' || isAscii ? [] : ['Kafka accepts only ASCII in the names of users with SCRAM'];
}

function withLength(bytes: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(4 + bytes.length);
  framed.writeInt32BE(bytes.length, 0);
  bytes.copy(framed, 4);
  return framed;
}
