import { statSync } from 'node:fs';
import type { CliError } from '../../errors.ts';
import type { NamedFile } from '../../files/locations.ts';
import { locatesSecret, type OptionKey } from '../options.ts';
import { readRpkSection } from '../profile/rpk-layout.ts';
import { configError, type Draft, newDraft, type Reading } from '../resolve/layer.ts';
import { readOptionMap } from '../resolve/option-map.ts';
import { fieldsOf, parseYaml, type YamlFile } from '../yaml/file.ts';
import { readFileText } from '../yaml/file-text.ts';

/**
 * A named file, by the path of the machine's own if it is that, also through links: it is the administrator's under every
 * name. It is read by that path, so that a link that changes in the meantime leads nowhere else.
 */
export function trueName(file: NamedFile, machines: string): NamedFile {
  if (file.origin === undefined) return file;
  try {
    const [named, own] = [file.path, machines].map((path) => statSync(path, { bigint: true }));
    return named?.dev === own?.dev && named?.ino === own?.ino ? { ...file, path: machines } : file;
  } catch {
    return file; // that it cannot be read is reported by its own path
  }
}

/**
 * Reads the client section of a broker configuration file: `weir:` with option keys or, if that is missing,
 * `rpk:` in rpk's layout. Undefined if there is no file.
 * @throws CliError with file and line if the file cannot be read or is not YAML
 */
export async function readBrokerFile(path: string): Promise<Reading | undefined> {
  const file = readFileText(path);
  if (file === undefined) return undefined;
  const reading = await parseBrokerFile(await parseYaml(path, file.text));
  return { ...reading, errors: [...reading.errors, ...foreignSecrets(reading)] };
}

/** What the file of the machine may name. One of someone else is refused where these are used. */
const ofMachine: readonly OptionKey[] = ['oauth.tls.cert', 'oauth.tls.key'];

/** The errors for secrets that this file must not look up: others write it, and it chooses where they are sent. */
function foreignSecrets({ entries }: Reading): readonly CliError[] {
  return [...entries].flatMap(([key, { origin }]) => {
    if (!locatesSecret(key) || ofMachine.includes(key)) return [];
    return [
      configError(`a broker configuration file cannot set ${key} (${origin})`, {
        target: key,
        hints: [`set it in a profile of your own: weir profile set ${key}=…`],
      }),
    ];
  });
}

/** Reads the client section of a parsed broker configuration file. */
export async function parseBrokerFile(file: YamlFile): Promise<Reading> {
  const draft = newDraft('broker');
  const root = file.valueOf(file.document.contents);
  if (root === undefined) return draft;
  if (!file.yaml.isMap(root)) return { ...draft, errors: [notMap(file, 1, 'the file')] };
  const fields = fieldsOf(file, root, draft.errors);
  const own = fields.find(({ key, value }) => key === 'weir' && value !== undefined);
  const section = own ?? fields.find(({ key, value }) => key === 'rpk' && value !== undefined);
  if (section === undefined) return draft;
  await readSection(file, section, draft, own !== undefined);
  return draft;
}

type Section = ReturnType<typeof fieldsOf>[number];

async function readSection(file: YamlFile, { key, line, value }: Section, draft: Draft, own: boolean): Promise<void> {
  const origin = (at: number) => `${file.path}:${at} (section ${key})`;
  if (!file.yaml.isMap(value)) draft.errors.push(notMap(file, line, `the section ${key}`));
  else if (own) await readOptionMap(file, value, draft, origin);
  else readRpkSection(file, value, draft, origin);
}

function notMap(file: YamlFile, line: number, what: string): CliError {
  return configError(`${file.path}:${line}: ${what} is not a map`, { target: file.path });
}
