import type { CliError } from '../../errors.ts';
import { configError, type Draft, newDraft, type Reading } from '../layer.ts';
import { readOptionMap } from '../option-map.ts';
import { readRpkSection } from '../profile/rpk-layout.ts';
import { namesProgram } from '../programs.ts';
import { fieldsOf, parseYaml, type YamlFile } from '../yaml/file.ts';
import { readNamedText } from '../yaml/file-text.ts';

/** What a broker configuration file says, without the programs in it, which are listed in the warnings. */
export interface BrokerReading extends Reading {
  readonly warnings: readonly string[];
}

/**
 * Reads the client section of a broker configuration file: `weir:` with option keys or, if that is missing,
 * `rpk:` in rpk's layout. Undefined if there is no file.
 * @throws CliError with file and line if the file cannot be read or is not YAML
 */
export async function readBrokerFile(path: string): Promise<BrokerReading | undefined> {
  const file = await readNamedText(path);
  if (file === undefined) return undefined;
  const reading = await parseBrokerFile(await parseYaml(path, file.text));
  const programs = [...reading.entries].filter(([key]) => namesProgram(key));
  return {
    ...reading,
    entries: new Map([...reading.entries].filter(([key]) => !namesProgram(key))),
    warnings: programs.map(
      ([key, { origin }]) => `ignored ${key} (${origin}): programs of a broker configuration file are not started`,
    ),
  };
}

/** Reads the client section of a parsed broker configuration file. */
export async function parseBrokerFile(file: YamlFile): Promise<Reading> {
  const draft = newDraft('broker');
  const root = file.valueOf(file.document.contents);
  if (root === undefined) return draft;
  if (!file.yaml.isMap(root)) return { ...draft, errors: [notMap(file, 1, 'the file')] };
  const fields = fieldsOf(file, root, draft.errors);
  const weirSection = fields.find(({ key, value }) => key === 'weir' && value !== undefined);
  const section = weirSection ?? fields.find(({ key, value }) => key === 'rpk' && value !== undefined);
  if (section === undefined) return draft;
  await readSection(file, section, draft, weirSection !== undefined);
  return draft;
}

type Section = ReturnType<typeof fieldsOf>[number];

async function readSection(
  file: YamlFile,
  { key, line, value }: Section,
  draft: Draft,
  isWeir: boolean,
): Promise<void> {
  const origin = (at: number) => `${file.path}:${at} (section ${key})`;
  if (!file.yaml.isMap(value)) draft.errors.push(notMap(file, line, `the section ${key}`));
  else if (isWeir) await readOptionMap(file, value, draft, origin);
  else readRpkSection(file, value, draft, origin);
}

function notMap(file: YamlFile, line: number, what: string): CliError {
  return configError(`${file.path}:${line}: ${what} is not a map`, { target: file.path });
}
