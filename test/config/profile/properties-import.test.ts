import { describe, expect, test } from 'vitest';
import { importProperties } from '../../../src/config/profile/properties-import.ts';
import { isProperties, readJaas, readProperties } from '../../../src/config/profile/properties-text.ts';
import { startProcessorTime } from '../../processor-time.ts';

const textsOf = (text: string) =>
  Object.fromEntries([...readProperties(text)].map(([name, { value }]) => [name, value]));

// What java.util.Properties of Java 17 and kcat 1.7.0 (-X dump) make of the same lines.
describe('properties are read as their programs read them', () => {
  test('those of Kafka as Java does', () => {
    const lines = [
      ...[
        '# comment',
        '! other',
        'bootstrap.servers = b1:9092,b2:9093',
        'security.protocol:SASL_SSL',
        'sasl.mechanism  PLAIN',
      ],
      ...['long=one \\', '   two\\', '', 'client.id=caf\\u00e9 \\', '  x', 'empty=', 'lonely', 'a\\:b\\=c=d\\:e'],
      ...['back=pa\\ss\\tx', 'trail=v  ', 'end=x\\\\', 'next=1', 'next=2'],
    ];
    expect(textsOf(lines.join('\r\n'))).toEqual({
      ...{ 'bootstrap.servers': 'b1:9092,b2:9093', 'security.protocol': 'SASL_SSL', 'sasl.mechanism': 'PLAIN' },
      ...{ long: 'one two', 'client.id': 'café x', empty: '', lonely: '', 'a:b=c': 'd:e', back: 'pass\tx' },
      ...{ trail: 'v', end: 'x\\', next: '2' },
    });
  });

  // Each of them differed from Java.
  test.each<[string, object]>([
    ['a\\\n b=1', { ab: '1' }],
    ['\\\n# no comment\nb=1', { b: '1' }],
    ['\\\n\\\n', {}],
    ['a=1\\', { a: '1' }],
    ['a\u00a0b=\u00a0c\u00a0', { 'a\u00a0b': '\u00a0c\u00a0' }],
    ['a\vb c', { 'a\vb': 'c' }],
    ['a\f=\fb\u0001', { a: 'b' }],
    ['a  = = b', { a: '= b' }],
    ['a\u2028b\\\u0020c', { 'a\u2028b c': '' }],
  ])('%j', (text, expected) => expect(textsOf(text)).toEqual(expected));

  test.each([
    `a${' '.repeat(200_000)}b`,
    `a=${' '.repeat(200_000)}b`,
    `sasl.username=x\na${' '.repeat(200_000)}b`,
    '\\'.repeat(200_001),
    `a\\\n${'\\\n'.repeat(100_000)}b`,
    `a=$\{${'${'.repeat(100_000)}`,
    `sasl.jaas.config=${'/* \\n'.repeat(50_000)}`,
  ])('a line without an end takes no time that grows faster than it', (text) => {
    const processorTime = startProcessorTime();
    importProperties('f', `${text}\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN`);
    expect(processorTime()).toBeLessThan(2_000);
  });

  test('those of librdkafka as kcat does', () => {
    const lines = [' # comment', 'sasl.username=al\\ice', 'sasl.password=pa\\\\ss\\:w\\=x=y # z', 'client.id= spaced '];
    expect(textsOf(lines.join('\n'))).toEqual({
      ...{ 'sasl.username': 'al\\ice', 'sasl.password': 'pa\\\\ss:w=x=y # z', 'client.id': 'spaced' },
    });
  });
});

