import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { optionKeys, showValue } from '../../src/config/options.ts';
import { emptyDirectory, resolveSources } from './sources/sources.ts';

/*
 * The rules again, as slowly and plainly as possible, from the text of the specification
 * and without code from the resolver: a source is a plain record of texts, a result a pair of texts.
 */

type Texts = Readonly<Record<string, string>>;
interface Given {
  readonly x: Texts;
  readonly deprecated: Texts;
  readonly env: Texts;
  readonly profile: Texts;
  readonly broker: Texts;
}
type Answer = readonly [value: string, source: string];

const order = ['flag', 'env', 'profile', 'broker', 'default'];
const defaults: Texts = {
  brokers: 'localhost:9092',
  'admin.hosts': 'localhost:9644',
  'registry.hosts': 'localhost:8081',
  'tls.enabled': 'false',
  'tls.ca': '',
  'tls.cert': '',
  'tls.key': '',
  'admin.tls.enabled': 'false',
  'admin.tls.ca': '',
  'admin.tls.cert': '',
  'admin.tls.key': '',
  'registry.tls.enabled': 'false',
  'registry.tls.ca': '',
  'registry.tls.cert': '',
  'registry.tls.key': '',
  user: '',
  pass: '',
  'globals.no_default_cluster': 'false',
  'globals.dial_timeout': '3s',
};

function modelPlain(given: Given, key: string): Answer {
  if (key in given.x) return [given.x[key] ?? '', 'flag'];
  if (key in given.deprecated) return [given.deprecated[key] ?? '', 'flag'];
  if (key in given.env && given.env[key] !== '') return [given.env[key] ?? '', 'env'];
  if (key in given.profile) return [given.profile[key] ?? '', 'profile'];
  if (key in given.broker) return [given.broker[key] ?? '', 'broker'];
  return [defaults[key] ?? '', 'default'];
}

/** A path in a file is relative to it; `~` is the home directory, whenever the path is used. */
function inFileOf(directories: Texts, key: string, [value, source]: Answer): Answer {
  const directory = directories[source];
  const isPath = /tls\.(ca|cert|key)$/.test(key);
  return isPath && directory !== undefined && value !== '' && value !== '~'
    ? [`${directory}/${value}`, source]
    : [value, source];
}

function model(given: Given, key: string): Answer {
  const [value, source] = modelPlain(given, key);
  if (key.endsWith('tls.enabled')) {
    let result: Answer = [value, source];
    for (const path of ['ca', 'cert', 'key']) {
      const [text, where] = modelPlain(given, key.replace('enabled', path));
      const isHigher = order.indexOf(where) < order.indexOf(source);
      const beats = result[0] === 'false' || order.indexOf(where) < order.indexOf(result[1]);
      if (value === 'false' && text !== '' && isHigher && beats) result = ['true', where];
    }
    return result;
  }
  const isAddress = key === 'brokers' || key.endsWith('.hosts');
  if (isAddress && source === 'default' && modelPlain(given, 'globals.no_default_cluster')[0] === 'true')
    return ['', 'default'];
  return [value, source];
}

const names = ['a', 'b.example', '10.0.0.1', '[::1]'];
const hosts = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 65535 })), { minLength: 1, maxLength: 3 })
  .map((list) => list.map(([host, port]) => `${host}:${port}`).join(','));
const words = fc.constantFrom(
  '',
  'x',
  '007',
  '1e3',
  'yes',
  'null',
  'a #b',
  ' spaced ',
  'k=v',
  '"q"',
  'ü',
  '- x',
  '{a: b}',
  '~',
  '@x',
);
const switches = fc.constantFrom('true', 'false');
const durations = fc.constantFrom('1s', '250ms', '1m30s', '1h', '0s');

function textOf(key: string): fc.Arbitrary<string> {
  if (key === 'brokers' || key.endsWith('.hosts')) return hosts;
  if (key.endsWith('enabled') || key === 'globals.no_default_cluster') return switches;
  return key === 'globals.dial_timeout' ? durations : words;
}

function source(keys: readonly string[], isEmptyAllowed = true): fc.Arbitrary<Texts> {
  const texts = keys.map((key) => {
    const text = isEmptyAllowed ? textOf(key) : textOf(key).filter((value) => value !== '');
    return fc.option(
      text.map((value) => [key, value] as const),
      { nil: undefined, freq: 2 },
    );
  });
  return fc.tuple(...texts).map((entries) => Object.fromEntries(entries.filter((entry) => entry !== undefined)));
}

const keys = Object.keys(defaults);
const deprecatedKeys = {
  brokers: 'brokers',
  user: 'user',
  'tls.enabled': 'tls-enabled',
  'tls.ca': 'tls-truststore',
  'admin.hosts': 'api-urls',
};
const anyGiven: fc.Arbitrary<Given> = fc.record({
  x: source(keys),
  deprecated: source(Object.keys(deprecatedKeys)),
  env: source(keys),
  profile: source(keys),
  broker: source(keys),
});

function inFile(texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, key.endsWith('enabled') ? text === 'true' : text]),
  );
}

const modelled = optionKeys.filter((key) => key in defaults);

test('500 random configurations: the resolver agrees with a slow model of the rules', async () => {
  let compared = 0;
  const home = emptyDirectory();
  const directories = { profile: `${home}/.config/weir`, broker: home };
  await fc.assert(
    fc.asyncProperty(anyGiven, async (given) => {
      const options = inFile(given.profile);
      const config = await resolveSources({
        home,
        x: Object.entries(given.x).map(([key, text]) => `${key}=${text}`),
        deprecated: Object.entries(given.deprecated).map(([key, value]) => ({
          flag: deprecatedKeys[key as keyof typeof deprecatedKeys],
          value,
        })),
        env: Object.fromEntries(
          Object.entries(given.env).map(([key, text]) => [`WEIR_${key.toUpperCase().replaceAll('.', '_')}`, text]),
        ),
        file: stringify({ version: 1, current_profile: 'p', profiles: [{ name: 'p', options }] }, { lineWidth: 0 }),
        broker: stringify({ weir: inFile(given.broker) }, { lineWidth: 0 }),
      });
      const resolved = modelled.map((key) => {
        const { value, source: from } = config.setting(key);
        return [key, showValue(key, value), from];
      });
      expect(resolved).toEqual(modelled.map((key) => [key, ...inFileOf(directories, key, model(given, key))]));
      compared += resolved.length;
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
  expect(compared).toBeGreaterThanOrEqual(500 * keys.length);
});
