import { describe, expect, test } from 'vitest';
import { bearerToken, iamMessage } from '../../../../src/sign-in/identity/aws/aws.ts';
import { signedHeaders } from '../../../../src/sign-in/identity/aws/sigv4.ts';
import recorded from './signatures.json' with { type: 'json' };

const accessKeyId = 'AKIDEXAMPLE';
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

function keys(sessionToken: string | undefined) {
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt: undefined, from: 'a test' };
}

/** The query of a signed URL, without who has made it. */
function queryOf(url: string): Readonly<Record<string, string>> {
  const { 'User-Agent': _, ...query } = Object.fromEntries(new URL(url).searchParams);
  return query;
}

describe('weir signs as the signers of AWS do, which have recorded what they make', () => {
  test.each(recorded.tokens)(
    'a token for $region (aws-msk-iam-sasl-signer)',
    ({ region, now, token, url, expires_at }) => {
      const credentials = keys(token ?? undefined);
      const { text, expiresAt } = bearerToken({ credentials, region, now, userAgent: 'weir' });
      const own = Buffer.from(text, 'base64url').toString('utf8');
      expect(new URL(own).origin).toBe(new URL(url).origin);
      expect(queryOf(own)).toEqual(queryOf(url));
      expect(expiresAt).toBe(expires_at);
    },
  );

  test.each(recorded.messages)('a message for $host (aws-msk-iam-auth)', (message) => {
    const [, region = ''] = message['x-amz-credential'].split('/').slice(1);
    const now = Date.parse(message['x-amz-date'].replace(/^(....)(..)(.....)(..)/, '$1-$2-$3:$4:'));
    const credentials = keys(message['x-amz-security-token']);
    const { text } = iamMessage(message.host, { credentials, region, now, userAgent: 'UA' });
    expect(JSON.parse(text)).toEqual(message);
  });

  test.each(recorded.headers)(
    'a request to STS in $region (botocore)',
    ({ region, now, token, url, body, authorization }) => {
      const contentType = 'application/x-www-form-urlencoded; charset=utf-8';
      const scope = { region, service: 'sts', now };
      expect(signedHeaders({ url, body, contentType }, keys(token ?? undefined), scope)).toMatchObject({
        authorization,
      });
    },
  );
});

test('a signature ends with the keys that made it', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const credentials = { ...keys(undefined), expiresAt: now + 60_500 };
  const { text, expiresAt } = bearerToken({ credentials, region: 'eu-west-1', now, userAgent: 'weir' });
  expect(Buffer.from(text, 'base64url').toString('utf8')).toContain('&X-Amz-Expires=60&');
  expect(expiresAt).toBe(now + 60_000);
});
