import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { manPages } from '../src/cli/help/man.ts';
import { commands } from '../src/commands/index.ts';
import { builtins } from './builtins.ts';
import { bundlePrograms, bundleWeir } from './bundle.ts';
import { digestOfSources, forgetSources, keepSources } from './sources.ts';

const sources = digestOfSources();
forgetSources();
const forNode = { outdir: 'dist', plugins: [builtins] };
const { outputs } = await bundleWeir({ ...forNode, entryPoints: { main: 'src/main.ts' } });
const programs = {
  'control-plane': 'src/sandbox/cloud/entry.ts',
  'simulated-brokers': 'src/sandbox/simulated/entry.ts',
  'admin-api': 'src/sandbox/admin/entry.ts',
};
await bundlePrograms({ ...forNode, entryPoints: programs });

// The banner stays where require() is called only: making one takes time at every start.
for (const path of Object.keys(outputs)) {
  const [banner = '', ...body] = (await readFile(path, 'utf8')).split('\n');
  const code = body.join('\n');
  if (banner.includes('createRequire') && !/\brequire\b/.test(code)) await writeFile(path, code);
}

// What an earlier build made goes after the new files stand, so that a weir that is running finds its files.
const made = new Set(
  [...Object.keys(outputs), ...Object.keys(programs).map((name) => `${name}.js`)].map((path) => basename(path)),
);
for (const folder of ['dist', 'dist/chunks'])
  for (const name of await readdir(folder)) if (name.endsWith('.js') && !made.has(name)) await rm(`${folder}/${name}`);

// Each manual page says what its page in docs/commands/ says: as files in git, every change would be made twice.
await rm('dist/man', { recursive: true, force: true });
await mkdir('dist/man');
for (const [name, text] of await manPages(commands)) await writeFile(`dist/man/${name}`, text);
keepSources(sources);