// What JaasConfig of Kafka 4.1.1 makes of them.
test.each<[string, readonly (readonly [string, string])[] | undefined]>([
  [
    'o.a.k.PlainLoginModule required username="alice" password="a=b;c";',
    [
      ['username', 'alice'],
      ['password', 'a=b;c'],
    ],
  ],
  [
    `o.PlainLoginModule required username='al"ice' password="p\\\\a\\"ss\\ttab\\x\\101" ;`,
    [
      ['username', 'al"ice'],
      ['password', 'p\\a"ss\ttabxA'],
    ],
  ],
  [
    'o.PlainLoginModule required /* c */ username=alice // rest\n password="x";',
    [
      ['username', 'alice'],
      ['password', 'x'],
    ],
  ],
  [
    'o.PlainLoginModule required username = "a" password= "b c"; o.Other required;',
    [
      ['username', 'a'],
      ['password', 'b c'],
    ],
  ],
  ['o.PlainLoginModule required username=alice password=pw/comment;', undefined],
  ['o.PlainLoginModule required username="a" password="b"', undefined],
  ['o.PlainLoginModule required username="a\nb" password="x";', undefined],
  ['PlainLoginModule', undefined],
  ['', undefined],
])('the login %j', (text, options) => {
  const login = readJaas(text);
  expect(login && [...login.options]).toEqual(options);
  if (login !== undefined) expect(login.module).toBe('PlainLoginModule');
});

test.each([
  ['bootstrap.servers=b:1', true],
  ['# c\n\nsecurity.protocol : SSL', true],
  ['version: 1\nprofiles:\n  - name: a\n    options: {sasl.mechanism: PLAIN}\n', false],
  ['weir:\n  sasl.mechanism: PLAIN\n', false],
  ['', false],
])('%j has properties: %s', (text, expected) => expect(isProperties(text)).toBe(expected));

/** The options, the properties that became some, and what is lost. */
function imported(...lines: readonly string[]) {
  const { options, imported: taken, lost } = importProperties('f', lines.join('\n'));
  return [Object.fromEntries(options), taken.map(({ property }) => property).join(), lost];
}

const sasl = ['bootstrap.servers=b:1', 'security.protocol=SASL_PLAINTEXT'];
const isSasl = { brokers: ['b:1'] };

