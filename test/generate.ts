import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { completionFiles, completionScript, type Shell } from '../src/cli/completion/completion.ts';
import { docPages } from '../src/cli/help/docs.ts';
import { commands } from '../src/commands/index.ts';
import { wording, wordingFile } from './wording.ts';

/** Returns the text of every file generated from the commands, by path. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, text] of await docPages(commands)) files.set(`docs/${path}`, text);
  for (const [shell, name] of Object.entries(completionFiles)) {
    files.set(`completions/${name}`, await completionScript(shell as Shell, commands));
  }
  return files;
}

/** The paths of the files in the folders that hold generated files only, besides what explains them. */
export async function generatedNames(): Promise<readonly string[]> {
  const folders = ['docs/commands', 'docs/schemas'];
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => `${folder}/${name}`)),
  );
  return names.flat().filter((path) => path !== 'docs/schemas/README.md');
}

if (import.meta.main) {
  const files = await generatedFiles();
  for (const [path, text] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  for (const path of await generatedNames()) if (!files.has(path)) await rm(path);
  await writeFile(wordingFile, wording());
  const { compiledModules } = await import('./compile-assembly.ts');
  for (const [path, text] of await compiledModules()) await writeFile(path, text);
}
