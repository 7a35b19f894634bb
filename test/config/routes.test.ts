import { describe, expect, test } from 'vitest';
import { type Config, type Source, sources } from '../../src/config/config.ts';
import {
  locatesSecret,
  type OptionKey,
  optionKeys,
  optionOf,
  secretPartOf,
  settingKeys,
} from '../../src/config/options.ts';
import type { Entry, Layer } from '../../src/config/resolve/layer.ts';
import { mergeLayers } from '../../src/config/resolve/merge.ts';
import {
  credentialKeys,
  filledIn,
  givenSending,
  loginSending,
  type Recipient,
  recipients,
  recipientsOf,
  routeTo,
  type Sending,
  sendingOf,
  sendingsOfTokens,
} from '../../src/config/routes.ts';

/** A cell of a table: what it is about, whether it is refused, and whether it should be. */
type Cell = readonly [name: string, is: boolean, should: boolean];

type Values = readonly (readonly [source: Source, key: OptionKey, text: string])[];

/** What is configured: the last value of a source counts. */
function configOf(values: Values): Pick<Config, 'setting'> {
  const layers = sources
    .filter((source) => source !== 'default')
    .map((source): Layer => {
      const own = values.filter(([from]) => from === source);
      const entries = own.map(([, key, text]): [OptionKey, Entry] => {
        return [key, { value: optionOf(key).kind.parse(text), origin: source }];
      });
      return { source, entries: new Map(entries) };
    });
  const settings = mergeLayers(layers);
  return { setting: (key) => settings.get(key) as ReturnType<Config['setting']> } as Pick<Config, 'setting'>;
}

/** The systems whose addresses belong together. */
const ofCloud: readonly OptionKey[] = ['cloud.api_url', 'cloud.auth_url', 'cloud.legacy_url'];
const ofCluster: readonly OptionKey[] = ['brokers', 'admin.hosts', 'registry.hosts'];
const isCloud = (to: Recipient): boolean => to === 'cloud' || to === 'cloud-api';

/** The value of an option that leads credentials to someone else, or lets someone else read them. */
function evil(key: OptionKey): string {
  if (key === 'sasl.mechanism') return 'PLAIN';
  if (key.endsWith('tls.enabled')) return 'false';
  if (key === 'globals.proxy') return 'socks5h://evil.example:1080';
  const { fallback } = optionOf(key);
  if (typeof fallback === 'boolean') return 'true';
  return key.endsWith('url') || key === 'oauth.issuer' ? 'https://evil.example' : 'evil.example';
}

const isFile = (source: Source): boolean => source === 'profile' || source === 'broker';
const given: readonly Source[] = ['flag', 'env', 'profile', 'broker'];

/** All that can be sent: each credential of each source to each recipient, something typed, and logins. */
interface Sent {
  readonly name: string;
  readonly to: Recipient;
  readonly source: Source;
  readonly values: Values;
  readonly isBound: boolean;
  of(config: Pick<Config, 'setting'>): Sending;
}

const all: readonly Sent[] = [
  ...credentialKeys.flatMap((key) =>
    recipientsOf(key).flatMap((to) =>
      given.map((source): Sent => {
        const isAssertion = to === 'issuer' && key.startsWith('oauth.assertion');
        return {
          name: key,
          to,
          source,
          values: [[source, key, key === 'oauth.extensions' ? 'a=b' : 'x']],
          isBound: isFile(source) || isAssertion,
          of: (config) => sendingOf(config, key, to),
        };
      }),
    ),
  ),
  ...recipients.flatMap((to): Sent[] => [
    { name: 'typed', to, source: 'flag', values: [], isBound: false, of: () => givenSending('x', 'typed', to) },
    { name: 'login', to, source: 'flag', values: [], isBound: true, of: () => loginSending(to) },
  ]),
];

/** The options that a sending is refused with. */
function refusedWith(sent: Sent, values: Values): readonly string[] {
  const config = configOf([...sent.values, ...values]);
  return filledIn(sent.of(config), config).gaps.map(({ key }) => key);
}

/** The cells of a table that do not show what the rule says. */
function wrongCells(cells: readonly Cell[]): readonly string[] {
  expect(cells.length).toBeGreaterThan(100);
  return cells.filter(([, is, should]) => is !== should).map(([name, is]) => `${name}: ${is ? 'refused' : 'used'}`);
}

/** The route with all that can be a part of it. */
const whole = (to: Recipient) => routeTo(to, configOf([['flag', 'brokers', 'b1.example']]));

