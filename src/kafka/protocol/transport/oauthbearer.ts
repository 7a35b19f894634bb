import type { Clock } from '../../../clock.ts';
import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { describeToken, readClaims } from '../../../net/jwt.ts';
import { withoutSent } from '../../../net/secret.ts';
import { kafkaErrorText } from '../errors.ts';
import type { BearerSasl } from '../options.ts';
import type { ResponseOf } from '../wire/api.ts';
import type { saslAuthenticate } from '../wire/apis/sasl-authenticate.ts';
import { handshake, message, type SaslTarget } from './sasl.ts';

/** Ends each part of a message (RFC 7628 §3.1), and alone answers a refusal (§3.2.3). */
const separator = '\x01';

/** Brokers read no more before a client has authenticated: Kafka 512 KiB (sasl.server.max.receive.size), Redpanda less. */
const mostTokenBytes = 256 * 1024;

/** The most of a broker's reason that is shown. */
const mostReason = 300;

/** A refusal is a small JSON object. */
const mostChallengeBytes = 16 * 1024;

const comparison =
  'compare it with what the broker expects: issuer, audience, scope, and its clock (on Redpanda oidc_discovery_url, oidc_token_audience)';

const cutHint = 'a broker may close the connection instead of refusing a token';

/**
 * Authenticates a connection with an OAuth token. The mechanism of kafkajs takes a refusal for success: it ignores the
 * answer, in which the broker says why.
 * @returns the lifetime of the session in milliseconds; 0: it does not expire (KIP-368)
 * @throws CliError (exit 4) with the reason of the broker and what the token claims, never the token; one that can be
 * repeated if there is another token
 */
export async function authenticate(target: SaslTarget, sasl: BearerSasl, clock: Clock): Promise<number> {
  // Before the handshake: the issuer may be slow, and a session that is renewed is in use until then.
  const { text, about, secrets = [] } = await sasl.tokens.get();
  if (text.length > mostTokenBytes) {
    throw new CliError(exitCodes.auth, `unable to authenticate to ${target.peer.broker}: ${tooLong(text)}`, {
      code: 'TOKEN_TOO_LARGE',
      hints: ['check where the token comes from: weir config show oauth.token oauth.issuer oauth.token_url'],
    });
  }
  await handshake(target, sasl);
  const answer = await send(target, firstMessage(text, sasl.extensions));
  const now = clock.wallTime();
  const isAccepted = answer.errorCode === 0 && answer.authBytes.length === 0;
  const lifetimeMs = Number(answer.sessionLifetimeMs);
  if (isAccepted && (lifetimeMs > 0 || !isExpired(text, now))) return lifetimeMs;
  const serverText = isAccepted
    ? endedAtOnce
    : answer.errorCode === 0
      ? await reasonOf(target, answer)
      : errorText(answer);
  // Nothing keeps a broker from repeating the token.
  const reason = withoutSent(serverText, [text, ...secrets], mostReason);
  const other = await sasl.tokens.renew(text);
  const { whenExpired } = sasl.tokens;
  throw refused(target, { text, about, reason, hasOther: other !== undefined, whenExpired, now });
}

/** Kafka with a lax validator: the session ends with the token, and the next request would find the connection closed. */
const endedAtOnce = 'the broker accepts the token, but ends the session at once';

function isExpired(token: string, now: number): boolean {
  return (readClaims(token)?.expiresAt ?? Number.POSITIVE_INFINITY) <= now;
}

function tooLong({ length }: string): string {
  return `SASL OAUTHBEARER: the token has ${length} bytes, and brokers read no more than ${mostTokenBytes}`;
}

function firstMessage(token: string, extensions: BearerSasl['extensions']): Buffer {
  const pairs = [['auth', `Bearer ${token}`], ...extensions].map(([key, value]) => `${key}=${value}${separator}`);
  return Buffer.from(`n,,${separator}${pairs.join('')}${separator}`);
}

type Answer = ResponseOf<typeof saslAuthenticate>;

async function send({ wire, versions }: SaslTarget, authBytes: Buffer): Promise<Answer> {
  try {
    return await wire.send(message, { authBytes }, versions.choose(message));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'CONNECTION_LOST') throw error;
    throw withHints(error, [cutHint]);
  }
}

/** Reads why a broker refuses the token, and ends the exchange, which the broker then reports as failed. */
async function reasonOf(target: SaslTarget, { authBytes }: Answer): Promise<string> {
  // Nothing more is to be learned if the broker closes the connection now.
  await send(target, Buffer.from(separator)).catch(() => undefined);
  return challengeText(authBytes);
}

function errorText({ errorCode, errorMessage }: Answer): string {
  const serverText = errorMessage === undefined ? undefined : refusalIn(errorMessage);
  return serverText ?? kafkaErrorText(errorCode, errorMessage);
}

function challengeText(bytes: Buffer): string {
  if (bytes.length > mostChallengeBytes) return `the broker refuses the token in ${bytes.length} bytes`;
  const text = bytes.toString('utf8');
  return refusalIn(text) ?? `the broker refuses the token: ${printable(text)}`;
}

/** The refusal in a JSON object (RFC 7628 §3.2.2); undefined for another text. */
function refusalIn(text: string): string | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { status, scope, 'openid-configuration': issuer } = Object(fields) as Readonly<Record<string, unknown>>;
  if (typeof status !== 'string') return undefined;
  const more = [
    typeof scope === 'string' && scope !== '' ? `it requires the scope ${printable(scope)}` : undefined,
    typeof issuer === 'string' && issuer !== '' ? `its issuer is described at ${printable(issuer)}` : undefined,
  ].filter((part) => part !== undefined);
  return [`the broker refuses the token: ${printable(status)}`, ...more].join('; ');
}

interface Refusal {
  readonly text: string;
  readonly about: string | undefined;
  readonly reason: string;
  readonly hasOther: boolean;
  readonly whenExpired: string | undefined;
  readonly now: number;
}

function refused({ peer }: SaslTarget, { text, about, reason, hasOther, whenExpired, now }: Refusal): CliError {
  const { claims, faults } = describeToken(text, now);
  const advice = isExpired(text, now) && whenExpired !== undefined ? whenExpired : comparison;
  return new CliError(
    exitCodes.auth,
    `unable to authenticate to ${peer.broker}: SASL OAUTHBEARER: ${[reason, ...faults].join('; ')}`,
    {
      code: 'SASL_AUTHENTICATION_FAILED',
      hints: [about ?? claims, advice],
      target: 'sasl.mechanism',
      retryable: hasOther,
    },
  );
}
