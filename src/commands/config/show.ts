import { any, toggle } from '../../cli/command.ts';
import type { Column } from '../../cli/forms/columns.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { optionKey } from '../../config/option-key.ts';
import { selectSettings, settingRow } from '../../config/settings/provenance.ts';
import { SettingRow, type ValueRow } from '../../config/settings/setting-rows.ts';
import type { Cell } from '../../format/table.ts';

/** A value of a row as text. */
export function valueText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? '""' : text;
}

const columns: readonly Column<SettingRow>[] = ['key', ['value', ({ value }) => valueText(value)], 'source', 'origin'];

/** `config show` */
export const show = listCommand({
  summary: 'Show the configuration in use and where each value comes from',
  description: `Prints one row per option: its value, the source of the value (flag, env, profile, broker, default), the
exact place, and the sources that it overrides. A word such as "tls" or "admin.tls" selects all options below it.
Secrets are hidden unless --show-secrets is given.`,
  examples: [
    ['The whole configuration', 'config show'],
    ['Where the brokers come from', 'config show brokers'],
    ['A profile combined with a flag', 'config show --profile prod -X tls.enabled=true tls'],
    ['Only the options that are set', 'config show --changed'],
  ],
  args: { keys: any(optionKey, 'KEY', 'options to show, or prefixes of their keys (default: all)') },
  flags: {
    showSecrets: toggle({ help: 'show passwords and client secrets in clear text' }),
    changed: toggle({ help: 'show only options that a source sets' }),
  },
  // It calls none of them, but shows all of their options, including their deprecated flags.
  apis: ['kafka', 'admin', 'registry', 'cloud'],
  row: SettingRow,
  async read(context, { keys, showSecrets, changed }) {
    const settings = await selectSettings(await context.config(), keys);
    const rows = settings.map((one) => settingRow(one, showSecrets));
    return changed ? rows.filter(({ source }) => source !== 'default') : rows;
  },
  columns: [...columns, ['overrides', (row) => overriddenBy(row, ({ origin }) => origin)]],
  wide: [
    ...columns,
    ['overrides', (row) => overriddenBy(row, ({ origin, value }) => `${valueText(value)} from ${origin}`)],
  ],
});

function overriddenBy({ overrides }: SettingRow, describe: (row: ValueRow) => string): Cell {
  const shown = overrides.filter(({ source }) => source !== 'default').map(describe);
  return shown.join(', ') || '-';
}