describe('a file decides nothing about credentials from elsewhere', () => {
  test('not their address, unless the command gives them and nothing else is said', () => {
    const cells = all.flatMap((sent) =>
      whole(sent.to).addresses.flatMap((key) =>
        given.map((source): Cell => {
          const is = refusedWith(sent, [[source, key, evil(key)]]).includes(key);
          const isOther = isFile(source) && source !== sent.source;
          // The credential itself may be what the profile says of who signs in.
          return [`${sent.name} (${sent.source}) to ${sent.to}, ${key} (${source})`, is, isOther && sent.isBound];
        }),
      ),
    );
    expect(wrongCells(cells)).toEqual([]);
  });

  test('not their address if another source has one of the same system', () => {
    const cells = all.flatMap((sent) =>
      whole(sent.to).addresses.flatMap((key) =>
        given.filter(isFile).flatMap((source) =>
          (isCloud(sent.to) ? ofCloud : ofCluster)
            .filter((other) => other !== key)
            .flatMap((other) =>
              given.map((from): Cell => {
                const text: string = other.endsWith('url') ? 'https://own.example' : 'own.example';
                const is = refusedWith(sent, [
                  [source, key, evil(key)],
                  [from, other, text],
                ]).includes(key);
                const should = source !== sent.source && (sent.isBound || from !== source);
                return [
                  `${sent.name} (${sent.source}) to ${sent.to}, ${key} (${source}), ${other} (${from})`,
                  is,
                  should,
                ];
              }),
            ),
        ),
      ),
    );
    expect(wrongCells(cells)).toEqual([]);
  });

  const who: readonly OptionKey[] = optionKeys.filter((key) =>
    /(^|\.)(user|pass|pass\.command|token|token\.keychain|client_id|device_client_id|client_secret|issuer|token_url|tls\.cert|tls\.key)$|assertion\.(key|file)$/.test(
      key,
    ),
  );

  test.each([
    ['broker', 'profile'],
    ['profile', 'broker'],
  ] as const)('not their address in %s if %s says who signs in', (place, other) => {
    const cells = all
      .filter(({ source }) => source === 'flag' || source === 'env')
      .flatMap((sent) =>
        whole(sent.to).addresses.flatMap((key) =>
          who
            // That would be the credential itself, or the address.
            .filter((one) => !one.startsWith(sent.name))
            .filter((one) => sent.to !== 'issuer' || !['oauth.issuer', 'oauth.token_url'].includes(one))
            .map((one): Cell => {
              const text = /url$|issuer$/.test(one) ? 'https://own.example' : 'x';
              const is = refusedWith(sent, [
                [place, key, evil(key)],
                [other, one, text],
              ]).includes(key);
              return [
                `${sent.name} (${sent.source}) to ${sent.to}, ${key}, ${one}`,
                is,
                sent.isBound || one.startsWith('cloud.') === isCloud(sent.to),
              ];
            }),
        ),
      );
    expect(wrongCells(cells)).toEqual([]);
  });

  test('not their address if the machine says who signs in, or where, also if the file repeats that', () => {
    const cells = all
      .filter(({ source }) => source === 'flag' || source === 'env')
      .flatMap((sent) =>
        whole(sent.to).addresses.flatMap((key) =>
          [...who, ...(isCloud(sent.to) ? ofCloud : ofCluster)]
            .filter((one) => one !== key && !one.startsWith(sent.name))
            .filter((one) => sent.to !== 'issuer' || !['oauth.issuer', 'oauth.token_url'].includes(one))
            .map((one): Cell => {
              const text = /url$|issuer$/.test(one) ? 'https://own.example' : 'x';
              const is = refusedWith(sent, [
                ['profile', key, evil(key)],
                ['profile', one, text],
                ['broker', one, text],
              ]).includes(key);
              const should = sent.isBound || one.startsWith('cloud.') === isCloud(sent.to);
              return [`${sent.name} (${sent.source}) to ${sent.to}, ${key}, ${one}`, is, should];
            }),
        ),
      );
    expect(wrongCells(cells)).toEqual([]);
  });

  test('not the address of tokens that it is not all of the way to, whatever credentials the file gives', () => {
    const used: readonly OptionKey[] = who.filter(
      (key) => /^oauth\./.test(key) && !/client_secret|token$|token\./.test(key),
    );
    expect(used.length).toBe(7);
    const cells = recipientsOf('oauth.token').flatMap((to) =>
      whole(to).addresses.flatMap((address) =>
        used.flatMap((key) =>
          given.flatMap((source) =>
            given.filter(isFile).map((file): Cell => {
              const config = configOf([
                [source, key, /url$|issuer$/.test(key) ? 'https://own.example' : 'x'],
                [file, 'oauth.client_secret', 'dummy'],
                [file, address, evil(address)],
              ]);
              const gaps = sendingsOfTokens(config, to).flatMap((sending) => filledIn(sending, config).gaps);
              const is = gaps.some((gap) => gap.key === address);
              return [`${key} (${source}) to ${to}, ${address} (${file})`, is, isFile(source) && source !== file];
            }),
          ),
        ),
      ),
    );
    expect(wrongCells(cells)).toEqual([]);
  });

  test('not the address of credentials that the machine has as well, although it repeats them', () => {
    const cells = credentialKeys.flatMap((key) =>
      recipientsOf(key).flatMap((to) =>
        whole(to).addresses.flatMap((address) =>
          ([undefined, { path: '/f', origin: '--broker-config' }] as const).map((brokerFile): Cell => {
            const text = key === 'oauth.extensions' ? 'a=b' : 'x';
            const config = {
              ...configOf([
                ['profile', address, evil(address)],
                ['profile', key, text],
                ['broker', key, text],
              ]),
              brokerFile,
            };
            const { gaps } = filledIn(sendingOf(config, key, to), config);
            const is = gaps.some((gap) => gap.key === address);
            // One that is not the machine's may be as foreign as the profile, which then sends what it has itself.
            const should = brokerFile === undefined;
            return [`${key} to ${to}, ${address}, ${brokerFile === undefined ? 'machine' : 'named'}`, is, should];
          }),
        ),
      ),
    );
    expect(cells.filter(([, is, should]) => is !== should)).toEqual([]);
  });

  test('but what it repeats is said by the default, or by the file of the machine', () => {
    const sent = all.find(({ name, source, to }) => name === 'pass' && source === 'broker' && to === 'kafka');
    if (sent === undefined) throw new Error('there is no such credential');
    const keys = [...whole('kafka').addresses, ...whole('kafka').way];
    const refused = (values: Values, brokerFile?: Config['brokerFile']): readonly string[] => {
      const config = { ...configOf([...sent.values, ...values]), brokerFile };
      return filledIn(sent.of(config), config).gaps.map(({ key }) => key);
    };
    const repeated = keys.flatMap(
      (key): Values => [
        ['broker', key, evil(key)],
        ['profile', key, evil(key)],
      ],
    );
    // A path would turn TLS on again.
    expect(refused(repeated)).toEqual(['tls.enabled']);
    expect(refused(repeated.filter(([, key]) => !/tls\.ca/.test(key)))).toEqual([]);
    expect(refused([...repeated.slice(0, 2), ['profile', 'tls.insecure_skip_verify', 'true']])).toHaveLength(1);
    expect(refused(repeated, { path: '/f', origin: '--broker-config' })).toEqual(keys);
    expect(refused([['profile', 'tls.enabled', 'false']])).toEqual([]);
    const tls: Values = [
      ['broker', 'tls.ca', '/ca'],
      ['profile', 'tls.enabled', 'false'],
    ];
    expect(refused(tls)).toEqual(['tls.enabled']);
    // What it removes is a part of the way, too.
    const removed = ['tls.ca', 'tls.server_name', 'globals.proxy', 'tls.cert', 'tls.key'] as const;
    const without = removed.flatMap(
      (key): Values => [
        ['broker', key, evil(key)],
        ['profile', key, ''],
      ],
    );
    expect(refused(without).toSorted()).toEqual(removed.toSorted());
    // So it would turn TLS off, which only they have turned on.
    const off = without.filter(([, key]) => key === 'tls.cert');
    expect(refused([...off, ['profile', 'tls.enabled', 'false']])).toEqual(['tls.enabled', 'tls.cert']);
  });

  test.each([
    ['default', () => []],
    ['own', (to: Recipient): Values => addressOf(to, 'flag')],
    ['with it', addressOf],
  ] as const)('not their way, with the address: %s', (kind, addressIn: (to: Recipient, source: Source) => Values) => {
    const cells = all.flatMap((sent) =>
      whole(sent.to).way.flatMap((key) =>
        given.map((source): Cell => {
          // Without TLS there is none to turn off.
          const isOff = key.endsWith('tls.enabled');
          const below: Values = isOff && source !== 'broker' ? [['broker', key, 'true']] : [];
          const values: Values = [...addressIn(sent.to, source), ...below, [source, key, evil(key)]];
          // What brokers announce counts only if they are configured.
          const needsBrokers = sent.to === 'admin' && key !== 'brokers' && !key.startsWith('admin.');
          const more: Values = needsBrokers && key !== 'globals.proxy' ? [['flag', 'brokers', 'own.example']] : [];
          const is = refusedWith(sent, [...more, ...values]).includes(key);
          const isOther = isFile(source) && source !== sent.source;
          const isNowhere = kind === 'default' && (sent.to === 'registry' || sent.to === 'issuer');
          const isWhole = kind === 'with it' && !sent.isBound && more.length === 0;
          const should = isOther && !isNowhere && !isWhole && !(isOff && source === 'broker');
          return [`${sent.name} (${sent.source}) to ${sent.to}, ${key} (${source})`, is, should];
        }),
      ),
    );
    expect(wrongCells(cells)).toEqual([]);
  });
});

