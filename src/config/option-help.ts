import { wrapLine } from '../format/wrap.ts';
import { secretRows } from './option-row.ts';
import {
  canHoldSecret,
  envName,
  isOptionKey,
  jsonValue,
  type Option,
  type OptionApi,
  type OptionKey,
  options,
  secretPartOf,
  showValue,
} from './options.ts';

/** One option as a row of `-X list --format json`. */
export interface OptionRow {
  readonly key: OptionKey;
  readonly kind: string;
  readonly hint: string;
  /** The default, in the same form as in `config show`. */
  readonly default: unknown;
  readonly example: string;
  readonly env: string;
  readonly help: string;
  readonly choices: readonly string[];
  readonly secret: boolean;
  /** Whether the value may have a secret in it, as the URL of a proxy may; true for every secret. */
  readonly may_hold_secret: boolean;
  /** The APIs that it applies to; none for an option of weir itself. */
  readonly apis: readonly OptionApi[];
  /** What it is about, the title above it in `-X list`. */
  readonly area: string;
}

/** The rows of `-X list --format json`, in the order of the table. */
export function optionRows(): readonly OptionRow[] {
  return options.map((option) => ({
    key: option.key,
    kind: option.kind.name,
    hint: option.kind.hint,
    default: jsonValue(option.key, option.fallback),
    example: option.example,
    env: envName(option.key),
    help: option.help,
    choices: option.kind.choices ?? [],
    secret: option.secret,
    may_hold_secret: canHoldSecret(option.key),
    apis: option.apis,
    area: areaOf(option.key),
  }));
}

/** What completion offers for a setting. */
export interface OptionSetting {
  /** `key=`, or `key=value` where the values are known; `key=@files` where they are files. */
  readonly setting: string;
  /** The first sentence of the option's help. */
  readonly help: string;
}

/** What completion offers for `-X`, in the order of the table. */
export function optionSettings(): readonly OptionSetting[] {
  return options.flatMap(({ key, kind, help }) => {
    const [first] = help.split(/\.(?: |$)/, 1);
    const values = kind.choices ?? [kind.completes === 'file' ? '@files' : ''];
    return values.map((value) => ({ setting: `${key}=${value}`, help: first ?? help }));
  });
}

/** The same for a setting of a profile: a secret is only its key, because a prompt asks for the value. */
export function profileSettings(): readonly string[] {
  const secrets = new Set(optionRows().flatMap(({ key, secret }) => (secret ? [`${key}=`] : [])));
  const settings = optionSettings().map(({ setting }) => (secrets.has(setting) ? setting.slice(0, -1) : setting));
  return [...settings, 'description=', 'protected=true', 'protected=false'];
}

/** The titles of `-X list`, and the keys below each; the first that fits counts, and the rest is about brokers. */
const areas: readonly (readonly [title: string, keys: RegExp])[] = [
  ['Admin API', /^admin\./],
  ['Schema registry', /^registry\./],
  ['OAuth and AWS', /^(?:oauth|aws)\./],
  ['Redpanda Cloud', /^cloud\./],
  ['Timeouts', /^globals\..*(?:timeout|wait)/],
  ['Other', /^globals\./],
];

function areaOf(key: string): string {
  return areas.find(([, keys]) => keys.test(key))?.[0] ?? 'Brokers';
}

/** The options whose key begins with the prefix, below the titles of their areas; those of each secret only with a prefix. */
export function optionAreas(prefix = ''): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const listed = options.filter(
    ({ key }) => key.startsWith(prefix) && (prefix !== '' || secretPartOf(key)?.way === undefined),
  );
  return ['Brokers', ...areas.map(([title]) => title)].flatMap((title) => {
    const rows = listed.filter(({ key }) => areaOf(key) === title);
    return rows.length === 0 ? [] : [[title, rows] as const];
  });
}

/** The ways to give a secret its value, which are the same for each: they are listed once. */
export const secretSources = {
  title: 'Secrets can also come from (KEY is the key of a SECRET)',
  rows: secretRows('KEY', []),
};

/** Renders `-X list`: one line per key with its placeholder and its default. */
export function renderOptionList(prefix = ''): string {
  return inAreas(prefix, ({ key, kind, fallback }) => listLine(`${key}=${kind.hint}`, defaultOf(key, fallback)), '\n');
}

/** Wide enough for most; a longer option has its default on the next line. */
const widestOption = 50;

function listLine(option: string, fallback: string): string {
  if (fallback === '') return `  ${option}`;
  if (option.length <= widestOption) return `  ${option.padEnd(widestOption)}  ${fallback}`;
  return `  ${option}\n${' '.repeat(widestOption + 2)}  ${fallback}`;
}

/** Renders `-X help`: the description, kind, default, example and environment variable of each key. */
export function renderOptionHelp(prefix = ''): string {
  return inAreas(
    prefix,
    (option) => {
      const facts = [
        `kind: ${option.kind.name}`,
        defaultOf(option.key, option.fallback),
        option.apis.length === 0 ? '' : `for: ${option.apis.join(', ')}`,
        `environment: ${envName(option.key)}`,
      ];
      return [
        `  ${option.key}=${option.kind.hint}`,
        ...wrapLine(option.help, helpWidth, ({ length }) => length).map((line) => `      ${line}`),
        `      ${facts.filter((fact) => fact !== '').join('   ')}`,
        option.secret
          ? `      store it in the profile, with a prompt: weir profile set ${option.key}`
          : `      example: -X ${option.key}=${quoted(option.example)}`,
      ].join('\n');
    },
    '\n\n',
  );
}

const helpWidth = 100;

type Row = (typeof options)[number];
type AnyRow = Option<string, unknown>;

function inAreas(prefix: string, render: (option: AnyRow) => string, between: string): string {
  const shown = optionAreas(prefix).map(([title, rows]) => ({ title, rows }));
  const sections = prefix === '' ? [...shown, secretSources] : shown;
  return `${sections.map(({ title, rows }) => `${title}:\n${rows.map(render).join(between)}`).join('\n\n')}\n`;
}

function defaultOf(key: string, fallback: unknown): string {
  const text = isOptionKey(key) ? showValue(key, fallback) : '';
  return text === '' ? '' : `default ${text}`;
}

function quoted(text: string): string {
  return /^[\w./:,@-]+$/.test(text) ? text : `'${text}'`;
}
