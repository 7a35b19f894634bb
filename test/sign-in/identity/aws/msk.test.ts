import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../../src/shape/object.ts';
import { iamMessage } from '../../../../src/sign-in/identity/aws/aws.ts';
import { profileFile } from '../../../config/sources/sources.ts';
import { authenticateAnswer, handshakeAnswer, metadataAnswer } from '../../../services/scripted-answers.ts';
import { type Arrival, type Script, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { services } from '../../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../../world.ts';

const SaslHandshake = handshakeAnswer(0, ['AWS_MSK_IAM', 'OAUTHBEARER']);
const Metadata = metadataAnswer({ brokers: [] });
const accepted = Buffer.from('{"version":"2020_10_22","request-id":"4f1c"}');
const keys = {
  AWS_ACCESS_KEY_ID: 'AKIATEST',
  AWS_SECRET_ACCESS_KEY: 'secret-canary',
  AWS_SESSION_TOKEN: 'session-canary',
};

/** Accepts what the keys have signed for this host and now, as MSK does, and refuses anything else. */
function verified({ body }: Arrival): Buffer {
  const sent = fieldsOf(JSON.parse(body.toString('utf8', 4)));
  const now = Date.parse(String(sent['x-amz-date']).replace(/^(....)(..)(.....)(..)/, '$1-$2-$3:$4:'));
  const credentials = {
    accessKeyId: keys.AWS_ACCESS_KEY_ID,
    secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
    sessionToken: keys.AWS_SESSION_TOKEN,
    expiresAt: undefined,
    from: '',
  };
  const signing = { credentials, region: 'eu-west-1', now, userAgent: String(sent['user-agent']) };
  const isGood = iamMessage('127.0.0.1', signing).text === JSON.stringify(sent) && Math.abs(Date.now() - now) < 60_000;
  return isGood
    ? authenticateAnswer(0, undefined, 0n, accepted)
    : authenticateAnswer(58, `[4f1c]: Access denied ${body}`);
}

function topics(script: Script, options: Readonly<Record<string, string>> = {}, env: World['env'] = keys) {
  return start(script, async (brokers) => {
    const given = { brokers, 'sasl.mechanism': 'aws_msk_iam', 'aws.region': 'eu-west-1', ...options };
    const x = Object.entries(given).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
    return await run(['topic', 'list', '-vv', '--trace', '-', ...x], {
      env: { AWS_EC2_METADATA_DISABLED: 'true', ...env },
    });
  });
}

async function start<T>(script: Script, work: (brokers: string) => Promise<T>) {
  await using broker = await startScriptedBroker({ SaslHandshake, Metadata, ...script });
  const outcome = await work(`127.0.0.1:${broker.address.port}`);
  return { outcome, messages: broker.of('SaslAuthenticate') };
}

describe('AWS_MSK_IAM', () => {
  test('signs in with keys of the environment', async () => {
    const { outcome, messages } = await topics({ SaslAuthenticate: verified });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(messages).toHaveLength(1);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/canary|[0-9a-f]{64}/);
  });

  test('tells why the broker refuses, and what was signed, without the signature', async () => {
    const env = { ...keys, AWS_SECRET_ACCESS_KEY: 'other-canary' };
    const { outcome } = await topics({ SaslAuthenticate: verified }, {}, env);
    expect(outcome.exitCode).toBe(4);
    expect(outcome.stderr).toContain('SASL AWS_MSK_IAM: SASL_AUTHENTICATION_FAILED (58): [4f1c]: Access denied');
    expect(outcome.stderr).toContain('hint: it was signed with the access key AKIATEST from the environment');
    expect(outcome.stdout + outcome.stderr).not.toMatch(/canary|[0-9a-f]{64}/);
  });

  test.each([
    [
      'AWS_MSK_IAM',
      'URL-encoded',
      (body: string) => encodeURIComponent(JSON.parse(body.slice(4))['x-amz-security-token']),
    ],
    [
      'OAUTHBEARER',
      'decoded',
      (body: string) => Buffer.from(/Bearer ([\w-]+)/.exec(body)?.[1] ?? '', 'base64url').toString(),
    ],
  ])('%s shows no secret that a broker repeats %s', async (mechanism, _, repeated) => {
    const SaslAuthenticate = ({ body }: Arrival) => authenticateAnswer(58, `bad ${repeated(body.toString())}`);
    const env = { ...keys, AWS_SESSION_TOKEN: 'session/canary+==' };
    const { outcome } = await topics({ SaslAuthenticate }, { 'sasl.mechanism': mechanism, 'oauth.grant': 'aws' }, env);
    expect(outcome.stderr).toMatch(/: bad .*\*\*\*/);
    expect(outcome.stdout + outcome.stderr).not.toMatch(/canary|[0-9a-f]{64}/);
  });

  test.each(['', 'hello', '{"version":"2030"}'])('takes no other answer for success (%j)', async (text) => {
    const SaslAuthenticate = authenticateAnswer(0, undefined, 0n, Buffer.from(text));
    const { outcome } = await topics({ SaslAuthenticate });
    expect(outcome).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('the answer is not one of this mechanism'),
    });
  });

  test('sends nothing to an address that is not one of MSK, unless the region is set', async () => {
    const { outcome, messages } = await topics({ SaslAuthenticate: verified }, { 'aws.region': '' });
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('it is not an address of Amazon MSK'),
    });
    expect(messages).toEqual([]);
  });
});

test('a signed URL is refused by a Kafka that expects other tokens, and the refusal says what was signed', async () => {
  const options = {
    brokers: services().oauth,
    'sasl.mechanism': 'OAUTHBEARER',
    'oauth.grant': 'aws',
    'aws.region': 'eu-west-1',
  };
  const x = Object.entries(options).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
  const { stderr, exitCode } = await run(['topic', 'list', ...x], { env: keys });
  expect(exitCode).toBe(4);
  expect(stderr).toContain('SASL OAUTHBEARER: the broker refuses the token: invalid_token');
  expect(stderr).toContain('it was signed with the access key AKIATEST');
});

test.each([
  ['AWS_MSK_IAM', 'aws', 'AWS'],
  ['OAUTHBEARER', 'azure', 'Azure'],
])('the status with %s and %s names the cloud, and asks nobody', async (mechanism, grant, name) => {
  const x = ['-X', `sasl.mechanism=${mechanism}`, '-X', `oauth.grant=${grant}`];
  const { stdout, exitCode } = await run(['cluster', 'auth', 'status', '--format', 'json', ...x]);
  expect(JSON.parse(stdout)).toMatchObject({ grant, token_from: `an identity of ${name}`, problem: null });
  expect(exitCode).toBe(0);
  expect(await run(['cluster', 'auth', 'login', ...x])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/nothing to log in to/),
  });
});

test('a profile and a broker configuration file that are named say where a signature is sent', async () => {
  for (const [flag, text] of [
    ['--config', (brokers: string) => profileFile(`brokers: ["${brokers}"]`)],
    ['--broker-config', (brokers: string) => `weir:\n  brokers: ["${brokers}"]\n`],
  ] as const) {
    const { outcome } = await start({ SaslAuthenticate: verified }, async (brokers) => {
      const path = join(temporaryDirectory(), 'named.yaml');
      writeFileSync(path, text(brokers), { mode: 0o644 });
      const x = ['-X', 'sasl.mechanism=AWS_MSK_IAM', '-X', 'aws.region=eu-west-1'];
      return await run(['topic', 'list', flag, path, ...x], { env: keys });
    });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
  }
});
