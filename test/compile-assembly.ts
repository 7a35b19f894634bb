import { main } from 'assemblyscript/asc';

const flags = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];

/** A WebAssembly module: its source in `assembly/` of the folder, and the export name in the generated file. */
interface AssemblyModule {
  readonly folder: string;
  readonly source: string;
  readonly name: string;
  readonly size: string;
}

const modules: readonly AssemblyModule[] = [
  { folder: 'src/kafka/records/batches/compression', source: 'blocks.ts', name: 'wasmBlocksBase64', size: '3 KB' },
  { folder: 'src/kafka/records/batches/checksum', source: 'fold.ts', name: 'wasmFoldBase64', size: '1 KB' },
  { folder: 'src/bytes/json-text', source: 'escape.ts', name: 'wasmEscapeBase64', size: '1 KB' },
];

/** Compiles the modules reproducibly and returns the text of the TypeScript files that contain them, by path. */
export async function compiledModules(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const module of modules) files.set(`${module.folder}/wasm-module.ts`, await compiled(module));
  return files;
}

async function compiled({ folder, source, name, size }: AssemblyModule): Promise<string> {
  let module = Buffer.alloc(0);
  const { error, stderr } = await main(
    [source, '--baseDir', `${folder}/assembly`, '--outFile', 'module.wasm', ...flags],
    {
      writeFile(_name, contents) {
        module = Buffer.from(contents);
      },
    },
  );
  if (error !== null) throw new Error(`unable to compile ${source}: ${error.message}\n${stderr}`);
  return [
    `/** The WebAssembly module of assembly/${source} in base64: ${size}; \`npm run generate\` makes it. */`,
    `export const ${name} =\n  '${module.toString('base64')}';\n`,
  ].join('\n');
}
