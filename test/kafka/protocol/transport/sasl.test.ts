import { createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PasswordSasl } from '../../../../src/kafka/protocol/options.ts';
import {
  authenticateAnswer,
  handshakeAnswer,
  metadataAnswer,
  versionsAnswer,
} from '../../../services/scripted-answers.ts';
import { type Script, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf, firstFailure } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const noBrokers = metadataAnswer({ brokers: [] });

describe('SASL', () => {
  const sasl: PasswordSasl = { mechanism: 'PLAIN', username: 'alice', password: 'hunter2' };

  test('names mechanism and user, never the password, when the broker refuses', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, 'Authentication failed: Invalid username or password'),
    });
    const error = await firstFailure(broker, { sasl });
    expect(error.message).toBe(
      `unable to authenticate to broker 127.0.0.1:${broker.address.port}: SASL PLAIN as user "alice": SASL_AUTHENTICATION_FAILED (58): Authentication failed: Invalid username or password`,
    );
    expect(error.exitCode).toBe(4);
    expect(JSON.stringify([error.message, error.hints, String(error.cause)])).not.toContain('hunter2');
    // Neither a second attempt nor another seed broker with the same wrong password.
    expect(broker.of('SaslAuthenticate')).toHaveLength(1);
  });

  test.each([
    ['hunter2 is wrong', '*** is wrong'],
    [Buffer.from('\0alice\0hunter2').toString('base64'), '***'],
    [`${'x'.repeat(590)}hunter2`, `${'x'.repeat(590)}***`],
    ['x'.repeat(700), `${'x'.repeat(599)}…`],
  ])('shows neither the password that a broker repeats nor a long reason: %s', async (told, shown) => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, told),
    });
    const { message } = await firstFailure(broker, { sasl });
    expect(message.split('(58): ')[1]).toBe(shown);
  });

  test('reads a password that may change for each sign-in', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, 'no'),
    });
    const given = ['one', 'two'];
    const changing: PasswordSasl = { ...sasl, password: async () => given.shift() ?? '' };
    for (const password of ['one', 'two']) {
      await firstFailure(broker, { sasl: changing });
      expect(broker.of('SaslAuthenticate').at(-1)?.body.toString('utf8')).toContain(`\0alice\0${password}`);
    }
  });

  test('lists what the broker offers when the mechanism is not enabled', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(33, ['SCRAM-SHA-512', 'GSSAPI']) });
    const error = await firstFailure(broker, { sasl });
    expect(error.message).toContain('does not offer the SASL mechanism PLAIN');
    expect(error.hints).toEqual([
      'use a mechanism that the broker offers (GSSAPI, SCRAM-SHA-512): -X sasl.mechanism=SCRAM-SHA-512',
    ]);
    expect(error.exitCode).toBe(4);
  });

  test.each([
    [
      ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'],
      'far.example',
      '(PLAIN, SCRAM-SHA-256, SCRAM-SHA-512): -X sasl.mechanism=SCRAM-SHA-512',
    ],
    [['PLAIN', 'SCRAM-SHA-256'], 'far.example', '(PLAIN, SCRAM-SHA-256): -X sasl.mechanism=SCRAM-SHA-256'],
    [['PLAIN', 'SCRAM-SHA-256'], '127.0.0.1', '(PLAIN, SCRAM-SHA-256): -X sasl.mechanism=SCRAM-SHA-256'],
    [['PLAIN'], '127.0.0.1', '(PLAIN): -X sasl.mechanism=PLAIN'],
    [['OAUTHBEARER'], '127.0.0.1', '(OAUTHBEARER): -X sasl.mechanism=OAUTHBEARER'],
    [
      ['OAUTHBEARER'],
      'far.example',
      'use a listener with TLS: OAUTHBEARER would send the token unencrypted (the broker offers OAUTHBEARER)',
    ],
    [
      ['PLAIN'],
      'far.example',
      'use a listener with TLS or SCRAM: PLAIN would send the password unencrypted (the broker offers PLAIN)',
    ],
  ])(
    'of a broker that offers %j at %s is suggested so that no one on the path reads the password',
    async (offered, host, hint) => {
      const links = scriptedLinks({ SaslHandshake: handshakeAnswer(33, offered) });
      const refused: PasswordSasl = { ...sasl, mechanism: offered.length > 2 ? 'PLAIN' : 'SCRAM-SHA-512' };
      await using client = clientOf([`${host}:9092`], {}, { sasl: refused, dial: links.dial });
      const { hints } = await failureOf(client.metadata([]));
      expect(hints).toEqual([expect.stringContaining(hint)]);
    },
  );

  test.each([
    ['PLAIN', ['one.example', 'two.example']],
    ['SCRAM-SHA-256', []],
  ] as const)('%s without TLS is warned of once for each remote host', async (mechanism, hosts) => {
    const links = scriptedLinks((host) => ({
      SaslHandshake: handshakeAnswer(0, [mechanism]),
      SaslAuthenticate: host === '127.0.0.1' ? 'silent' : 'drop',
    }));
    const warnings: string[] = [];
    const brokers = ['one.example:9092', 'one.example:9093', 'two.example:9092', '127.0.0.1:9092'];
    const clock = createVirtualClock();
    const deadline = deadlineOf({ overhead: 100, retry: 1000 }, clock);
    await using client = clientOf(
      brokers,
      {},
      {
        ...{ dial: links.dial, deadline, sasl: { ...sasl, mechanism } },
        warn: (line) => warnings.push(line),
      },
    );
    const failure = failureOf(client.metadata([]));
    await clock.runFor(60_000);
    await failure;
    expect(links.of('SaslAuthenticate').length).toBeGreaterThan(4);
    const text = (host: string) =>
      `the password (option pass) is sent unencrypted to broker ${host}: turn on TLS with -X tls.enabled=true, or use SCRAM`;
    expect(warnings.sort()).toEqual(hosts.map(text));
  });

  test('suggests no mechanism when weir supports none that the broker offers', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(33, ['DIGEST-MD5', 'GSSAPI']) });
    const error = await firstFailure(broker, { sasl });
    expect(error.hints).toEqual([
      'use a listener that offers OAUTHBEARER, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 (the broker offers DIGEST-MD5, GSSAPI)',
    ]);
  });

  test.each([
    ['refuses the handshake', { SaslHandshake: handshakeAnswer(34, []) }, 'SASL: ILLEGAL_SASL_STATE (34): '],
    ['does not know the handshake', { ApiVersions: versionsAnswer([[17, 0, -1]]) }, ''],
  ])('says that a listener that %s does not use SASL', async (_, script, reason) => {
    await using broker = await startScriptedBroker(script);
    const error = await firstFailure(broker, { sasl: { ...sasl, turnOff: 'leave out -X user' } });
    expect(error).toMatchObject({ exitCode: 4, code: 'ILLEGAL_SASL_STATE' });
    expect(error.message).toBe(
      `unable to authenticate to broker 127.0.0.1:${broker.address.port}: ${reason}this listener does not use SASL`,
    );
    expect(error.hints).toEqual(['leave out -X user', 'or use the port of a listener that uses SASL']);
  });

  test('that the broker cuts off is retried on a new connection', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: ['drop', authenticateAnswer(0, undefined)],
      Metadata: noBrokers,
    });
    await using client = clientOf([broker.address], {}, { sasl });
    await client.metadata([]);
    expect(broker.connections).toBe(2);
  });

  test('with an invalid answer is an authentication error, not a crash', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['SCRAM-SHA-256']),
      SaslAuthenticate: authenticateAnswer(0, undefined),
    });
    const error = await firstFailure(broker, { sasl: { ...sasl, mechanism: 'SCRAM-SHA-256' } });
    expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
  });

  test('that one seed broker refuses is not tried on the next', async () => {
    const links = scriptedLinks({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, 'Authentication failed'),
    });
    await using client = clientOf(['one:9092', 'two:9092'], {}, { sasl, dial: links.dial });
    expect(await failureOf(client.metadata([]))).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
    expect(links.of('SaslAuthenticate').map(({ address }) => address)).toEqual(['one']);
  });
});

