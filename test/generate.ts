import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { completionFiles, completionScript, type Shell } from '../src/cli/completion/completion.ts';
import { docPages, markdownTable } from '../src/cli/help/docs.ts';
import { equivalents } from '../src/cli/help/equivalents.ts';
import { clusterFileSchema } from '../src/cluster-file/file/json-schema.ts';
import { savedPlanSchema } from '../src/cluster-file/plan/plan-file.ts';
import { commands } from '../src/commands/index.ts';
import { pagesWithLists } from './docs-map.ts';
import { triedPage } from './tried/page.ts';
import { wording, wordingFile } from './wording.ts';

/** Returns the text of every file generated from the commands and from the map of the docs, by path. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, text] of await docPages(commands)) files.set(`docs/${path}`, text);
  for (const [shell, name] of Object.entries(completionFiles)) {
    files.set(`completions/${name}`, await completionScript(shell as Shell, commands));
  }
  files.set('docs/schemas/cluster-file.json', `${JSON.stringify(clusterFileSchema(), undefined, 2)}\n`);
  files.set('docs/schemas/cluster-plan.json', `${JSON.stringify(savedPlanSchema(), undefined, 2)}\n`);
  const guide = 'docs/guides/coming-from.md';
  files.set(guide, withTables(await readFile(guide, 'utf8')));
  files.set('docs/tried.md', await triedPage());
  for (const [path, text] of await pagesWithLists()) files.set(path, text);
  return files;
}

/** The guide with the tables that `weir help kcat` and others print, below a comment that names them. */
function withTables(guide: string): string {
  let text = guide;
  for (const [tool, { columns, rows }] of Object.entries(equivalents)) {
    const mark = `<!-- weir help ${tool} -->`;
    const [before = '', after] = text.split(`${mark}\n\n`);
    if (after === undefined) throw new Error(`the guide has no line ${mark}`);
    text = `${before}${mark}\n\n${markdownTable(columns, rows)}\n${after.replace(/^(?:\|.*\n)*/, '')}`;
  }
  return text;
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
