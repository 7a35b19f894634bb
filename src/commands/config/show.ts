import { any, command, toggle } from '../../cli/command.ts';
import { arrayOf, object, type Schema, string, wordOf } from '../../cli/output/schema.ts';
import { sources } from '../../config/config.ts';
import { optionKey } from '../../config/option-key.ts';
import { type SettingRow, selectSettings, settingRow, type ValueRow } from '../../config/resolve/provenance.ts';
import { type Cell, table } from '../../format/table.ts';

const valueProperties: Readonly<Record<string, Schema>> = {
  value: { type: ['string', 'boolean', 'array'], items: string },
  source: wordOf(...sources),
  origin: string,
};

/** JSON Schema of one row of `config show`. */
export const settingProperties: Readonly<Record<string, Schema>> = {
  key: string,
  ...valueProperties,
  overrides: arrayOf(object(valueProperties)),
};

/** A value of a row as text. */
export function valueText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? '""' : text;
}

const headers = ['key', 'value', 'source', 'origin', 'overrides'];

/** `config show` */
export const show = command({
  summary: 'Show the configuration in use and where each value comes from',
  description: `One row per option: its value, the source that gave it (flag, env, profile, broker, default), the
exact place, and the sources it overrides. A word such as "tls" or "admin.tls" stands for all options below it.
Secrets are hidden unless --show-secrets is given.`,
  examples: [
    ['The whole configuration', 'config show'],
    ['Why the brokers are what they are', 'config show brokers'],
    ['What a profile and a flag come to together', 'config show --profile prod -X tls.enabled=true tls'],
    ['The options that are not at their defaults', 'config show --changed'],
  ],
  args: { keys: any(optionKey, 'KEY', 'options to show, or the first parts of their keys; all when left out') },
  flags: {
    showSecrets: toggle({ help: 'show passwords and client secrets in clear text' }),
    changed: toggle({ help: 'only the options that some source gives' }),
  },
  // It asks none of them, but shows what each of their options, deprecated flags included, comes to.
  apis: ['kafka', 'admin', 'registry', 'cloud'],
  changes: 'reads',
  async run(context, { keys, showSecrets, changed }) {
    const settings = await selectSettings(await context.config(), keys);
    const rows = settings.map((setting) => settingRow(setting, showSecrets));
    return changed ? rows.filter(({ source }) => source !== 'default') : rows;
  },
  output: {
    schema: arrayOf(object(settingProperties)),
    text: (rows, view) =>
      table(
        headers,
        rows.map((row) => cells(row, brief)),
        view,
      ),
    wide: (rows, view) =>
      table(
        headers,
        rows.map((row) => cells(row, full)),
        view,
      ),
  },
});

function cells(row: SettingRow, describe: (row: ValueRow) => string): Cell[] {
  const shown = row.overrides.filter(({ source }) => source !== 'default').map(describe);
  return [row.key, valueText(row.value), row.source, row.origin, shown.join(', ') || '-'];
}

function brief({ origin }: ValueRow): string {
  return origin;
}

function full({ origin, value }: ValueRow): string {
  return `${valueText(value)} from ${origin}`;
}