describe('a SCRAM server', () => {
  const password = 'hunter2';
  const sasl: PasswordSasl = { mechanism: 'SCRAM-SHA-256', username: 'alice', password };
  const salt = Buffer.from('salt');
  const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

  /** A broker whose two SCRAM messages are changed: the first one, and the signature at the end. */
  function scram(
    change: (first: string) => string,
    sign: (signature: string) => string = (given) => `v=${given}`,
  ): Script {
    let [clientFirst, serverFirst] = ['', ''];
    const text = (bytes: string): Buffer => authenticateAnswer(0, undefined, 0n, Buffer.from(bytes));
    return {
      SaslHandshake: handshakeAnswer(0, [sasl.mechanism]),
      Metadata: noBrokers,
      SaslAuthenticate({ body, before }) {
        const message = body.toString('utf8', 4);
        if (before === 0) {
          clientFirst = message.slice('n,,'.length);
          serverFirst = change(`r=${clientFirst.split('r=')[1]}server,s=${salt.toString('base64')},i=4096`);
          return text(serverFirst);
        }
        const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256');
        const signed = [clientFirst, serverFirst, message.replace(/,p=.*$/, '')].join();
        return text(sign(hmac(hmac(salted, 'Server Key'), signed).toString('base64')));
      },
    };
  }
  const asked = (text: string) => (first: string) => first.replace('i=4096', text);

  test('that proves to know the password is used', async () => {
    await using broker = await startScriptedBroker(scram((first) => first));
    await using client = clientOf([broker.address], {}, { sasl });
    await client.metadata([]);
    expect(broker.of('SaslAuthenticate')).toHaveLength(2);
  });

  test.each([
    [
      'asks for 2147483647 iterations',
      scram(asked('i=2147483647')),
      1,
      'the broker asks for 2147483647 iterations, not for 4096 to 1000000',
    ],
    ['asks for 1000001 iterations', scram(asked('i=1000001')), 1, 'the broker asks for 1000001 iterations, not'],
    [
      'asks for fewer iterations than RFC 7677 allows',
      scram(asked('i=4095')),
      1,
      'the broker asks for 4095 iterations, not',
    ],
    [
      'names the iterations twice',
      scram(asked('i=4096,i=2147483647')),
      1,
      'the broker asks for 2147483647 iterations, not',
    ],
    ['names no number of iterations', scram(asked('i=many')), 1, 'the broker asks for many iterations, not'],
    [
      'leaves out the salt',
      scram((first) => first.replace(/,s=[^,]*/, '')),
      1,
      'the broker sent an invalid SCRAM message',
    ],
    ['sends no SCRAM message', scram(() => 'no'), 1, 'the broker sent an invalid SCRAM message'],
    [
      'sends an empty message at the end',
      scram(
        (first) => first,
        () => '',
      ),
      2,
      'the broker sent an invalid SCRAM message',
    ],
    [
      'sends a message of many parts',
      scram((first) => `${first}${',i=4096'.repeat(20_000)}`),
      1,
      'the broker sent a SASL message of',
    ],
    ['refuses at once', scram(() => 'e=unknown-user'), 1, 'unknown-user'],
    ['needs an extension', scram((first) => `m=x,${first}`), 1, 'the broker sent an invalid SCRAM message'],
    ['answers with a nonce of its own', scram((first) => first.replace(/^r=/, 'r=x')), 1, 'Invalid server nonce'],
    [
      'signs with another password',
      scram(
        (first) => first,
        () => `v=${salt.toString('base64')}`,
      ),
      2,
      'Invalid server signature',
    ],
    [
      'does not sign',
      scram(
        (first) => first,
        () => 'r=x',
      ),
      2,
      'Invalid server signature',
    ],
    [
      'refuses at the end',
      scram(
        (first) => first,
        () => 'e=invalid-proof',
      ),
      2,
      'invalid-proof',
    ],
  ])('that %s is refused and gets no request', async (_, script, messages, why) => {
    await using broker = await startScriptedBroker(script);
    const error = await firstFailure(broker, { sasl });
    expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
    expect(error.message).toContain(why);
    expect(broker.of('SaslAuthenticate')).toHaveLength(messages);
    expect(broker.of('Metadata')).toHaveLength(0);
  });
});