describe('an import', () => {
  test('takes client.properties of Kafka', () => {
    const lines = [
      ...[
        'bootstrap.servers=SASL_SSL://b1:9092, b2:9093',
        'security.protocol=SASL_SSL',
        'sasl.mechanism=SCRAM-SHA-512',
      ],
      ...['sasl.jaas.config=o.ScramLoginModule required username="a" password="p:w";', 'client.id=me'],
      ...[
        'ssl.truststore.location=/ca.pem',
        'ssl.truststore.type=PEM',
        'ssl.keystore.location=/me.pem',
        'ssl.keystore.type=pem',
      ],
      ...['ssl.endpoint.identification.algorithm=https', 'acks=all', 'linger.ms=5'],
    ];
    expect(imported(...lines)).toEqual([
      {
        ...{ brokers: ['b1:9092', 'b2:9093'], 'tls.enabled': true, 'tls.ca': '/ca.pem' },
        ...{ 'tls.cert': '/me.pem', 'tls.key': '/me.pem', 'sasl.mechanism': 'SCRAM-SHA-512', user: 'a', pass: 'p:w' },
        'globals.streaming_protocol_request_client_id': 'me',
      },
      'bootstrap.servers,security.protocol,sasl.mechanism,sasl.jaas.config,client.id,ssl.truststore.location,ssl.keystore.location',
      ['no options of weir: acks, linger.ms'],
    ]);
  });

  test('takes a file of kcat', () => {
    const lines = [
      ...['metadata.broker.list=b:1', 'security.protocol=sasl_ssl', 'sasl.mechanisms=PLAIN', 'sasl.username=u'],
      ...['sasl.password=p\\x', 'ssl.ca.location=/ca', 'enable.ssl.certificate.verification=false'],
    ];
    expect(imported(...lines)).toEqual([
      {
        ...{ brokers: ['b:1'], 'tls.enabled': true, 'tls.ca': '/ca', 'tls.insecure_skip_verify': true },
        ...{ 'sasl.mechanism': 'PLAIN', user: 'u', pass: 'p\\x' },
      },
      'metadata.broker.list,security.protocol,sasl.mechanisms,sasl.username,sasl.password,ssl.ca.location,enable.ssl.certificate.verification',
      [],
    ]);
  });

  test('takes the schema registry of Confluent Cloud with credentials of its own', () => {
    const lines = [
      ...['bootstrap.servers=b:1', 'schema.registry.url=https://r', 'basic.auth.credentials.source=USER_INFO'],
      'basic.auth.user.info=key:se:cret',
    ];
    expect(imported(...lines)[0]).toEqual({
      ...{ brokers: ['b:1'], 'registry.hosts': ['https://r:443'], 'registry.user': 'key', 'registry.pass': 'se:cret' },
    });
    expect(imported('schema.registry.bearer.auth.token=t', 'bootstrap.servers=b:1')[0]).toEqual({
      ...{ brokers: ['b:1'], 'registry.token': 't' },
    });
  });

  test.each([
    [
      'Kafka 4',
      'client.credentials.client',
      [],
      'OAuthBearerLoginModule required extension_logicalCluster="lkc-1" extension_identityPoolId="pool-2";',
    ],
    [
      'librdkafka',
      'client',
      ['sasl.oauthbearer.method=oidc', 'sasl.oauthbearer.extensions=logicalCluster=lkc-1,identityPoolId=pool-2'],
      '',
    ],
    [
      'older Kafka',
      '',
      [],
      'OAuthBearerLoginModule required clientId="id" clientSecret="canary" extension_logicalCluster="lkc-1" extension_identityPoolId="pool-2";',
    ],
  ])('takes OAuth as %s has it', (_, client, more, login) => {
    const lines = [
      ...[...sasl, 'sasl.mechanism=OAUTHBEARER', 'sasl.oauthbearer.token.endpoint.url=https://i/token', ...more],
      ...['sasl.login.callback.handler.class=o.a.k.OAuthBearerLoginCallbackHandler', 'sasl.oauthbearer.scope=s'],
      ...(login === '' ? [] : [`sasl.jaas.config=o.a.k.${login}`]),
      ...(client === '' ? [] : [`sasl.oauthbearer.${client}.id=id`, `sasl.oauthbearer.${client}.secret=canary`]),
    ];
    const [options, , lost] = imported(...lines);
    expect(options).toEqual({
      ...{ ...isSasl, 'sasl.mechanism': 'OAUTHBEARER', 'oauth.token_url': 'https://i/token', 'oauth.client_id': 'id' },
      ...{
        'oauth.client_secret': 'canary',
        'oauth.scope': 's',
        'oauth.extensions': 'logicalCluster=lkc-1,identityPoolId=pool-2',
      },
    });
    expect(lost).toEqual([]);
  });

  test.each([
    ['AWS_MSK_IAM', ['client', 'IAMClientCallbackHandler', 'IAMLoginModule'], 'sasl.mechanism=AWS_MSK_IAM', {}],
    [
      'OAUTHBEARER',
      ['login', 'IAMOAuthBearerLoginCallbackHandler', 'OAuthBearerLoginModule'],
      'oauth.grant=aws',
      { 'sasl.mechanism': 'OAUTHBEARER' },
    ],
  ])('takes an identity of AWS with %s', (mechanism, [kind, handler, login], word, more) => {
    const [options, , lost] = imported(
      ...[
        ...sasl,
        `sasl.mechanism=${mechanism}`,
        `sasl.${kind}.callback.handler.class=software.amazon.msk.auth.iam.${handler}`,
      ],
      `sasl.jaas.config=software.amazon.msk.auth.iam.${login} required awsProfileName="work" awsRoleArn="arn:aws:iam::1:role/r" awsStsRegion="eu-west-1";`,
    );
    const [key = '', value] = word.split('=');
    const role = { 'aws.profile': 'work', 'aws.role_arn': 'arn:aws:iam::1:role/r' };
    expect(options).toEqual({ ...isSasl, ...more, [key]: value, ...role });
    expect(lost).toEqual(['sasl.jaas.config: awsStsRegion']);
  });

  test.each([
    [
      'azure',
      'sasl.login.callback.handler.class=com.azure.spring.cloud.service.implementation.kafka.KafkaOAuth2AuthenticateCallbackHandler',
    ],
    ['google', 'sasl.login.callback.handler.class=com.google.cloud.hosted.kafka.auth.GcpLoginCallbackHandler'],
    ['azure', 'sasl.oauthbearer.metadata.authentication.type=azure_imds'],
  ])('takes an identity of %s (%s), and what its token is for', (grant, line) => {
    const [options, , lost] = imported(
      ...sasl,
      'sasl.mechanism=OAUTHBEARER',
      line,
      'sasl.oauthbearer.scope=https://s/.default',
    );
    const taken = { 'sasl.mechanism': 'OAUTHBEARER', 'oauth.grant': grant, 'oauth.scope': 'https://s/.default' };
    expect([options, lost]).toEqual([{ ...isSasl, ...taken }, []]);
  });

  test('takes the client of a managed identity from the configuration of librdkafka', () => {
    const config = 'sasl.oauthbearer.config=query=api-version=2018-02-01&resource=https://r&client_id=c1';
    const type = 'sasl.oauthbearer.metadata.authentication.type=azure_imds';
    const [options] = imported(...sasl, 'sasl.mechanism=OAUTHBEARER', type, config);
    expect(options).toMatchObject({
      ...{ 'oauth.client_id': 'c1', 'oauth.grant': 'azure' },
      'oauth.scope': 'https://r/.default',
    });
  });

  test('says which class it has nothing like', () => {
    const [, , lost] = imported(
      ...sasl,
      'sasl.mechanism=OAUTHBEARER',
      'sasl.login.callback.handler.class=com.example.MyHandler',
    );
    expect(lost).toEqual(['sasl.login.callback.handler.class: weir has nothing like MyHandler']);
  });

  test.each<[readonly string[], object, string]>([
    [
      ['security.protocol=SSL', 'ssl.truststore.location=/t.jks', 'ssl.truststore.password=x'],
      { 'tls.enabled': true },
      'ssl.truststore.location: weir reads PEM files, not JKS and PKCS#12: convert it, and set tls.ca',
    ],
    [
      ['security.protocol=SSL', 'ssl.key.password=x'],
      { 'tls.enabled': true },
      'ssl.key.password: weir does not decrypt keys: do it with openssl pkey, and set tls.key',
    ],
    [
      ['security.protocol=SSL', 'ssl.ca.pem=x'],
      { 'tls.enabled': true },
      'ssl.ca.pem: weir reads certificates and keys from files: write it to one, and set tls.ca',
    ],
    [['ssl.ca.location=/ca'], {}, 'not used without TLS: ssl.ca.location'],
    [['sasl.username=u', 'sasl.password=p'], {}, 'not used without SASL: sasl.username, sasl.password'],
    [
      ['security.protocol=SSL', 'ssl.endpoint.identification.algorithm='],
      { 'tls.enabled': true },
      'ssl.endpoint.identification.algorithm: weir always checks the host name, unless tls.insecure_skip_verify turns off all checks',
    ],
    [['security.protocol=TLS'], {}, 'security.protocol: unknown protocol TLS'],
    [
      ['bootstrap.servers=b:99999'],
      {},
      'invalid port "99999" for brokers in f:1 (bootstrap.servers): a port must be a number from 1 to 65535',
    ],
    [
      [...sasl, 'sasl.jaas.config=o.PlainLoginModule required;'],
      isSasl,
      'sasl.mechanism: it is not set, which means GSSAPI (Kerberos), and weir does not support that',
    ],
    [
      [...sasl, 'sasl.mechanism=PLAIN', 'sasl.jaas.config=o.Krb5LoginModule required;'],
      { ...isSasl, 'sasl.mechanism': 'PLAIN' },
      'sasl.jaas.config: weir has nothing like Krb5LoginModule',
    ],
    [
      [...sasl, 'sasl.mechanism=PLAIN', 'sasl.jaas.config=nonsense'],
      { ...isSasl, 'sasl.mechanism': 'PLAIN' },
      'sasl.jaas.config: it is not of the form MODULE required KEY="VALUE" …;',
    ],
    [
      [
        ...sasl,
        'sasl.mechanism=SCRAM-SHA-256',
        'sasl.jaas.config=o.ScramLoginModule required username="u" tokenauth="true";',
      ],
      { ...isSasl, 'sasl.mechanism': 'SCRAM-SHA-256', user: 'u' },
      'sasl.jaas.config: tokenauth',
    ],
    [
      [...sasl, 'sasl.mechanism=PLAIN', 'sasl.username=u', `sasl.password=$\{env:PASS}`],
      { ...isSasl, 'sasl.mechanism': 'PLAIN', user: 'u' },
      'sasl.password: its value is a reference to another place',
    ],
    [[`client.id=a-$\{env:HOST}-b`], {}, 'client.id: its value is a reference to another place'],
    [
      [
        ...[...sasl, 'sasl.mechanism=PLAIN'],
        `sasl.jaas.config=o.PlainLoginModule required username="u" password="$\{file:/x:pw}";`,
      ],
      { ...isSasl, 'sasl.mechanism': 'PLAIN', user: 'u' },
      'sasl.jaas.config: password: its value is a reference to another place',
    ],
    [
      [...sasl, 'sasl.mechanism=PLAIN', `sasl.jaas.config=$\{file:/x:login}`],
      { ...isSasl, 'sasl.mechanism': 'PLAIN' },
      'sasl.jaas.config: its value is a reference to another place',
    ],
    [
      [...sasl, 'sasl.mechanism=OAUTHBEARER', 'sasl.login.callback.handler.class=com.example.Handler'],
      { ...isSasl, 'sasl.mechanism': 'OAUTHBEARER' },
      'sasl.login.callback.handler.class: weir has nothing like Handler',
    ],
    [
      [...sasl, 'sasl.mechanism=OAUTHBEARER', 'sasl.oauthbearer.method=default'],
      { ...isSasl, 'sasl.mechanism': 'OAUTHBEARER' },
      'sasl.oauthbearer.method: weir has nothing like default',
    ],
    [
      ['acks=all', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'qzab==', 'eyJhb.GciOi.x'],
      {},
      'no options of weir: acks, 3 other lines without the name of a property',
    ],
    [['basic.auth.credentials.source=URL'], {}, 'basic.auth.credentials.source: weir has nothing like URL'],
  ])('of %j says what it could not take', (lines, options, lost) => {
    expect(imported(...lines)).toEqual([options, expect.any(String), [lost]]);
  });

  test('of a mechanism that weir does not have takes no user', () => {
    const [options, taken, lost] = imported(...sasl, 'sasl.mechanism=GSSAPI', 'sasl.username=u');
    expect([options, taken]).toEqual([isSasl, 'bootstrap.servers,security.protocol']);
    expect(lost).toEqual([
      expect.stringMatching(/^invalid SASL mechanism "GSSAPI" for sasl\.mechanism in f:3 /),
      'not used without its mechanism: sasl.username',
    ]);
  });

  test('of a list of mechanisms takes the best, and without a mechanism keeps user and password', () => {
    const login = ['sasl.username=u', 'sasl.password=p'];
    const [options] = imported(...sasl, 'sasl.mechanisms=SCRAM-SHA-256,SCRAM-SHA-512', ...login);
    expect(options).toEqual({ ...isSasl, 'sasl.mechanism': 'SCRAM-SHA-512', user: 'u', pass: 'p' });
    const [without, , lost] = imported(...sasl, ...login);
    expect(without).toEqual({ ...isSasl, user: 'u', pass: 'p' });
    expect(lost).toEqual([expect.stringContaining('sasl.mechanism: it is not set')]);
  });
});
