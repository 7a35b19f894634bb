import {
  canHoldSecret,
  envName,
  jsonValue,
  type Option,
  type OptionApi,
  type OptionKey,
  options,
  secretKeys,
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
  readonly extension: boolean;
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
    extension: option.extension,
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

/**
 * Renders `-X list`: one line per key with its placeholder and its default. The ways to give a secret its value are the same
 * for each, and stand there once.
 */
export function renderOptionList(): string {
  const listed = options.filter(({ key }) => secretPartOf(key)?.way === undefined);
  const width = Math.max(...listed.map(({ key, kind }) => `${key}=${kind.hint}`.length));
  const line = ({ key, kind }: Row, name: string = key) => `${name}=${kind.hint}`.padEnd(width);
  const [first] = secretKeys;
  const ways = options.filter(({ key }) => secretPartOf(key)?.way !== undefined && secretPartOf(key)?.key === first);
  const lines = ways.map((way) => `${line(way, way.key.replace(`${first}.`, 'KEY.'))}  no default\n`);
  const list = inSections(listed, (option) => `${line(option)}  ${defaultOf(option)}`, '\n');
  return `${list}\nelsewhere, for each secret KEY (${secretKeys.join(', ')}):\n${lines.join('')}`;
}

/** Renders `-X help`: the description, kind, default, example and environment variable of each key. */
export function renderOptionHelp(): string {
  return inSections(
    options,
    (option) =>
      [
        `${option.key}=${option.kind.hint}`,
        `    ${option.help}`,
        `    kind: ${option.kind.name}   ${defaultOf(option)}${option.apis.length === 0 ? '' : `   for: ${option.apis.join(', ')}`}`,
        option.secret
          ? `    store it in the profile, with a prompt: weir profile set ${option.key}`
          : `    example: -X ${option.key}=${quoted(option.example)}`,
        `    environment: ${envName(option.key)}`,
      ].join('\n'),
    '\n\n',
  );
}

type Row = (typeof options)[number];

function inSections(rows: readonly Row[], render: (option: Row) => string, between: string): string {
  const section = (extension: boolean) =>
    rows
      .filter((option) => option.extension === extension)
      .map(render)
      .join(between);
  return `options:\n${section(false)}\n\nextensions:\n${section(true)}\n`;
}

function defaultOf(option: Option<OptionKey>): string {
  const text = showValue(option.key, option.fallback);
  return text === '' ? 'no default' : `default ${text}`;
}

function quoted(text: string): string {
  return /^[\w./:,@-]+$/.test(text) ? text : `'${text}'`;
}