test.each([
  ['SCRAM-SHA-256', 'x', ['Kafka accepts only ASCII in the names of users with SCRAM']],
  ['PLAIN', 'x', []],
  ['PLAIN', 'x ', ['the password begins or ends with a blank: remove it, unless it belongs to the password']],
] as const)(
  'with %s, what may be wrong with a name or the password "%s" is advised of',
  async (mechanism, password, hints) => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, [mechanism]),
      SaslAuthenticate: authenticateAnswer(58, 'Authentication failed'),
    });
    const error = await firstFailure(broker, { sasl: { mechanism, username: 'b\u00fccher', password } });
    expect(error.hints).toEqual(['check user, pass and sasl.mechanism', ...hints]);
  },
);

describe('a SASL session of a minute', () => {
  const sasl: PasswordSasl = { mechanism: 'PLAIN', username: 'alice', password: 'hunter2' };

  /** When each request of an API arrived, on the clock. */
  async function started(script: Script = {}) {
    const clock = createVirtualClock();
    const links = scriptedLinks({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(0, undefined, 60_000n),
      Metadata: noBrokers,
      ...script,
    });
    const deadline = deadlineOf({ command: 3_600_000 }, clock);
    const client = clientOf(['b:9092'], {}, { sasl, dial: links.dial, deadline });
    await clock.runUntil(client.metadata([]));
    const arrivals = (api: string): readonly number[] => links.of(api).map(({ after }) => after);
    return { clock, links, client, arrivals };
  }

  test('is renewed once, before the first request after 85 to 95 % of it', async () => {
    const { clock, links, client, arrivals } = await started();
    // The random number of this clock is 0.5.
    await clock.runFor(53_999);
    await client.metadata([]);
    expect(arrivals('SaslAuthenticate')).toEqual([0]);
    await clock.runFor(1);
    await Promise.all([client.metadata([]), client.metadata([])]);
    expect(arrivals('SaslAuthenticate')).toEqual([0, 54_000]);
    expect(links.journal.slice(-4).map(({ api }) => api)).toEqual([
      'SaslHandshake',
      'SaslAuthenticate',
      'Metadata',
      'Metadata',
    ]);
    expect(links.connections).toBe(1);
    client.close();
  });

  test('is counted from the first message on: nobody knows when the broker began to', async () => {
    const SaslAuthenticate = { answer: authenticateAnswer(0, undefined, 60_000n), afterMs: 10_000 };
    const { clock, client, arrivals } = await started({ SaslAuthenticate });
    await clock.runFor(44_000);
    await clock.runUntil(client.metadata([]));
    expect(arrivals('SaslAuthenticate')).toEqual([0, 54_000]);
    client.close();
  });

  test('is renewed repeatedly', async () => {
    const { clock, client, arrivals } = await started();
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.runFor(55_000);
      await client.metadata([]);
    }
    expect(arrivals('SaslAuthenticate')).toEqual([0, 55_000, 110_000, 165_000, 220_000, 275_000]);
    client.close();
  });

  test('is renewed only after the answers to the requests before', async () => {
    const { clock, links, client, arrivals } = await started({ Metadata: { answer: noBrokers, afterMs: 5_000 } });
    await clock.runFor(46_000);
    const before = client.metadata([]);
    await clock.settle();
    await clock.runFor(3_000);
    const after = client.metadata([]);
    await clock.runUntil(Promise.all([before, after]));
    expect(arrivals('SaslHandshake').slice(1)).toEqual([arrivals('Metadata').at(-2)].map((at) => (at ?? 0) + 5_000));
    expect(links.connections).toBe(1);
    client.close();
  });

  test('that cannot be renewed ends with its connection', async () => {
    const refused = authenticateAnswer(58, 'Authentication failed');
    const { clock, links, client } = await started({
      SaslAuthenticate: [authenticateAnswer(0, undefined, 60_000n), refused, authenticateAnswer(0, undefined)],
    });
    await clock.runFor(55_000);
    expect(await failureOf(client.metadata([]))).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED' });
    await client.metadata([]);
    expect(links.connections).toBe(2);
    client.close();
  });

  test('of less than a second is not renewed within it, because brokers take that for a mistake', async () => {
    const { clock, client, arrivals } = await started({ SaslAuthenticate: authenticateAnswer(0, undefined, 500n) });
    for (let at = 0; at < 4; at += 1) {
      await clock.runFor(460);
      await clock.runUntil(client.metadata([]));
    }
    expect(arrivals('SaslAuthenticate')).toEqual(
      [0, 1_000, 2_000, 3_000, 4_000].slice(0, arrivals('SaslAuthenticate').length),
    );
    expect(arrivals('SaslAuthenticate').length).toBeGreaterThan(2);
    client.close();
  });
});
