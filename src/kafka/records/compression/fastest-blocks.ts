import type { Blocks } from './blocks.ts';
import { plainBlocks } from './plain-blocks.ts';
import { openWasmBlocks } from './wasm-blocks.ts';

let opened: Blocks | undefined;

/** WebAssembly where there is any (not with `node --jitless`, for example), else the plain blocks. */
export function fastestBlocks(): Blocks {
  opened ??= open();
  return opened;
}

function open(): Blocks {
  try {
    return openWasmBlocks();
  } catch {
    return plainBlocks;
  }
}
