import { main } from 'assemblyscript/asc';

const flags = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];

/** Compiles blocks.ts: the text of the TypeScript file that holds the WebAssembly module, the same on every machine. */
export async function compiledBlocks(): Promise<string> {
  let module = Buffer.alloc(0);
  const { error, stderr } = await main(
    ['blocks.ts', '--baseDir', 'src/kafka/records/compression/assembly', '--outFile', 'blocks.wasm', ...flags],
    {
      writeFile(_name, contents) {
        module = Buffer.from(contents);
      },
    },
  );
  if (error !== null) throw new Error(`unable to compile blocks.ts: ${error.message}\n${stderr}`);
  return [
    '/** The WebAssembly module of assembly/blocks.ts in base64: 3 KB; `npm run generate` makes it. */',
    `export const wasmBlocksBase64 =\n  '${module.toString('base64')}';\n`,
  ].join('\n');
}