/** The address of a recipient in a source. */
function addressOf(to: Recipient, source: Source): Values {
  return whole(to)
    .addresses.slice(0, 1)
    .map((key) => [
      source,
      key,
      key.startsWith('oauth') || key.startsWith('cloud') ? 'https://a.example' : 'a.example',
    ]);
}

test('every option is an address, a part of a way, a credential, who signs in, or decides nothing about them', () => {
  const parts = recipients.flatMap((to) => [...whole(to).addresses, ...whole(to).way]);
  const nothing = [
    // Who signs in, and with what: sent to whoever gets the credentials.
    'user',
    'admin.user',
    'registry.user',
    'cloud.client_id',
    'cloud.device_client_id',
    'oauth.client_id',
    ...['tls.cert', 'tls.key', 'admin.tls.cert', 'admin.tls.key', 'registry.tls.cert', 'registry.tls.key'],
    'oauth.assertion.key_id',
    // What a token is for, and how it is got: from the same issuer, for the same recipients.
    ...['cloud.audience', 'oauth.grant', 'oauth.client_auth', 'oauth.scope', 'oauth.audience', 'oauth.resource'],
    'oauth.redirect_port',
    // Identities of clouds have a rule of their own.
    ...['aws.profile', 'aws.role_arn', 'aws.region'],
    // Weir itself.
    ...['globals.prompt', 'globals.no_default_cluster', 'globals.command_timeout', 'globals.dial_timeout'],
    ...['globals.request_timeout_overhead', 'globals.retry_timeout', 'globals.fetch_max_wait'],
    'globals.streaming_protocol_request_client_id',
  ];
  const known = [...new Set<string>([...parts, ...credentialKeys, ...nothing])];
  expect(known.toSorted()).toEqual(settingKeys.toSorted());
  expect(optionKeys.length).toBe(settingKeys.length + credentialKeys.filter((key) => optionOf(key).secret).length * 3);
  expect(credentialKeys.filter((key) => recipientsOf(key).length === 0)).toEqual([]);
});

