import { createHash } from 'node:crypto';
import type { Reply } from '../../http/reply.ts';
import { newId } from '../identifiers.ts';
import { signToken } from '../jwt.ts';
import type { World } from '../world.ts';

const dayMs = 86_400_000;

/** The subject, client and audience of a new token. */
interface Grant {
  readonly subject: string;
  readonly clientId: string;
  readonly audience: string;
  readonly type: 'client-credentials' | 'device-code';
}

/** Answers with a new token, or with 429 when the organization has used up its daily tokens. */
export function issueToken(world: World, grant: Grant): Reply {
  const { settings } = world.state;
  const now = world.clock.now();
  const dayStart = now - (now % dayMs);
  const issued = world.state.tokens.dayStart === dayStart ? world.state.tokens.issued : 0;
  if (issued >= settings.tokensPerDay) return overQuota(settings.tokensPerDay, (dayStart + dayMs - now) / 1000);
  world.state.tokens = { dayStart, issued: issued + 1 };
  const iat = Math.floor(now / 1000);
  const token = signToken(world.key, {
    iss: `${world.url}/`,
    sub: grant.subject,
    aud: grant.audience,
    azp: grant.clientId,
    iat,
    exp: iat + settings.tokenLifetimeS,
    jti: newId(),
    gty: grant.type,
  });
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { access_token: token, token_type: 'Bearer', expires_in: settings.tokenLifetimeS },
  };
}

function overQuota(quota: number, secondsLeft: number): Reply {
  return {
    status: 429,
    headers: { 'auth0-organization-quota-limit': `b=per_day;q=${quota};r=0;t=${Math.ceil(secondsLeft)}` },
    body: { error: 'too_many_requests', error_description: 'the organization has used up its tokens for today' },
  };
}

/** An error response of the authorization server (RFC 6749 §5.2). */
export function oauthError(status: number, error: string, description: string): Reply {
  return { status, body: { error, error_description: description } };
}

/** Hashes a client secret for storage. */
export function secretSha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