test('every option that names a file is asked for, or lets nobody else use what is in it', () => {
  const named = optionKeys.filter((key) => optionOf(key).kind.completes === 'file' && !locatesSecret(key));
  // A CA decides who is trusted, not who signs in. The certificate for an API proves itself to that server alone.
  const harmless = ['', 'admin.', 'registry.'].flatMap((api) => ['ca', 'cert', 'key'].map((one) => `${api}tls.${one}`));
  expect(named.toSorted()).toEqual([...harmless, 'oauth.tls.ca'].toSorted());
  const located = optionKeys.filter((key) => locatesSecret(key) && secretPartOf(key) === undefined);
  expect(located.filter((key) => !credentialKeys.some((one) => one === key))).toEqual([]);
});

test('each recipient has these addresses, and this way', () => {
  const tls = (api: string) =>
    ['enabled', 'insecure_skip_verify', 'ca', 'server_name'].map((one) => `${api}tls.${one}`);
  const brokers = ['sasl.mechanism', ...tls(''), 'globals.proxy'];
  const cloudWay = ['cloud.legacy_url', 'cloud.insecure_http', 'globals.proxy'];
  const sorted = (keys: readonly string[]) => keys.toSorted();
  expect(recipients.map((to) => [to, sorted(whole(to).addresses), sorted(whole(to).way)])).toEqual([
    ['kafka', ['brokers'], sorted(brokers)],
    ['admin', ['admin.hosts', 'brokers'], sorted([...tls('admin.'), ...brokers])],
    ['registry', ['registry.hosts'], sorted([...tls('registry.'), 'globals.proxy'])],
    [
      'issuer',
      ['oauth.issuer', 'oauth.token_url'],
      sorted([...tls('oauth.').slice(1), 'oauth.insecure_http', 'globals.proxy']),
    ],
    ['cloud', ['cloud.auth_url'], sorted(['cloud.api_url', ...cloudWay])],
    ['cloud-api', ['cloud.api_url'], sorted(cloudWay)],
  ]);
  expect(credentialKeys.map((key) => [key, recipientsOf(key).join(' ')])).toEqual([
    ['pass', 'kafka admin registry'],
    ['cloud.client_secret', 'cloud cloud-api'],
    ['admin.pass', 'admin'],
    ['admin.token', 'admin'],
    ['registry.pass', 'registry'],
    ['registry.token', 'registry'],
    ['oauth.client_secret', 'issuer kafka admin registry'],
    ['oauth.token', 'kafka admin registry'],
    ['oauth.assertion.key', 'issuer kafka admin registry'],
    ['oauth.assertion.file', 'issuer kafka admin registry'],
    ['oauth.tls.cert', 'issuer kafka admin registry'],
    ['oauth.tls.key', 'issuer kafka admin registry'],
    ['oauth.extensions', 'kafka'],
  ]);
});
